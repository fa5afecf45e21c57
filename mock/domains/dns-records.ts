import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../json/quote.ts';
import { hostName, toHostName } from './host-name.ts';

/** The kinds of records that the zone of a sandbox holds. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'ALIAS', 'ANAME', 'CAA'] as const;

export type RecordType = (typeof recordTypes)[number];

/** A record of DNS: names in lower case without the final dot, `ttl` in seconds. */
export type DnsRecord = { name: string; type: RecordType; ttl: number; value: string };

/** Reads flags, tag and value of a CAA record (RFC 8659 §4.1); undefined where it is malformed. */
export function parseCaa(text: string): { tag: string; value: string } | undefined {
  const [, flags, tag, quoted, bare] =
    /^(\d{1,3})\s+([a-z0-9]{1,15})\s+(?:"([^"]*)"|([^\s"]+))$/i.exec(text) ?? [];
  if (tag === undefined || Number(flags) > 255) return undefined;
  return { tag, value: quoted ?? bare ?? '' };
}

/** Whether a type of record leads to another name. */
export function isAlias(type: RecordType): boolean {
  return type === 'CNAME' || type === 'ALIAS' || type === 'ANAME';
}

/** Brings a record to its canonical form, or says what is wrong with it. */
export function toRecord({ name, type, ttl, value }: DnsRecord): DnsRecord | string {
  const owner = toHostName(name);
  if (owner === undefined) return `"name" must be ${hostName}, but is ${quote(name)}.`;
  const canonical = canonicalValues[type](value.trim());
  if (canonical === undefined)
    return `"value" of ${type} must be ${expectedValues[type]}, but is ${quote(value)}.`;
  return { name: owner, type, ttl, value: canonical };
}

const toAddress = (isAddress: (text: string) => boolean) => (value: string) =>
  isAddress(value) ? value.toLowerCase() : undefined;

const canonicalValues: Record<RecordType, (value: string) => string | undefined> = {
  A: toAddress(isIPv4),
  AAAA: toAddress(isIPv6),
  CNAME: toHostName,
  ALIAS: toHostName,
  ANAME: toHostName,
  CAA: (value) => (parseCaa(value) ? value : undefined),
};

const expectedValues: Record<RecordType, string> = {
  A: 'an IPv4 address',
  AAAA: 'an IPv6 address',
  CNAME: hostName,
  ALIAS: hostName,
  ANAME: hostName,
  CAA: 'flags, tag and value, such as 0 issue "ca.example"',
};
