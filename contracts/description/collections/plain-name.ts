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
