import { join } from 'node:path';
import { describe } from 'vitest';
import { describeWithRedis, startRedis } from './redis-server.ts';
import { isWhole } from './sample.ts';
import { makeFolder } from './watching.ts';

/**
 * Tests behaviours in memory, and in `npm run test:all` with each other store, of which the suites
 * of tests/mock/state say that it does the same.
 */
export function describeStores(test: (openStore: () => Promise<string>) => void): void {
  describe('in memory', () => test(async () => 'memory:'));
  if (!isWhole) return;
  describe('in a file', () => test(async () => `sqlite:${join(await makeFolder(), 'twin.db')}`));
  describeWithRedis('on Redis', () => test(async () => (await startRedis()).url));
}
