/** What extras load with the first call of the admin, the first page, or the first token. */
export { mountAdmin } from '../admin/admin.ts';
export { readAdminDescription } from '../admin/description.ts';
export { createDomainHandlers } from '../admin/domain-handlers.ts';
export { createFaultHandlers } from '../admin/fault-handlers.ts';
export { createParseSnapshot } from '../admin/parse-snapshot.ts';
export { createSnapshotHandlers } from '../admin/snapshot-handlers.ts';
export { toConsolePage } from '../console/console-page.ts';
export { createAuthority } from '../domains/authority.ts';
export { mountOAuth } from '../oauth/mount-oauth.ts';
export { createToDevicePage } from '../pages/device-page.ts';
export { createFindIdentity } from '../pages/find-host-role.ts';
export { mountPages } from '../pages/mount-pages.ts';
export { createServeDomain } from '../pages/serve-domain.ts';
export { createAdminGroups } from './admin-groups.ts';
