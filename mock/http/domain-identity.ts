import type { Authority } from '../domains/authority.ts';
import { type FindHostRoleOptions, findHostRole, isServing } from './find-host-role.ts';
import type { FindIdentity } from './server.ts';

export type DomainIdentityOptions = FindHostRoleOptions & { authority: Authority };

/** Finds what to show with TLS for a domain of a project that is active, or that redirects. */
export function createFindIdentity({ authority, ...options }: DomainIdentityOptions): FindIdentity {
  return async (given) => {
    const name = given.toLowerCase();
    if (name === 'localhost' || name.endsWith('.localhost')) return undefined;
    const found = await findHostRole(name, options);
    return found && isServing(found)
      ? await authority.issue(name, found.sandbox.clock.now())
      : undefined;
  };
}
