/** A name without its case and separators: `page_size`, `pageSize` and `page[size]` are the same. */
export function toPlainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The words of a name: `created_at[gte]` and `createdAtGte` have `created`, `at` and `gte`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Also at the end of longer words, as in `bookshelves`. */
const irregular: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  men: 'man',
  mice: 'mouse',
  indices: 'index',
  vertices: 'vertex',
  matrices: 'matrix',
  analyses: 'analysis',
  aliases: 'alias',
  caches: 'cache',
  movies: 'movie',
  cookies: 'cookie',
  houses: 'house',
  shoes: 'shoe',
  criteria: 'criterion',
  knives: 'knife',
  shelves: 'shelf',
  halves: 'half',
  wolves: 'wolf',
};

/** One of what a plain English word names many of; the word itself where it names one. */
export function singular(word: string): string {
  const [, start = '', last = ''] = /^(.*?)([a-z]*)$/.exec(word.toLowerCase()) ?? [];
  const known = Object.keys(irregular).find((plural) => last.endsWith(plural));
  if (known) return start + last.slice(0, -known.length) + irregular[known];
  if (/(ss|us|is)$/.test(last)) return start + last;
  if (/[^aeiou]oes$/.test(last)) return start + last.slice(0, -2);
  if (/[^aeiou]ies$/.test(last)) return `${start}${last.slice(0, -3)}y`;
  if (/(ss|us|x|z|ch|sh)es$/.test(last)) return start + last.slice(0, -2);
  return start + last.replace(/s$/, '');
}
