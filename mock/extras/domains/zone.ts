import { type DnsRecord, isAlias } from '../../domains/dns-records.ts';
import type { DomainsState, Project, ZoneChange } from '../../domains/domains-state.ts';
import { createRandom } from '../../faults/random.ts';

const hour = 3_600_000;

/** The clock of the sandbox, and what decides how long a change takes to spread. */
export type Spreading = Pick<Project, 'propagationHours'> & { seed: number; now: number };

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

/** The changes of a name, of those above it, and of all to which their records ever led. */
export function changesFor(zone: readonly ZoneChange[], name: string): readonly ZoneChange[] {
  const byName = Map.groupBy(zone, (change) => change.name);
  const names = new Set(withParents(name));
  // A set that grows is gone through to its end.
  for (const one of names)
    for (const { records } of byName.get(one) ?? [])
      for (const { type, value } of records) if (isAlias(type)) names.add(value);
  return zone.filter((change) => names.has(change.name));
}

/** Sets the records of these names, each of which changes only where its records differ. */
export function setRecords(
  state: DomainsState,
  names: Iterable<string>,
  records: readonly DnsRecord[],
  { now, propagationHours, seed }: Spreading,
): DomainsState {
  let { changes } = state;
  // What lies ahead of a clock that was moved back did not happen.
  const zone = state.zone.filter(({ at }) => at <= now);
  const present = recordsSet(zone, now);
  for (const name of names) {
    const next = records.filter((record) => record.name === name);
    if (textOf(next) === textOf(present(name))) continue;
    changes += 1;
    const drawn = createRandom(`${seed}: records ${changes}`)();
    const seenAt = now + Math.ceil((drawn * propagationHours * hour) / 1000) * 1000;
    zone.push({ name, records: next, at: now, number: changes, seenAt });
  }
  const domains = state.domains.map((domain) => ({
    ...domain,
    reached: domain.reached.filter(({ at }) => at <= now),
  }));
  return { ...state, domains, zone, changes };
}

/** The names of records that are set now, and of those that are to take their place. */
export function namesOf(
  { zone }: Pick<DomainsState, 'zone'>,
  records: readonly DnsRecord[],
  now: number,
): Set<string> {
  return new Set([...allRecords(zone, now), ...records].map(({ name }) => name));
}

/** Lets the changes that still spread do so in the time that holds from now on. */
export function respread(
  state: DomainsState,
  { from, to, now }: { from: number; to: number; now: number },
): DomainsState {
  if (from === to) return state;
  let { changes } = state;
  const zone = state.zone.map((change) => {
    const { at, seenAt } = change;
    if (at > now || seenAt <= now) return change;
    // A new number, as domains have been judged without it up to the present one.
    changes += 1;
    // It can take longer than it had by the old time, where the clock was moved back.
    const rescaled = Math.min(Math.ceil(((seenAt - at) * to) / from), to * hour);
    return { ...change, number: changes, seenAt: Math.max(now, at + rescaled) };
  });
  return { ...state, zone, changes };
}

/** The changes without those that nobody sees from now on. */
export function withoutOutdated(zone: readonly ZoneChange[], now: number): readonly ZoneChange[] {
  const overtakenAt = new Map<string, number>();
  const seen = zone.toReversed().filter(({ name, seenAt }) => {
    const from = Math.max(seenAt, now);
    if ((overtakenAt.get(name) ?? Number.POSITIVE_INFINITY) <= from) return false;
    overtakenAt.set(name, from);
    return true;
  });
  const known = new Set<string>();
  return seen.toReversed().filter(({ name, records }) => {
    // A name that had no records needs no change to have none.
    const isNeeded = known.has(name) || records.length > 0;
    if (isNeeded) known.add(name);
    return isNeeded;
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

/** Reads the records of a name. */
export type RecordsOf = (name: string) => readonly DnsRecord[];

/** A name, and those to which its CNAME records lead one by one. */
export function* withAliases(name: string, recordsOf: RecordsOf): Generator<string> {
  const seen = new Set<string>();
  for (let at: string | undefined = name; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    yield at;
    at = recordsOf(at).find(({ type }) => type === 'CNAME')?.value;
  }
}

/** The names on the way from a name over another, where its CNAME records lead in a circle. */
export function findCircle(name: string, next: string, recordsOf: RecordsOf): string[] | undefined {
  const way = [...withAliases(next, recordsOf)];
  const back = recordsOf(way.at(-1) ?? next).find(({ type }) => type === 'CNAME')?.value;
  if (back === undefined) return undefined;
  const circle = [name, ...way, back];
  const end = circle.findIndex((one, at) => circle.indexOf(one) < at);
  return circle.slice(0, end + 1);
}

/** The name itself and those above it, up to its top-level domain. */
export function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
