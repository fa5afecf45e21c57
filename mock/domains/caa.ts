import { type RecordsOf, withAliases, withParents } from './aliases.ts';
import { type DnsRecord, parseCaa } from './dns-records.ts';

/** The tags of CAA records that an authority knows (RFC 8659 §4). */
const knownTags = new Set([
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
]);

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
  if (properties.some(({ isCritical, tag }) => isCritical && !knownTags.has(tag))) return true;
  const issuers = properties.filter(({ tag }) => tag === 'issue');
  const isNamed = issuers.some(
    ({ value }) => value.split(';')[0]?.trim().toLowerCase() === authority,
  );
  return issuers.length > 0 && !isNamed;
}
