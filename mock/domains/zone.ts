import { createRandom } from '../faults/random.ts';
import type { DnsRecord } from './dns-records.ts';
import type { DomainsState, Project, ZoneChange } from './domains-state.ts';

const hour = 3_600_000;

/** How many changes are retained, of a name and in all. */
const [maxOfName, maxChanges] = [50, 2000];

/** The settings and the seed that decide how long a change takes to spread. */
export type Spreading = Pick<Project, 'propagationHours'> & { seed: number };

/** When everybody sees a change, in Unix milliseconds. */
export function spreadAt({ at, number, isObserved }: ZoneChange, spreading: Spreading): number {
  if (isObserved) return at;
  const drawn = createRandom(`${spreading.seed}: records ${number}`)();
  return at + Math.ceil((drawn * spreading.propagationHours * hour) / 1000) * 1000;
}

/** The records that a name was set to last, as of an instant. */
export function recordsSet(
  zone: readonly ZoneChange[],
  name: string,
  now: number,
): readonly DnsRecord[] {
  return zone.findLast((change) => change.name === name && change.at <= now)?.records ?? [];
}

/** The records of a name that everybody sees at an instant. */
export function recordsSeen(
  zone: readonly ZoneChange[],
  name: string,
  { now, ...spreading }: Spreading & { now: number },
): readonly DnsRecord[] {
  const seen = zone.findLast(
    (change) => change.name === name && spreadAt(change, spreading) <= now,
  );
  return seen?.records ?? [];
}

/** All records as they were set last. */
export function allRecords(zone: readonly ZoneChange[], now: number): DnsRecord[] {
  const names = new Set(zone.map(({ name }) => name));
  return [...names].flatMap((name) => recordsSet(zone, name, now));
}

/** Sets the records of these names, each of which changes only where its records differ. */
export function setRecords(
  state: DomainsState,
  names: Iterable<string>,
  records: readonly DnsRecord[],
  { now, isObserved }: { now: number; isObserved?: true },
): DomainsState {
  let { changes } = state;
  // What lies ahead of a clock that was moved back did not happen.
  let zone = state.zone.filter(({ at }) => at <= now);
  for (const name of names) {
    const next = records.filter((record) => record.name === name);
    if (textOf(next) === textOf(recordsSet(zone, name, now))) continue;
    changes += 1;
    zone.push({ name, records: next, at: now, number: changes, ...(isObserved && { isObserved }) });
    const ofName = zone.filter((change) => change.name === name);
    const outdated = new Set(ofName.slice(0, -maxOfName));
    if (outdated.size > 0) zone = zone.filter((change) => !outdated.has(change));
  }
  return { ...state, zone: zone.slice(-maxChanges), changes };
}

/** Puts these records in place of all that the zone has. */
export function replaceRecords(
  state: DomainsState,
  records: readonly DnsRecord[],
  now: number,
): DomainsState {
  const held = allRecords(state.zone, now);
  const names = new Set([...held, ...records].map(({ name }) => name));
  return setRecords(state, names, records, { now });
}

function textOf(records: readonly DnsRecord[]): string {
  const texts = records.map(({ type, ttl, value }) => JSON.stringify([type, ttl, value]));
  return texts.toSorted().join();
}
