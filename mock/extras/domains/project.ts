import type { ApiDocument } from '../../../contracts/description/document.ts';
import {
  type DomainRules,
  loadDomainRules,
  toDomainRules,
} from '../../../contracts/description/domains.ts';
import type {
  AttachedDomain,
  DomainsState,
  Project,
  Reached,
} from '../../domains/domains-state.ts';
import { createRandom } from '../../faults/random.ts';
import { findRefusal, isRight, requiredRecord } from './judge-records.ts';
import { changesFor, recordsSeen, respread } from './zone.ts';

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

/** What is known besides the facts: what the interface states, the seed and the clock. */
export type Circumstances = { rules: DomainRules; seed: number; now: number };

/** The project of a sandbox, and what it begins with where nothing was set. */
export function projectOf({ project }: Pick<DomainsState, 'project'>, rules: DomainRules): Project {
  return {
    plan: 'free',
    deploy: 'none',
    target: 'domains.petstore.example',
    authority: 'ca.petstore.example',
    propagationHours: rules.propagationHours,
    issuanceMinutes: 5,
    ...project,
  };
}

/** What decides how far the domains of a project have come. */
export function conditionsOf(
  state: Pick<DomainsState, 'project'>,
  { rules, seed, now }: Circumstances,
): Conditions {
  return { project: projectOf(state, rules), ttl: rules.ttlSeconds, seed, now };
}

/**
 * Changes the project. States that were reached stay: what still spreads or is being issued goes on
 * in the time that holds from now on.
 */
export function changeProject(
  state: DomainsState,
  change: Partial<Project>,
  circumstances: Circumstances,
): DomainsState & Required<Pick<DomainsState, 'project'>> {
  const before = conditionsOf(state, circumstances);
  const project = { ...before.project, ...change };
  const { now } = circumstances;
  const hours = { from: before.project.propagationHours, to: project.propagationHours };
  const spread = respread(state, { ...hours, now });
  const domains = state.domains.map((domain) => {
    const reached = toReached(domain, spread, before);
    const { issuedAt } = reached;
    if (issuedAt === undefined || issuedAt <= now) return withReached(domain, reached);
    const askedAt = issuedAt - issuanceOf(domain, before);
    const next = askedAt + issuanceOf(domain, { ...before, project });
    return withReached(domain, { ...reached, issuedAt: Math.max(now, next) });
  });
  return { ...spread, project, domains };
}

/** Reads what the interface states of custom domains. */
export type ReadDomainRules = () => Promise<DomainRules>;

/**
 * Reads the rules at first need: those of the document that is served, or of the built-in one where
 * it has none.
 */
export function createReadDomainRules(document: Pick<ApiDocument, 'raw'>): ReadDomainRules {
  let rules: Promise<DomainRules> | undefined;
  return () =>
    (rules ??=
      document.raw['x-domains'] === undefined
        ? loadDomainRules()
        : Promise.resolve(toDomainRules(document)));
}
