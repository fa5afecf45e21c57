import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { moverOf } from '../sandboxes/move-clock.ts';
import type { AdminGroups, AdminHandlers } from './admin/admin.ts';
import { createClockHandlers, settingsHandlers } from './admin/clock-handlers.ts';
import { createCollectionHandlers } from './admin/collection-handlers.ts';
import { createDataHandlers } from './admin/data-handlers.ts';
import { createLimitHandlers } from './admin/limit-handlers.ts';
import { createRequestHandlers } from './admin/request-handlers.ts';
import { createSandboxHandlers } from './admin/sandbox-handlers.ts';
import { createOperationHandlers, createTwinHandlers } from './admin/twin-handlers.ts';

/**
 * Modules that extras load with the first call of the admin, or the first page.
 */

export { createAuthority } from '../domains/authority.ts';
export { mountAdmin, readAdminDescription } from './admin/admin.ts';
export { toConsolePage } from './console/console-page.ts';
export { createDomainHandlers } from './domains/domain-handlers.ts';
export { createFindIdentity } from './domains/find-host-role.ts';
export { createReadDomainRules } from './domains/project.ts';
export { createServeDomain } from './domains/serve-domain.ts';
export { createFaultHandlers } from './forced/fault-handlers.ts';
export { createMetricsHandlers } from './metrics/metrics-handlers.ts';
export { mountPages } from './pages/mount-pages.ts';
export { createParseSnapshot } from './snapshots/parse-snapshot.ts';
export { createSnapshotHandlers } from './snapshots/snapshot-handlers.ts';
export { createTaskHandlers } from './tasks/task-handlers.ts';
export { createWebhookHandlers } from './webhooks/webhook-handlers.ts';

/** The operations of the admin that are about what every twin has, by their tags. */
export function createAdminGroups(
  description: string,
  { served, host, tools: { sandboxes, storeProblem } }: RoutesOptions,
  extras: readonly ExtraParts[],
): AdminGroups {
  const { document, keys } = served;
  const ofTwin = createTwinHandlers({ ...host, storeProblem, description, document });
  const collections = document.resources.map(({ name }) => name);
  const groups: Record<string, AdminHandlers> = {
    twin: { ...ofTwin, ...createOperationHandlers(document) },
    data: { ...createCollectionHandlers(document), ...createDataHandlers(served) },
    requests: createRequestHandlers({ ...host, document, keys }),
    sandboxes: createSandboxHandlers(sandboxes, collections),
    clock: createClockHandlers(moverOf(extras)),
    limits: createLimitHandlers(keys),
    settings: settingsHandlers,
  };
  return Object.fromEntries(Object.entries(groups).map(([tag, group]) => [tag, async () => group]));
}
