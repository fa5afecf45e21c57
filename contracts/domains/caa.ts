import type { CaaData } from 'dns-packet';
import type { Resolver } from '../dns/resolver.ts';

/** A property of a CAA record (RFC 8659 §4.1). */
export type CaaProperty = { isCritical: boolean; tag: string; value: string };

/** The CAA records that hold for a name, and the domain where they were found. */
export type RelevantCaa =
  | { outcome: 'found'; domain: string; properties: CaaProperty[] }
  | { outcome: 'none' }
  | { outcome: 'failed'; domain: string; reason: string };

/** Climbs from a name towards the root until CAA records are found (RFC 8659 §3). */
export async function findCaa(name: string, resolver: Resolver): Promise<RelevantCaa> {
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const domain = labels.slice(from).join('.');
    const lookup = await resolver.look(domain, 'CAA');
    if (lookup.outcome === 'failed') return { outcome: 'failed', domain, reason: lookup.reason };
    const properties = lookup.records
      .filter(({ type }) => type === 'CAA')
      .map(({ data }) => toProperty(data as CaaData));
    if (properties.length > 0) return { outcome: 'found', domain, properties };
  }
  return { outcome: 'none' };
}

/** The records as a zone file has them. */
export function toCaaText(properties: readonly CaaProperty[]): string {
  return properties
    .map(({ isCritical, tag, value }) => `${isCritical ? 128 : 0} ${tag} "${value}"`)
    .join(', ');
}

/** The authorities that may issue; undefined where any may (RFC 8659 §4.2, §4.3). */
export function permittedAuthorities(
  properties: readonly CaaProperty[],
  { isWildcard }: { isWildcard: boolean },
): string[] | undefined {
  const withTag = (tag: string) => properties.filter((one) => one.tag === tag);
  const wild = isWildcard ? withTag('issuewild') : [];
  const issue = wild.length > 0 ? wild : withTag('issue');
  if (issue.length === 0) return undefined;
  const domains = issue.map(({ value }) => (value.split(';')[0] ?? '').trim().toLowerCase());
  return [...new Set(domains.filter((domain) => domain !== ''))];
}

/** Tags that authorities know; of others, a critical one forbids to issue (RFC 8659 §4.5). */
const knownTags = [
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
];

/** The tags that no authority may pass over, and that are not known here. */
export function unknownCritical(properties: readonly CaaProperty[]): string[] {
  return properties
    .filter(({ isCritical, tag }) => isCritical && !knownTags.includes(tag))
    .map(({ tag }) => tag);
}

function toProperty({ flags = 0, tag, value }: CaaData): CaaProperty {
  return { isCritical: (flags & 128) !== 0, tag: tag.toLowerCase(), value: value.trim() };
}
