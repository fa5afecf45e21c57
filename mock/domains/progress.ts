import { createRandom } from '../faults/random.ts';
import { findRefusal, type RecordsOf, withParents } from './caa.ts';
import type { AttachedDomain, DomainsState, Project } from './domains-state.ts';
import {
  type DomainProblem,
  judgeRecords,
  type RequiredRecord,
  requiredRecord,
  toCaaProblem,
  toRetryProblem,
} from './judge-records.ts';
import { recordsSeen, recordsSet, spreadAt } from './zone.ts';

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

/** What the progress of a domain follows from. */
export type ProgressOptions = {
  project: Project;
  /** The TTL that the record needs, in seconds. */
  ttl: number;
  seed: number;
  now: number;
};

const minute = 60_000;

/** How long the platform takes to serve a domain once its certificate is there, in milliseconds. */
const activation = minute;

/** Where a domain stands, from the facts about it alone. */
export function toProgress(
  domain: AttachedDomain,
  { zone }: Pick<DomainsState, 'zone'>,
  options: ProgressOptions,
): Progress {
  const { project, ttl, now } = options;
  const { name } = domain;
  const { authority, propagationHours } = project;
  const spreading = { propagationHours, seed: options.seed };
  const required = requiredRecord(domain, project, ttl);
  const seenAt =
    (instant: number): RecordsOf =>
    (owner) =>
      recordsSeen(zone, owner, { ...spreading, now: instant });
  const setNow: RecordsOf = (owner) => recordsSet(zone, owner, now);
  const owners = new Set(withParents(name));
  const spreads = zone
    .filter((change) => owners.has(change.name) && change.at <= now)
    .map((change) => spreadAt(change, spreading));

  const { verifiedAt, issuedAt, brokenAt } = walk(domain, required, {
    instants: spreads,
    seenAt,
    authority,
    issuance: issuanceOf(domain, options),
    now,
  });
  const last = zone.findLast((change) => change.name === name && change.at <= now);
  const ofRecords = judgeRecords(setNow(name), required);
  const refusal = findRefusal(name, authority, setNow);
  const caaProblem = refusal && toCaaProblem(name, authority, refusal);
  const isRight = !ofRecords.some(({ blocks }) => blocks);

  if (verifiedAt === undefined)
    return {
      state: 'pending',
      since: brokenAt,
      waitsFor: isRight
        ? `The records to spread, which takes up to ${propagationHours} hours.`
        : `The right records of ${name}.`,
      expectedAt: isRight && last ? spreadAt(last, spreading) : undefined,
      problems: [...ofRecords, ...(caaProblem ? [caaProblem] : [])],
    };
  if (issuedAt === undefined) {
    const isRefused = findRefusal(name, authority, seenAt(now)) !== undefined;
    const problem = caaProblem ?? (isRefused ? undefined : toRetryProblem(name));
    return {
      state: 'verified',
      since: verifiedAt,
      waitsFor: problem
        ? 'The certificate, which the CAA records blocked.'
        : `The CAA records to spread, which takes up to ${propagationHours} hours. Then verify again.`,
      expectedAt: undefined,
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

type Walk = {
  /** When records that matter have spread, in any order. */
  instants: readonly number[];
  seenAt: (instant: number) => RecordsOf;
  authority: string;
  /** How long a certificate takes, in milliseconds. */
  issuance: number;
  now: number;
};

type Walked = {
  /** Since when the records are right. */
  verifiedAt: number | undefined;
  /** When the certificate is there; undefined where CAA records refused it. */
  issuedAt: number | undefined;
  /** Since when the records are not right, unless they are. */
  brokenAt: number;
};

/** Goes through what happened to a domain up to now. */
function walk(
  { name, addedAt, retriedAt }: AttachedDomain,
  required: RequiredRecord,
  { instants, seenAt, authority, issuance, now }: Walk,
): Walked {
  const walked: Walked = { verifiedAt: undefined, issuedAt: undefined, brokenAt: addedAt };
  const past = [addedAt, ...instants, ...retriedAt].filter((at) => at >= addedAt && at <= now);
  for (const at of new Set(past.toSorted((left, right) => left - right))) {
    const isRight = !judgeRecords(seenAt(at)(name), required).some(({ blocks }) => blocks);
    if (!isRight) {
      if (walked.verifiedAt !== undefined) walked.brokenAt = at;
      walked.verifiedAt = undefined;
      if (walked.issuedAt !== undefined && walked.issuedAt > at) walked.issuedAt = undefined;
      continue;
    }
    const isAsked = walked.verifiedAt === undefined || retriedAt.includes(at);
    walked.verifiedAt ??= at;
    if (isAsked && !findRefusal(name, authority, seenAt(at))) walked.issuedAt ??= at + issuance;
  }
  return walked;
}

/** How long the certificate of a domain takes: the same for the same seed, in milliseconds. */
function issuanceOf(
  { name }: AttachedDomain,
  { project, seed }: Pick<ProgressOptions, 'project' | 'seed'>,
): number {
  const drawn = createRandom(`${seed}: certificate of ${name}`)();
  return Math.ceil((drawn * project.issuanceMinutes * minute) / 1000) * 1000;
}
