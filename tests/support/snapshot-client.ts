import { createSend } from './create-send.ts';
import { bearer, type TestTwin } from './twin.ts';

type CallOptions = { method?: string; body?: unknown; key?: string };

/**
 * Calls a twin, and a few of its routes by name; `prefix` is `/sandboxes/NAME`, or nothing for the
 * default sandbox.
 */
export function createSnapshotClient({ origin: defaultOrigin }: Pick<TestTwin, 'origin'>) {
  const call = (
    path: string,
    { method = 'GET', body, key = 'demo-pro' }: CallOptions = {},
    origin = defaultOrigin,
  ) => createSend(origin, bearer(key))(method, path, body);
  return {
    call,
    save: (name: string, prefix = '') =>
      call(`${prefix}/__admin/snapshots/${name}`, { method: 'PUT' }),
    restore: (name: string, prefix = '') =>
      call(`${prefix}/__admin/snapshots/${name}/restore`, { method: 'POST' }),
    exported: async (name: string, prefix = '') =>
      (await call(`${prefix}/__admin/snapshots/${name}`)).text,
    imports: (name: string, body: unknown, prefix = '') =>
      call(`${prefix}/__admin/snapshots/${name}`, { method: 'PUT', body }),
    create: (name: string, prefix = '') =>
      call(`${prefix}/v1/pets`, { method: 'POST', body: { name, categoryId: 1 } }),
    clock: (body: unknown, prefix = '') => call(`${prefix}/__admin/clock`, { method: 'PUT', body }),
  };
}
