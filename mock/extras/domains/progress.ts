import type { AttachedDomain, DomainsState } from '../../domains/domains-state.ts';
import {
  type DomainProblem,
  findRefusal,
  isRight,
  judgeRecords,
  requiredRecord,
  toCaaProblem,
  toRetryProblem,
} from './judge-records.ts';
import { type Conditions, toReached } from './project.ts';
import type { RecordsOf } from './zone.ts';
import { changesFor, recordsSeen, recordsSet } from './zone.ts';

/** The states of a domain, in their order. */
export const domainStates = ['pending', 'verified', 'certificate-issued', 'active'] as const;

export type DomainState = (typeof domainStates)[number];

/** Where a domain stands; instants in Unix milliseconds, by the clock of the sandbox. */
export type Progress = {
  state: DomainState;
  since: number;
  /** What has to happen for the next state, as a sentence; undefined once it is active. */
  waitsFor: string | undefined;
  /** When that happens if nothing is changed; undefined where something has to be done first. */
  expectedAt: number | undefined;
  problems: readonly DomainProblem[];
};

/** How long the platform takes to serve a domain once its certificate is there, in milliseconds. */
const activation = 60_000;

/** Where a domain stands, from the facts about it alone. */
export function toProgress(
  domain: AttachedDomain,
  state: Pick<DomainsState, 'zone' | 'changes'>,
  options: Conditions,
): Progress {
  const { project, ttl, now } = options;
  const { name } = domain;
  const { verifiedAt, issuedAt, brokenAt } = toReached(domain, state, options);
  const setNow = recordsSet(state.zone, now);
  const ofRecords = judgeRecords(setNow, requiredRecord(domain, project, ttl));
  const refusal = findRefusal(name, project.authority, setNow);
  const caaProblem = refusal && toCaaProblem(name, project.authority, refusal);
  if (verifiedAt === undefined)
    return {
      state: 'pending',
      since: brokenAt,
      ...waitOfPending(domain, state, options),
      problems: [...ofRecords, ...(caaProblem ? [caaProblem] : [])],
    };
  if (issuedAt === undefined) {
    const seen = recordsSeen(state.zone, now);
    const isAllowed = (recordsOf: RecordsOf) =>
      findRefusal(name, project.authority, recordsOf) === undefined;
    const problem = caaProblem ?? (isAllowed(seen) ? toRetryProblem(name) : undefined);
    return {
      state: 'verified',
      since: verifiedAt,
      waitsFor: problem
        ? 'The certificate, which the CAA records blocked.'
        : `The CAA records to spread, which takes up to ${project.propagationHours} hours. Then verify again.`,
      expectedAt: problem ? undefined : whenSeen(state.zone, name, { now, isEnough: isAllowed }),
      problems: [...ofRecords, ...(problem ? [problem] : [])],
    };
  }
  if (now < issuedAt)
    return {
      state: 'verified',
      since: verifiedAt,
      waitsFor: `The certificate, which takes up to ${project.issuanceMinutes} minutes.`,
      expectedAt: issuedAt,
      problems: ofRecords,
    };
  const activeAt = Math.max(issuedAt + activation, verifiedAt);
  const isActive = now >= activeAt;
  return {
    state: isActive ? 'active' : 'certificate-issued',
    since: isActive ? activeAt : issuedAt,
    waitsFor: isActive ? undefined : 'The platform to serve the domain with its certificate.',
    expectedAt: isActive ? undefined : activeAt,
    problems: ofRecords,
  };
}

/** What a domain waits for that is not verified. */
function waitOfPending(
  domain: AttachedDomain,
  { zone }: Pick<DomainsState, 'zone'>,
  { project, ttl, now }: Conditions,
): Pick<Progress, 'waitsFor' | 'expectedAt'> {
  const { name, addedAt } = domain;
  const required = requiredRecord(domain, project, ttl);
  if (!isRight(recordsSet(zone, now), required))
    return { waitsFor: `The right records of ${name}.`, expectedAt: undefined };
  const isEnough = (recordsOf: RecordsOf) => isRight(recordsOf, required);
  const isAhead = addedAt > now;
  return {
    waitsFor: isAhead
      ? 'The clock, which was moved back to before the domain was added.'
      : `The records to spread, which takes up to ${project.propagationHours} hours.`,
    expectedAt: whenSeen(zone, name, { now, from: addedAt, isEnough }),
  };
}

/**
 * When the records of a name that everybody sees are enough, at an instant from which on that
 * matters: an earlier change may be enough, too, and be seen before the last one.
 */
function whenSeen(
  zone: DomainsState['zone'],
  name: string,
  {
    now,
    from = now,
    isEnough,
  }: { now: number; from?: number; isEnough: (recordsOf: RecordsOf) => boolean },
): number | undefined {
  const changes = changesFor(zone, name).filter(({ at }) => at <= now);
  return [from, ...changes.map(({ seenAt }) => Math.max(seenAt, from))]
    .filter((at) => at > now)
    .toSorted((left, right) => left - right)
    .find((at) => isEnough(recordsSeen(changes, at)));
}
