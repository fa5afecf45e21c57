import type { DomainRules } from '../../contracts/description/domains.ts';
import type { DomainsState, Project } from './domains-state.ts';
import { type Conditions, issuanceOf, toReached, withReached } from './reached.ts';
import { respread } from './zone.ts';

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
