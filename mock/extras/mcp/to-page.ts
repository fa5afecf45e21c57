/**
 * The most bytes of a tool's answer: 4,000 tokens. A token is about three bytes of JSON or YAML, and of
 * languages that take more tokens for a character, a character has three bytes.
 */
const maxBytes = 11_500;

type Page = {
  /** Lines at the top of each page. */
  head?: readonly string[];
  /** How many blocks come before the given ones, and how many there are in all. */
  skip?: number | undefined;
  total?: number;
};

/** Joins as many blocks as an answer holds, and says how to get the others. */
export function toPage(
  blocks: readonly string[],
  { head = [], skip = 0, total = skip + blocks.length }: Page = {},
): string {
  const lines = [...head];
  let left = maxBytes - Buffer.byteLength(head.join('\n'));
  let shown = 0;
  for (const block of blocks) {
    const bytes = Buffer.byteLength(block) + 1;
    if (bytes > left && shown > 0) break;
    lines.push(cut(block, left));
    left -= bytes;
    shown += 1;
  }
  const next = skip + shown;
  if (next < total)
    lines.push(`[${shown} of ${total} shown. The next ones: the same call with "skip": ${next}.]`);
  return lines.join('\n');
}

/** Fits the lines of a text from one on. */
export function toTextPage(text: string, { skip = 0, ...page }: Omit<Page, 'total'> = {}): string {
  return toPage(text.trimEnd().split('\n').slice(skip), { ...page, skip });
}

function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const start = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString();
  return `${start.replace(/\uFFFD+$/, '')} [cut]`;
}
