import { findDomain, findRedirect } from './change-domains.ts';
import type { DomainsState } from './domains-state.ts';
import { toProgress } from './progress.ts';
import { type Circumstances, conditionsOf } from './project.ts';

/** What a host name is for the project of a sandbox. */
export type HostRole =
  | { role: 'published' | 'removed' }
  | { role: 'redirect'; to: string; status: number }
  /** A domain that is not active yet. */
  | { role: 'waiting'; state: string; waitsFor: string };

/** What a host name is for a project, or undefined where it knows nothing of it. */
export function findRole(
  state: DomainsState,
  host: string,
  circumstances: Circumstances,
): HostRole | undefined {
  const domain = findDomain(state, host);
  const progress = domain && toProgress(domain, state, conditionsOf(state, circumstances));
  if (progress?.waitsFor !== undefined)
    return { role: 'waiting', state: progress.state, waitsFor: progress.waitsFor };
  const redirect = findRedirect(state, host);
  if (redirect) return { role: 'redirect', to: redirect.to, status: redirect.status };
  if (domain) return { role: 'published' };
  return state.removed.includes(host) ? { role: 'removed' } : undefined;
}

/** Whether the project of these facts has anything to do with a host name. */
export function knowsHost(state: DomainsState, host: string): boolean {
  return (
    findDomain(state, host) !== undefined ||
    findRedirect(state, host) !== undefined ||
    state.removed.includes(host)
  );
}
