import { bearer, type TestTwin } from './twin.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test expects of JSON is its type.
export type AdminAnswer = { status: number; text: string; json: any };

type CallOptions = { method?: string; body?: unknown; key?: string };

/**
 * Calls a twin, and a few of its routes by name; `prefix` is `/sandboxes/NAME`, or nothing for the
 * default sandbox.
 */
export function createSnapshotClient({ origin: defaultOrigin }: Pick<TestTwin, 'origin'>) {
  const call = async (
    path: string,
    { method = 'GET', body, key = 'demo-pro' }: CallOptions = {},
    origin = defaultOrigin,
  ): Promise<AdminAnswer> => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...bearer(key),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
  };
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
