import type { AttachedDomain, DomainsState, Project } from '../../domains/domains-state.ts';
import { createRandom } from '../../faults/random.ts';
import {
  type DomainProblem,
  findRefusal,
  isRight,
  judgeRecords,
  requiredRecord,
  toCaaProblem,
  toRetryProblem,
} from './judge-records.ts';
import { type Circumstances, projectOf } from './project.ts';
import { changesFor, type RecordsOf, recordsSeen, recordsSet } from './zone.ts';

/** The states of a domain, in their order. */
export const domainStates = ['pending', 'verified', 'certificate-issued', 'active'] as const;

export type DomainState = (typeof domainStates)[number];

/** The progress of a domain; instants in Unix milliseconds, by the clock of the sandbox. */
export type Progress = {
  state: DomainState;
  since: number;
  /** The condition for the next state, as a sentence; undefined once the domain is active. */
  waitsFor: string | undefined;
  /** When that happens if nothing is changed; undefined where something has to be done first. */
  expectedAt: number | undefined;
  problems: readonly DomainProblem[];
};

const minute = 60_000;

/** How long the platform takes to serve a domain once its certificate is there. */
const activation = minute;

/** Returns the progress of a domain, from the facts alone. */
export function toProgress(
  domain: AttachedDomain,
  state: Pick<DomainsState, 'project' | 'zone'>,
  circumstances: Circumstances,
): Progress {
  const { rules, now } = circumstances;
  const { name } = domain;
  const project = projectOf(state, rules);
  const zone = changesFor(state.zone, name).filter(({ at }) => at <= now);
  const { verifiedAt, issuedAt, brokenAt } = findMilestones(domain, state, circumstances);
  const required = requiredRecord(domain, project, rules.ttlSeconds);
  const setNow = recordsSet(zone, now);
  const ofRecords = judgeRecords(setNow, required);
  const caaProblem = (recordsOf: RecordsOf) => {
    const refusal = findRefusal(name, project.authority, recordsOf);
    return refusal && toCaaProblem(name, project.authority, refusal);
  };
  if (verifiedAt === undefined) {
    const isRightNow = ofRecords.every(({ blocks }) => !blocks);
    const expectedAt = [domain.addedAt, ...zone.map(({ seenAt }) => seenAt)]
      .filter((at) => at > now)
      .toSorted((left, right) => left - right)
      .find((at) => isRight(recordsSeen(zone, at), required));
    return {
      state: 'pending',
      since: brokenAt,
      waitsFor: isRightNow
        ? `The records to spread, which takes up to ${project.propagationHours} hours.`
        : `The right records of ${name}.`,
      expectedAt: isRightNow ? expectedAt : undefined,
      problems: [...ofRecords, ...[caaProblem(setNow) ?? []].flat()],
    };
  }
  if (issuedAt === undefined)
    return {
      state: 'verified',
      since: verifiedAt,
      waitsFor: 'The certificate, which the CAA records blocked.',
      expectedAt: undefined,
      problems: [...ofRecords, caaProblem(recordsSeen(zone, now)) ?? toRetryProblem(name)],
    };
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

/** How far a domain has come. */
type Milestones = {
  /** Since when its records are right; undefined where they are not. */
  verifiedAt: number | undefined;
  /** When the certificate is there; undefined where CAA records refused it. */
  issuedAt: number | undefined;
  /** Since when its records were last not right. */
  brokenAt: number;
};

/** Goes through what has happened to the records of a domain since it was added. */
function findMilestones(
  domain: AttachedDomain,
  state: Pick<DomainsState, 'project' | 'zone'>,
  { rules, seed, now }: Circumstances,
): Milestones {
  const { name, addedAt, askedAt = addedAt } = domain;
  const project = projectOf(state, rules);
  const required = requiredRecord(domain, project, rules.ttlSeconds);
  const zone = changesFor(state.zone, name).filter(({ at }) => at <= now);
  const issuance = issuanceOf(name, project, seed);
  const reached: Milestones = { verifiedAt: undefined, issuedAt: undefined, brokenAt: addedAt };
  const instants = [addedAt, askedAt, ...zone.map(({ seenAt }) => Math.max(seenAt, addedAt))];
  const past = instants.filter((at) => at <= now).toSorted((left, right) => left - right);
  for (const at of new Set(past)) {
    const recordsOf: RecordsOf = recordsSeen(zone, at);
    if (!isRight(recordsOf, required)) {
      if (reached.verifiedAt !== undefined) reached.brokenAt = at;
      reached.verifiedAt = undefined;
      // A certificate that was issued stays.
      if (reached.issuedAt !== undefined && reached.issuedAt > at) reached.issuedAt = undefined;
      continue;
    }
    const isAsked = reached.verifiedAt === undefined || at === askedAt;
    reached.verifiedAt ??= at;
    if (isAsked && !findRefusal(name, project.authority, recordsOf))
      reached.issuedAt ??= at + issuance;
  }
  return reached;
}

/** How long the certificate of a domain takes: the same for the same seed, in milliseconds. */
function issuanceOf(name: string, { issuanceMinutes }: Project, seed: number): number {
  const drawn = createRandom(`${seed}: certificate of ${name}`)();
  return Math.ceil((drawn * issuanceMinutes * minute) / 1000) * 1000;
}
