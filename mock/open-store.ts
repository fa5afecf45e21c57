import { type Backend, type BackendOptions, StoreError } from './sandboxes/backend.ts';
import { createMemoryBackend } from './sandboxes/open-sandboxes.ts';
import { openMemoryStore } from './state/store-of-tables.ts';

type OpenBackend = (address: string, options: BackendOptions) => Promise<Backend>;

/** The stores by their schemes; what is not used is not loaded. */
const backends: Readonly<Record<string, OpenBackend>> = {
  memory: async () => createMemoryBackend(openMemoryStore),
  sqlite: async (address, options) => {
    const { openSqliteBackend } = await import('./extras/sqlite/open-sqlite-backend.ts');
    return openSqliteBackend(address, options);
  },
  redis: openRedis,
  rediss: openRedis,
};

async function openRedis(address: string, options: BackendOptions): Promise<Backend> {
  const { openRedisBackend } = await import('./extras/redis/open-redis-backend.ts');
  return openRedisBackend(address, options);
}

/** Opens the store that an address names by its scheme. Throws StoreError. */
export async function openStore(address: string, options: BackendOptions): Promise<Backend> {
  const [scheme = ''] = address.split(':', 1);
  const open = backends[scheme];
  if (!open) throw new StoreError(`There is no store ${scheme}.`);
  return open(address, options);
}
