import { type CaaProperty, parseCaa } from './caa.ts';
import type { Resolver } from './resolver.ts';

/** The CAA records that hold for a name, and the domain that was asked for them. */
export type RelevantCaa =
  | { outcome: 'found'; domain: string; properties: CaaProperty[] }
  | { outcome: 'none' }
  | { outcome: 'failed'; domain: string; reason: string };

/** Climbs from a name to its registered domain until CAA records are found (RFC 8659 §3). */
export async function findCaa(
  name: string,
  registered: string,
  resolver: Pick<Resolver, 'look'>,
): Promise<RelevantCaa> {
  for (let domain = name; domain.endsWith(registered); domain = parentOf(domain)) {
    const lookup = await resolver.look(domain, 'CAA');
    if (lookup.outcome === 'failed') return { ...lookup, domain };
    const properties = lookup.records.flatMap(({ type, value }) =>
      type === 'CAA' ? (parseCaa(value) ?? []) : [],
    );
    if (properties.length > 0) return { outcome: 'found', domain, properties };
  }
  return { outcome: 'none' };
}

function parentOf(name: string): string {
  return name.split('.').slice(1).join('.');
}
