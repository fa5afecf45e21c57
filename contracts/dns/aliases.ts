import { maxAliases } from './name-server.ts';
import type { Resolver } from './resolver.ts';

/** The CNAME records from a name to where they end. */
export type Aliases = {
  links: { name: string; target: string; ttl: number; isAuthoritative: boolean }[];
  /** The name that has no CNAME record; that where the circle closes, if there is one. */
  end: string;
  isCircle: boolean;
  /** Whether the last name asked for exists. */
  exists: boolean;
  /** Why it is not known where they lead on from the end. */
  failure?: string;
};

/**
 * Says how the CNAME records of a name lead in a circle, which a resolver shows as a failure of any
 * other question about it; undefined where they do not.
 */
export async function describeCircle(
  name: string,
  resolver: Resolver,
): Promise<string | undefined> {
  const { links, isCircle } = await followAliases(name, resolver);
  const way = [name, ...links.map(({ target }) => target)];
  return isCircle ? `its CNAME records lead in a circle: ${way.join(' -> ')}` : undefined;
}

/** Follows the CNAME records of a name one by one, as a resolver gives up on circles. */
export async function followAliases(name: string, resolver: Resolver): Promise<Aliases> {
  const links: Aliases['links'] = [];
  const seen = new Set<string>();
  let end = name;
  while (!seen.has(end) && links.length <= maxAliases) {
    seen.add(end);
    const lookup = await resolver.look(end, 'CNAME');
    if (lookup.outcome === 'failed')
      return { links, end, isCircle: false, exists: true, failure: lookup.reason };
    const record = lookup.records.find((one) => one.type === 'CNAME' && one.name === end);
    if (record === undefined) return { links, end, isCircle: false, exists: lookup.exists };
    const target = String(record.data).toLowerCase();
    const { isAuthoritative } = lookup;
    links.push({ name: end, target, ttl: record.ttl, isAuthoritative });
    end = target;
  }
  return { links, end, isCircle: true, exists: true };
}
