import { domainToASCII } from 'node:url';

/** Describes a host name in messages. */
export const hostName = 'a host name such as docs.example.com';

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Normalizes a host name: lower case, no final dot, non-ASCII letters as `xn--`. Undefined if it is
 * invalid.
 */
export function toHostName(text: string): string | undefined {
  // Of text in ASCII, Node would make an IP address where it can.
  const isAscii = /^[\x20-\x7e]*$/.test(text);
  const name = (isAscii ? text : domainToASCII(text)).toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '');
  const isHostName = labels.length > 1 && labels.every((one) => label.test(one)) && !isNumber;
  return isHostName && name.length <= 253 ? name : undefined;
}

export type DomainKind = 'subdomain' | 'apex';

/**
 * Tells registered names (`apex`) from names below them, by the public suffix list. Undefined if
 * nobody can register the name.
 */
export async function toDomainKind(name: string): Promise<DomainKind | undefined> {
  // The list takes megabytes, and most twins never need it.
  const { getDomain } = await import('tldts');
  const registered = getDomain(name);
  if (registered === null) return undefined;
  return registered === name ? 'apex' : 'subdomain';
}
