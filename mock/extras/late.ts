/** What extras load with the first call of the admin, the first page, or the first token. */

export { createAuthority } from '../domains/authority.ts';
export { mountAdmin, readAdminDescription } from './admin/admin.ts';
export { createAdminGroups } from './admin-groups.ts';
export { toConsolePage } from './console/console-page.ts';
export { createDomainHandlers } from './domains/domain-handlers.ts';
export { createFindIdentity } from './domains/find-host-role.ts';
export { createReadDomainRules } from './domains/project.ts';
export { createServeDomain } from './domains/serve-domain.ts';
export { createFaultHandlers } from './forced/fault-handlers.ts';
export { mountOAuth } from './oauth/mount-oauth.ts';
export { mountPages } from './pages/mount-pages.ts';
export { createTokens } from './schemes/tokens.ts';
export { createParseSnapshot } from './snapshots/parse-snapshot.ts';
export { createSnapshotHandlers } from './snapshots/snapshot-handlers.ts';
