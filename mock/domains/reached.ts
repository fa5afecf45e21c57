import { createRandom } from '../faults/random.ts';
import { findRefusal } from './caa.ts';
import type { AttachedDomain, DomainsState, Project, Reached } from './domains-state.ts';
import { isRight, requiredRecord } from './judge-records.ts';
import { changesFor, recordsSeen } from './zone.ts';

/** What the progress of a domain follows from, besides the facts. */
export type Conditions = {
  project: Project;
  /** The TTL that the record needs, in seconds. */
  ttl: number;
  seed: number;
  now: number;
};

const minute = 60_000;

/** How often it is retained how far a domain had come. */
const maxReached = 20;

/** How far a domain has come, from what was noted of it last and what has happened since. */
export function toReached(
  domain: AttachedDomain,
  { zone, changes }: Pick<DomainsState, 'zone' | 'changes'>,
  options: Conditions,
): Reached {
  const { project, ttl, now } = options;
  const { name, addedAt } = domain;
  const required = requiredRecord(domain, project, ttl);
  const start = domain.reached.findLast(({ at }) => at <= now);
  const { at: startedAt, ...reached } = start ?? { at: addedAt, changes: 0, brokenAt: addedAt };
  const relevant = changesFor(zone, name);
  const since = relevant.filter(
    ({ number, seenAt }) => seenAt > startedAt || number > reached.changes,
  );
  const instants = [
    ...(reached.verifiedAt === undefined ? [startedAt] : []),
    ...since.map(({ seenAt }) => Math.max(seenAt, startedAt)),
  ];
  const past = instants.filter((at) => at <= now).toSorted((left, right) => left - right);
  for (const at of new Set(past)) {
    const recordsOf = recordsSeen(relevant, at);
    if (!isRight(recordsOf, required)) {
      if (reached.verifiedAt !== undefined) reached.brokenAt = at;
      delete reached.verifiedAt;
      if (reached.issuedAt !== undefined && reached.issuedAt > at) delete reached.issuedAt;
      continue;
    }
    if (reached.verifiedAt !== undefined) continue;
    reached.verifiedAt = at;
    if (!findRefusal(name, project.authority, recordsOf))
      reached.issuedAt ??= at + issuanceOf(domain, options);
  }
  return { ...reached, at: now, changes };
}

/** Notes how far a domain has come, so that no later change of the project takes it back. */
export function withReached(domain: AttachedDomain, reached: Reached): AttachedDomain {
  const past = domain.reached.filter(({ at }) => at <= reached.at);
  return { ...domain, reached: [...past, reached].slice(-maxReached) };
}

/** How long the certificate of a domain takes: the same for the same seed, in milliseconds. */
export function issuanceOf(
  { name }: Pick<AttachedDomain, 'name'>,
  { project, seed }: Pick<Conditions, 'project' | 'seed'>,
): number {
  const drawn = createRandom(`${seed}: certificate of ${name}`)();
  return Math.ceil((drawn * project.issuanceMinutes * minute) / 1000) * 1000;
}
