import { noContent, toJsonAnswer } from '../../answers/answer.ts';
import { isName, nameProblem } from '../../sandboxes/name.ts';
import {
  type AllSandboxOptions,
  type SandboxOptions,
  toSandboxOptions,
} from '../../sandboxes/sandbox-options.ts';
import type { SandboxEntry, Sandboxes } from '../../sandboxes/sandboxes.ts';
import type { AdminHandlers } from './admin.ts';
import { refuse, refuseUnknown } from './refusal.ts';

/**
 * A sandbox as it is shown: how many items each collection holds, how many snapshots there are,
 * instants as ISO 8601.
 */
export type SandboxView = {
  name: string;
  settings: AllSandboxOptions;
  items: Record<string, number>;
  snapshots: number;
  createdAt: string;
  lastUsedAt: string;
};

/**
 * List, make and delete sandboxes; `collections` are the names of those that the document
 * describes.
 */
export function createSandboxHandlers(
  sandboxes: Sandboxes,
  collections: readonly string[],
): AdminHandlers {
  const toView = async ({ sandbox, createdAt, lastUsedAt }: SandboxEntry): Promise<SandboxView> => {
    const { name, settings, store, snapshots } = sandbox;
    const counts = collections.map(
      async (collection) => [collection, await store.count(collection)] as const,
    );
    return {
      name,
      settings: toSandboxOptions(settings),
      items: Object.fromEntries(await Promise.all(counts)),
      snapshots: (await snapshots.list()).length,
      createdAt: new Date(createdAt).toISOString(),
      lastUsedAt: new Date(lastUsedAt).toISOString(),
    };
  };
  return {
    listSandboxes: async () =>
      toJsonAnswer({ sandboxes: await Promise.all((await sandboxes.listStored()).map(toView)) }),
    getSandbox: async ({ params: { name = '' } }) => {
      const entry = (await sandboxes.findStored(name)) ?? notFound(name);
      return toJsonAnswer(await toView(entry));
    },
    putSandbox: async ({ params: { name = '' }, body }) => {
      if (!isName(name)) refuse('invalid_sandbox', nameProblem('sandbox', name));
      const { entry, isNew } = await sandboxes.put(name, (body ?? {}) as SandboxOptions);
      return toJsonAnswer(await toView(entry), isNew ? 201 : 200);
    },
    deleteSandbox: async ({ params: { name = '' } }) => {
      if (name === sandboxes.defaultSandbox.name)
        refuse(
          'default_sandbox',
          'The default sandbox cannot be deleted. Reset it with POST /__admin/reset.',
        );
      return (await sandboxes.delete(name)) ? noContent : notFound(name);
    },
    deleteSandboxes: async () => {
      await sandboxes.deleteAll();
      return noContent;
    },
  };
}

function notFound(name: string): never {
  return refuseUnknown('sandbox', name, 'GET /__admin/sandboxes lists those that exist.');
}
