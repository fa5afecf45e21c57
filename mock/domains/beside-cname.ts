import type { DnsRecord } from './dns-records.ts';

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
