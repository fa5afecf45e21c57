import type { RoutesOptions } from '../extra.ts';
import type { AdminGroups, AdminHandlers } from './admin/admin.ts';
import { clockHandlers, settingsHandlers } from './admin/clock-handlers.ts';
import { createCollectionHandlers } from './admin/collection-handlers.ts';
import { createDataHandlers } from './admin/data-handlers.ts';
import { createLimitHandlers } from './admin/limit-handlers.ts';
import { createRequestHandlers } from './admin/request-handlers.ts';
import { createSandboxHandlers } from './admin/sandbox-handlers.ts';
import { createOperationHandlers, createTwinHandlers } from './admin/twin-handlers.ts';

/** The operations of the admin that are about what every twin has, by their tags. */
export function createAdminGroups(
  description: string,
  { served, host, tools: { sandboxes, storeProblem } }: RoutesOptions,
): AdminGroups {
  const { document, keys } = served;
  const ofTwin = createTwinHandlers({ ...host, storeProblem, description, document });
  const collections = document.resources.map(({ name }) => name);
  const groups: Record<string, AdminHandlers> = {
    twin: { ...ofTwin, ...createOperationHandlers(document) },
    data: { ...createCollectionHandlers(document), ...createDataHandlers(served) },
    requests: createRequestHandlers({ ...host, document, keys }),
    sandboxes: createSandboxHandlers(sandboxes, collections),
    clock: clockHandlers,
    limits: createLimitHandlers(keys),
    settings: settingsHandlers,
  };
  return Object.fromEntries(Object.entries(groups).map(([tag, group]) => [tag, async () => group]));
}
