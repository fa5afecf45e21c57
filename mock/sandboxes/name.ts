import { quote } from '../json/quote.ts';

/** Whether a text can name a sandbox, a snapshot or a fault. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,63})$/.test(text);
}

/** Says what is wrong with a text that cannot name such a thing, see {@link isName}. */
export function nameProblem(thing: 'sandbox' | 'snapshot' | 'fault', text: string): string {
  return `The name of a ${thing} must be 1 to 64 letters, digits and ._-, starting with a letter or digit, but is ${quote(text)}.`;
}
