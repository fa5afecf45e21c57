import type { DnsRecord } from '../../domains/dns-records.ts';
import { DomainError, type DomainsState, type ZoneChange } from '../../domains/domains-state.ts';
import { createRandom } from '../../faults/random.ts';

const hour = 3_600_000;

/** Reads the records of a name. */
export type RecordsOf = (name: string) => readonly DnsRecord[];

/** The records as they were set last, as of an instant. */
export function recordsSet(zone: readonly ZoneChange[], now: number): RecordsOf {
  return (name) =>
    zone.findLast((change) => change.name === name && change.at <= now)?.records ?? [];
}

/** The records that everybody sees at an instant. */
export function recordsSeen(zone: readonly ZoneChange[], now: number): RecordsOf {
  return (name) =>
    zone.findLast((change) => change.name === name && change.seenAt <= now)?.records ?? [];
}

/** All records as they were set last. */
export function allRecords(zone: readonly ZoneChange[], now: number): DnsRecord[] {
  const names = new Set(zone.map(({ name }) => name));
  return [...names].flatMap(recordsSet(zone, now));
}

/** The changes of a name and of those above it, whose CAA records hold for it. */
export function changesFor(zone: readonly ZoneChange[], name: string): readonly ZoneChange[] {
  const names = withParents(name);
  return zone.filter((change) => names.includes(change.name));
}

/** The name itself and those above it, up to its top-level domain. */
export function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/** The clock of the sandbox, and what decides how long a change takes to spread. */
export type PropagationOptions = { propagationHours: number; seed: number; now: number };

/** How many changes and records there may be together. */
export const maxZoneSize = 4000;

/**
 * Sets the records of these names, each of which changes only where its records differ. Throws
 * {@link DomainError}.
 */
export function setRecords(
  state: DomainsState,
  names: Iterable<string>,
  records: readonly DnsRecord[],
  { now, propagationHours, seed }: PropagationOptions,
): DomainsState {
  // What lies ahead of a clock that was moved back did not happen.
  const zone = state.zone.filter(({ at }) => at <= now);
  const present = recordsSet(zone, now);
  for (const name of names) {
    const next = records.filter((record) => record.name === name);
    if (textOf(next) === textOf(present(name))) continue;
    const drawn = createRandom(`${seed}: records ${zone.length}`)();
    const seenAt = now + Math.ceil((drawn * propagationHours * hour) / 1000) * 1000;
    zone.push({ name, records: next, at: now, seenAt });
  }
  if (sizeOf(zone) > maxZoneSize)
    throw new DomainError(
      'The zone has no room for more changes. POST /__admin/reset brings the sandbox back to the start.',
    );
  return { ...state, zone };
}

/** Lets the changes that still spread do so in the time that holds from now on. */
export function respread(
  zone: readonly ZoneChange[],
  { from, to, now }: { from: number; to: number; now: number },
): readonly ZoneChange[] {
  if (from === to || from === 0) return zone;
  return zone.map((change) => {
    const { at, seenAt } = change;
    if (seenAt <= now) return change;
    return { ...change, seenAt: Math.max(now, at + Math.ceil(((seenAt - at) * to) / from)) };
  });
}

/** How much room changes take: each takes that of a record besides its own. */
export function sizeOf(zone: readonly ZoneChange[]): number {
  return zone.reduce((sum, { records }) => sum + records.length + 1, 0);
}

function textOf(records: readonly DnsRecord[]): string {
  const texts = records.map(({ type, ttl, value }) => JSON.stringify([type, ttl, value]));
  return texts.toSorted().join();
}
