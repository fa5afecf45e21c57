import { isIPv4, isIPv6 } from 'node:net';
import { parseCaa } from '../../contracts/dns/caa.ts';
import { quote } from '../json/quote.ts';
import { hostName, toHostName } from './host-name.ts';

/** The kinds of records that the zone of a sandbox holds. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'ALIAS', 'ANAME', 'CAA'] as const;

export type RecordType = (typeof recordTypes)[number];

/** A record of DNS: names in lower case without the final dot, `ttl` in seconds. */
export type DnsRecord = { name: string; type: RecordType; ttl: number; value: string };

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

/** Addresses beside a CNAME record are the conflict that the procedure names (Appendix 4). */
const conflicts: readonly DnsRecord['type'][] = ['A', 'AAAA'];

/**
 * The first record that no name server would hold, as its name has a CNAME record besides (RFC 1034
 * §3.6.2, RFC 2181 §10.1). Addresses pass: a domain shows that they are in conflict.
 */
export function findBesideCname(
  records: readonly DnsRecord[],
): { index: number; problem: string } | undefined {
  const byName = Map.groupBy(records, ({ name }) => name);
  for (const [index, record] of records.entries()) {
    const { name, type } = record;
    const cname = byName.get(name)?.find((one) => one.type === 'CNAME');
    if (!cname || cname === record || conflicts.includes(type)) continue;
    const problem =
      type === 'CNAME'
        ? `${name} has a CNAME record already, and can have only one (RFC 1034 §3.6.2). Leave one of them out.`
        : `${name} has a CNAME record, beside which no ${type} record can be (RFC 1034 §3.6.2). Leave one of them out.`;
    return { index, problem };
  }
  return undefined;
}
