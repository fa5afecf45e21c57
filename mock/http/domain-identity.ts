import type { Authority } from '../domains/authority.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { findRole, knowsHost } from '../domains/host-role.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { FindIdentity } from './server.ts';

export type DomainIdentityOptions = {
  sandboxes: Pick<Sandboxes, 'defaultSandbox' | 'list'>;
  readRules: ReadDomainRules;
  authority: Authority;
};

/** Finds what to show with TLS for a domain of a project that is active, or that redirects. */
export function createFindIdentity({
  sandboxes,
  readRules,
  authority,
}: DomainIdentityOptions): FindIdentity {
  return async (given) => {
    const name = given.toLowerCase();
    if (name === 'localhost' || name.endsWith('.localhost')) return undefined;
    await sandboxes.defaultSandbox.refresh?.();
    for (const { sandbox } of sandboxes.list()) {
      const state = sandbox.domains.state();
      if (!knowsHost(state, name)) continue;
      const role = findRole(state, name, {
        rules: await readRules(),
        seed: sandbox.settings.seed,
        now: sandbox.clock.now(),
      });
      if (role?.role === 'published' || role?.role === 'redirect')
        return await authority.issue(name);
    }
    return undefined;
  };
}
