/** A number that is written in decimal, or else the text as it is, for the twin to judge. */
export function toNumberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

/**
 * A number that is written, as JSON to the digit; any other text as a string of JSON, for the twin to
 * judge.
 */
export function toNumberJson(text: string): string {
  const trimmed = text.trim();
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed);
  return isNumber ? trimmed : JSON.stringify(text);
}
