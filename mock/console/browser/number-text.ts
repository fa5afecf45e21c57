/** A number that is written in decimal, or else the text as it is, for the twin to judge. */
export function toNumberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}
