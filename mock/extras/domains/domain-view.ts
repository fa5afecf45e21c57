import { toIso } from '../../../common/instant.ts';
import type { AttachedDomain, DomainsState } from '../../domains/domains-state.ts';
import { findDomain, findRedirect } from './change-domains.ts';
import { type RequiredRecord, requiredRecord } from './judge-records.ts';
import { type Progress, toProgress } from './progress.ts';
import { type Circumstances, projectOf } from './project.ts';

/** A domain of the project as the admin shows it; instants as ISO 8601. */
export type DomainView = {
  domain: string;
  kind: AttachedDomain['kind'];
  addedAt: string;
  state: Progress['state'];
  since: string;
  /** The condition for the next state; null once the domain is active. */
  waitsFor: string | null;
  /** When that happens if nothing is changed; null where something has to be done first. */
  expectedAt: string | null;
  /** The record to set. */
  record: RequiredRecord;
  problems: Progress['problems'];
};

/** Shows a domain. */
export function toDomainView(
  domain: AttachedDomain,
  state: DomainsState,
  circumstances: Circumstances,
): DomainView {
  const { rules } = circumstances;
  const progress = toProgress(domain, state, circumstances);
  return {
    domain: domain.name,
    kind: domain.kind,
    addedAt: toIso(domain.addedAt),
    state: progress.state,
    since: toIso(progress.since),
    waitsFor: progress.waitsFor ?? null,
    expectedAt: progress.expectedAt === undefined ? null : toIso(progress.expectedAt),
    record: requiredRecord(domain, projectOf(state, rules), rules.ttlSeconds),
    problems: progress.problems,
  };
}

/** The role of a host name for the project of a sandbox. */
export type HostRole =
  | { role: 'served' | 'removed' }
  | { role: 'redirected'; to: string; status: number }
  /** A domain that is not active yet. */
  | { role: 'waiting'; state: string; waitsFor: string };

/**
 * Returns the role of a host name for a project, or undefined if the project does not know the
 * name.
 */
export function findRole(
  state: DomainsState,
  host: string,
  circumstances: Circumstances,
): HostRole | undefined {
  const domain = findDomain(state, host);
  const progress = domain && toProgress(domain, state, circumstances);
  if (progress?.waitsFor !== undefined)
    return { role: 'waiting', state: progress.state, waitsFor: progress.waitsFor };
  const redirect = findRedirect(state, host);
  if (redirect) return { role: 'redirected', to: redirect.to, status: redirect.status };
  if (domain) return { role: 'served' };
  return state.removed.includes(host) ? { role: 'removed' } : undefined;
}
