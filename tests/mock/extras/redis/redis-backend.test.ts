import { afterAll, beforeAll } from 'vitest';
import { openRedisBackend } from '../../../../mock/extras/redis/open-redis-backend.ts';
import { describeWithRedis, openRedis, type RedisServer } from '../../../support/redis-server.ts';
import { testJournal } from '../../journal/journal-conformance.ts';
import { testBackend } from '../../sandboxes/backend-conformance.ts';
import { testEviction } from '../../sandboxes/eviction-conformance.ts';
import { testTasks } from '../tasks/tasks-conformance.ts';

let server: RedisServer;
let stores = 0;

const createStore = async () => {
  const url = `${server.url}?prefix=store-${++stores}`;
  return {
    open: (options: Parameters<typeof openRedisBackend>[1]) => openRedisBackend(url, options),
    remove: async () => {},
  };
};

describeWithRedis('Redis', () => {
  beforeAll(async () => {
    server = await openRedis();
  });
  afterAll(() => server?.close());

  testBackend('Redis', createStore, { survives: true, processes: 3, runs: 40 });
  testEviction('Redis', createStore, { survives: true, processes: 2, runs: 20 });
  testJournal('Redis', createStore, { processes: 3, runs: 20 });
  testTasks('Redis', createStore, { survives: true, processes: 3 });
});
