import { permittedAuthorities, unknownCritical } from '../../contracts/dns/caa.ts';
import { type RecordsOf, withAliases, withParents } from './aliases.ts';
import { type DnsRecord, parseCaa } from './dns-records.ts';

/**
 * The CAA records that refuse a certificate for a name: those of the nearest name that has any, or
 * whose aliases lead to some (RFC 8659 §3), where none of them lets the authority issue. Undefined
 * where they let it.
 */
export function findRefusal(
  name: string,
  authority: string,
  recordsOf: RecordsOf,
): readonly DnsRecord[] | undefined {
  for (const owner of withParents(name))
    for (const alias of withAliases(owner, recordsOf)) {
      const records = recordsOf(alias).filter(({ type }) => type === 'CAA');
      if (records.length > 0) return isRefused(records, authority) ? records : undefined;
    }
  return undefined;
}

function isRefused(records: readonly DnsRecord[], authority: string): boolean {
  const properties = records.flatMap(({ value }) => parseCaa(value) ?? []);
  if (unknownCritical(properties).length > 0) return true;
  const permitted = permittedAuthorities(properties, { isWildcard: false });
  return permitted !== undefined && !permitted.includes(authority);
}
