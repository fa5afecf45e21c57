import type { AdminGroups } from './admin/admin.ts';
import type { RoutesOptions } from './extra.ts';

/** The operations of the admin that are about what every twin has, each group loaded when it is needed. */
export function createAdminGroups(
  description: string,
  { served, host, tools: { sandboxes, storeProblem } }: RoutesOptions,
): AdminGroups {
  const { document, keys } = served;
  return {
    async twin() {
      const { createTwinHandlers, twinTraits } = await import('./admin/twin-handlers.ts');
      const { createOperationHandlers } = await import('./admin/operation-handlers.ts');
      const ofTwin = createTwinHandlers({ ...host, storeProblem, description, document });
      return { handlers: { ...ofTwin, ...createOperationHandlers(document) }, traits: twinTraits };
    },
    async data() {
      const { createCollectionHandlers } = await import('./admin/collection-handlers.ts');
      const { createDataHandlers, dataTraits } = await import('./admin/data-handlers.ts');
      const ofCollections = createCollectionHandlers(document);
      return { handlers: { ...ofCollections, ...createDataHandlers(served) }, traits: dataTraits };
    },
    async requests() {
      const { createRequestHandlers, requestTraits } = await import('./admin/request-handlers.ts');
      const handlers = createRequestHandlers({ ...host, document, keys });
      return { handlers, traits: requestTraits };
    },
    async sandboxes() {
      const { createSandboxHandlers, sandboxTraits } = await import('./admin/sandbox-handlers.ts');
      const collections = document.resources.map(({ name }) => name);
      return { handlers: createSandboxHandlers(sandboxes, collections), traits: sandboxTraits };
    },
    clock: async () => ({ handlers: (await import('./admin/clock-handlers.ts')).clockHandlers }),
    async limits() {
      const { createLimitHandlers } = await import('./admin/limit-handlers.ts');
      return { handlers: createLimitHandlers(keys) };
    },
    settings: async () => ({
      handlers: (await import('./admin/settings-handlers.ts')).settingsHandlers,
    }),
  };
}
