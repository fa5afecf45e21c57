import type { Authority } from '../../domains/authority.ts';
import type { FindIdentity } from '../../http/server.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { findRole, type HostRole } from './domain-view.ts';
import type { ReadDomainRules } from './project.ts';

export type FindHostRoleOptions = {
  sandboxes: Pick<Sandboxes, 'defaultSandbox' | 'findStored' | 'list' | 'listStored'>;
  readRules: ReadDomainRules;
};

/** A sandbox whose project knows a host name, and what the name is there. */
export type FoundHost = { sandbox: Sandbox; role: HostRole };

/**
 * Finds the role of a host name in one sandbox or in all. A sandbox that serves it comes first,
 * then the default sandbox. Changes of other processes count at once.
 */
export async function findHostRole(
  host: string,
  { sandboxes, readRules }: FindHostRoleOptions,
  name?: string,
): Promise<FoundHost | undefined> {
  const findIn = async (sandbox: Sandbox): Promise<FoundHost[]> => {
    const { domains, settings, clock } = sandbox;
    const rules = await readRules();
    const { seed } = settings;
    const role = findRole(domains.state(), host, { rules, seed, now: clock.now() });
    return role ? [{ sandbox, role }] : [];
  };
  if (name !== undefined) {
    const named = await sandboxes.findStored(name);
    return named && (await findIn(named.sandbox))[0];
  }
  const { defaultSandbox } = sandboxes;
  await defaultSandbox.refresh?.();
  const [own] = await findIn(defaultSandbox);
  if (own && isServing(own)) return own;
  const all = await sandboxes.listStored().catch(() => sandboxes.list());
  const found = (await Promise.all(all.map(({ sandbox }) => findIn(sandbox)))).flat();
  return found.find(isServing) ?? found[0];
}

/** Whether the host name serves its visitors. */
function isServing({ role: { role } }: FoundHost): boolean {
  return role === 'served' || role === 'redirected';
}

type DomainIdentityOptions = FindHostRoleOptions & { authority: Authority };

/** Finds the TLS identity for an active domain of a project, or one that redirects. */
export function createFindIdentity({ authority, ...options }: DomainIdentityOptions): FindIdentity {
  return async (given) => {
    const name = given.toLowerCase();
    if (name === 'localhost' || name.endsWith('.localhost')) return undefined;
    const found = await findHostRole(name, options);
    return found && isServing(found) ? await authority.issue(name) : undefined;
  };
}
