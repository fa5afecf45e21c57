/**
 * How many characters a block has at most. What a browser takes to lay one out grows with the square
 * of the characters that its fonts lack.
 */
const maxBlock = 2000;

/** Cuts a text, at line breaks where there are any; a cut within a line does not show. */
export function toBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  while (text.length - start > maxBlock) {
    const line = text.lastIndexOf('\n', start + maxBlock);
    const isPair = /[\ud800-\udbff]/.test(text[start + maxBlock - 1] ?? '');
    const end = line > start ? line : start + maxBlock - (isPair ? 1 : 0);
    blocks.push(text.slice(start, end));
    start = line > start ? end + 1 : end;
  }
  blocks.push(text.slice(start));
  return blocks;
}
