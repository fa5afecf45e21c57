import { type DnsRecord, parseCaa } from './dns-records.ts';

/** The tags of CAA records that an authority knows (RFC 8659 §4). */
const knownTags = new Set(['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone']);

/** Reads the records of a name. */
export type RecordsOf = (name: string) => readonly DnsRecord[];

/** The name itself and those above it, up to its top-level domain. */
export function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/**
 * The CAA records that refuse a certificate for a name: those of the nearest name that has any
 * (RFC 8659 §3), where none of them lets the authority issue. Undefined where they let it.
 */
export function findRefusal(
  name: string,
  authority: string,
  recordsOf: RecordsOf,
): readonly DnsRecord[] | undefined {
  for (const owner of withParents(name)) {
    const records = recordsOf(owner).filter(({ type }) => type === 'CAA');
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
