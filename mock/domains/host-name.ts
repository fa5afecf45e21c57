/** What a host name is, for messages. */
export const hostName = 'a host name such as docs.example.com';

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * A host name in lower case without its final dot, or undefined where it is none. A name of letters
 * beyond ASCII is written as DNS has it, with `xn--`.
 */
export function toHostName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '');
  const isHostName = labels.length > 1 && labels.every((one) => label.test(one)) && !isNumber;
  return isHostName && name.length <= 253 ? name : undefined;
}
