import type { CaaData } from 'dns-packet';
import { getDomain } from 'tldts';
import { describeCircle } from '../dns/aliases.ts';
import { type CaaProperty, toCaaProperty } from '../dns/caa.ts';
import type { Resolver } from '../dns/resolver.ts';

/** The CAA records that hold for a name, and the domain where they were found. */
export type RelevantCaa =
  | { outcome: 'found'; domain: string; properties: CaaProperty[] }
  | { outcome: 'none' }
  | { outcome: 'failed'; domain: string; reason: string };

/** Whether a name is above all that can be registered, such as `com` and `co.uk`. */
export function isPublicSuffix(name: string): boolean {
  return getDomain(name) === null;
}

/** Climbs from a name towards the root until CAA records are found (RFC 8659 §3). */
export async function findCaa(name: string, resolver: Resolver): Promise<RelevantCaa> {
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const domain = labels.slice(from).join('.');
    const lookup = await resolver.look(domain, 'CAA');
    if (lookup.outcome === 'failed') {
      const reason = (await describeCircle(domain, resolver)) ?? lookup.reason;
      return { outcome: 'failed', domain, reason };
    }
    const properties = lookup.records
      .filter(({ type }) => type === 'CAA')
      .map(({ data }) => {
        const { flags = 0, tag, value } = data as CaaData;
        return toCaaProperty(flags, tag, value);
      });
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
