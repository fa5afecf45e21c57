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
 * Finds what a host name is in the sandbox of a name, or in any: one that serves it now comes first,
 * and the default one before others. What other processes changed counts at once.
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

/** Whether visitors of the name get what it is for. */
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
