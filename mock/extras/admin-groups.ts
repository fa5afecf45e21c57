import type { AdminGroup, AdminGroups } from '../admin/admin.ts';
import { clockHandlers, settingsHandlers } from '../admin/clock-handlers.ts';
import { createCollectionHandlers } from '../admin/collection-handlers.ts';
import { createDataHandlers, dataTraits } from '../admin/data-handlers.ts';
import { createLimitHandlers } from '../admin/limit-handlers.ts';
import { createOperationHandlers } from '../admin/operation-handlers.ts';
import { createRequestHandlers, requestTraits } from '../admin/request-handlers.ts';
import { createSandboxHandlers, sandboxTraits } from '../admin/sandbox-handlers.ts';
import { createTwinHandlers, twinTraits } from '../admin/twin-handlers.ts';
import type { RoutesOptions } from '../extra.ts';

/** The operations of the admin that are about what every twin has, by their tags. */
export function createAdminGroups(
  description: string,
  { served, host, tools: { sandboxes, storeProblem } }: RoutesOptions,
): AdminGroups {
  const { document, keys } = served;
  const ofTwin = createTwinHandlers({ ...host, storeProblem, description, document });
  const collections = document.resources.map(({ name }) => name);
  const groups: Record<string, AdminGroup> = {
    twin: {
      handlers: { ...ofTwin, ...createOperationHandlers(document) },
      traits: twinTraits,
    },
    data: {
      handlers: { ...createCollectionHandlers(document), ...createDataHandlers(served) },
      traits: dataTraits,
    },
    requests: {
      handlers: createRequestHandlers({ ...host, document, keys }),
      traits: requestTraits,
    },
    sandboxes: {
      handlers: createSandboxHandlers(sandboxes, collections),
      traits: sandboxTraits,
    },
    clock: { handlers: clockHandlers },
    limits: { handlers: createLimitHandlers(keys) },
    settings: { handlers: settingsHandlers },
  };
  return Object.fromEntries(Object.entries(groups).map(([tag, group]) => [tag, async () => group]));
}
