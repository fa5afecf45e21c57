import type { Changed } from './change-domains.ts';
import type { DnsRecord } from './dns-records.ts';
import type { DomainsState } from './domains-state.ts';
import type { Found } from './look-up.ts';
import { type Circumstances, conditionsOf } from './project.ts';
import { toReached, withReached } from './reached.ts';
import { namesOf, recordsSet, setRecords, sizeOf, withoutOutdated } from './zone.ts';

/** How much room changes may take before outdated ones are forgotten. */
const roomySize = 1000;

/** How much room changes may take at all. */
export const maxZoneSize = 4000;

/** Puts these records in place of all that the zone has. */
export function replaceRecords(
  state: DomainsState,
  records: readonly DnsRecord[],
  circumstances: Circumstances,
): Changed {
  const { now, seed } = circumstances;
  const { propagationHours } = conditionsOf(state, circumstances).project;
  const names = namesOf(state, records, now);
  return bound(setRecords(state, names, records, { now, seed, propagationHours }), circumstances);
}

/** Sets what was looked up, if anything was, which everybody sees already. */
export function observeRecords(
  state: DomainsState,
  found: Found | undefined,
  circumstances: Circumstances,
): Changed {
  if (!found) return { state };
  const { now, seed } = circumstances;
  const { name, others, records } = found;
  const spreading = { now, seed, propagationHours: 0 };
  const next = [...records, ...unaskedRecords(state, found, now)];
  return bound(setRecords(state, [name, ...others], next, spreading), circumstances);
}

/** What other names have of types that were not looked up. */
function unaskedRecords(state: DomainsState, { others, records }: Found, now: number) {
  const present = recordsSet(state.zone, now);
  const aliases = new Set(records.filter(({ type }) => type === 'CNAME').map(({ name }) => name));
  return [...others]
    .filter((one) => !aliases.has(one))
    .flatMap(present)
    .filter(({ type }) => type !== 'CNAME' && type !== 'CAA');
}

/**
 * Forgets changes that nobody sees any more where there are many, once it is noted how far domains
 * have come by them.
 */
function bound(state: DomainsState, circumstances: Circumstances): Changed {
  if (sizeOf(state.zone) <= roomySize) return { state };
  const zone = withoutOutdated(state.zone, circumstances.now);
  if (sizeOf(zone) > maxZoneSize)
    return {
      refusal:
        'The zone has no room for more changes while so many still spread. Move the clock on with PUT /__admin/clock, or let records take no time: "propagationHours":0 in PUT /__admin/project.',
    };
  if (zone.length === state.zone.length) return { state };
  const conditions = conditionsOf(state, circumstances);
  const domains = state.domains.map((domain) =>
    withReached(domain, toReached(domain, state, conditions)),
  );
  return { state: { ...state, zone, domains } };
}
