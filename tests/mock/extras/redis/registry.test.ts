import { expect, it } from 'vitest';
import type { Connection } from '../../../../mock/extras/redis/connection.ts';
import { toSandboxKeys, toTwinKeys } from '../../../../mock/extras/redis/keys.ts';
import { openRegistry, type Registry } from '../../../../mock/extras/redis/registry.ts';
import { createSharedState } from '../../../../mock/extras/redis/shared-state.ts';
import { startProxy } from '../../../support/holding-proxy.ts';
import { useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';
import { startReplica } from '../../../support/replicas.ts';

const redis = useRedis();
let opened = 0;

/** Does something before the command of a number, from 0. */
function interrupt(connection: Connection, at: number, act: () => Promise<void>): Connection {
  let sent = 0;
  const next = async () => {
    if (sent++ === at) await act();
  };
  return {
    ...connection,
    async run(...args) {
      await next();
      return await connection.run(...args);
    },
    async send(...args) {
      await next();
      return await connection.send(...args);
    },
  };
}

function open(prefix: string, connection: Connection = redis.connection): Registry {
  const keys = toTwinKeys(prefix);
  const log = { info() {} };
  return openRegistry({ connection: { ...connection, prefix }, keys, max: 2, idle: 0, log });
}

async function namesOf(prefix: string): Promise<string[]> {
  const names = (await open(prefix).list()).map(({ name }) => name);
  return names.toSorted();
}

/** Uses a sandbox as a request does that adds an item, in a process of its own. */
async function use(prefix: string, name: string, id: string): Promise<Map<string, string>> {
  const connection = { ...redis.connection, prefix };
  const registry = open(prefix);
  let items = new Map<string, string>();
  const state = createSharedState(
    {
      initialControl: async () => ({ clock: '+0', control: 'new', seeds: 's' }),
      apply: (change) => void items.set(change, change),
      prepareControl: async () => () => {},
      loadItems: (fields) => {
        items = new Map(Object.entries(fields));
      },
      async onCreate() {
        await registry.add(name);
        return async () => {};
      },
      onTime() {},
    },
    { connection, keys: toSandboxKeys(prefix, name), idle: 0 },
  );
  registry.touch(name);
  await state.enter();
  if (id !== '') while ((await state.append(id, [[id, id]])) === 'behind');
  return items;
}

describeWithRedis('the registry of sandboxes', () => {
  it('makes no room with a sandbox that is used at the same time, at whatever moment', async () => {
    let evictedBefore = 0;
    let at = 1;
    for (; ; at++) {
      const prefix = `registry-${++opened}`;
      for (const name of ['a', 'c']) await use(prefix, name, 'early');
      // Of the same millisecond, the first by name makes room.
      redis.server.command('ZINCRBY', toTwinKeys(prefix).used, '-5000', 'a');
      let isUsed = false;
      const connection = interrupt(redis.connection, at, async () => {
        const held = await use(prefix, 'a', 'late');
        isUsed = true;
        if (!held.has('early')) evictedBefore += 1;
      });
      await open(prefix, connection).begin('b', { hasOptions: false });
      const names = await namesOf(prefix);
      if (!isUsed) expect(names).toEqual(['b', 'c']);
      // What is used in the same millisecond may make room in any order.
      else expect([at, names]).toEqual([at, ['a', expect.stringMatching(/^[bc]$/)]]);
      if (isUsed) expect([...(await use(prefix, 'a', '')).keys()]).toContain('late');
      else break;
    }
    // It was used both before and after it made room.
    expect(evictedBefore).toBeGreaterThan(0);
    expect(evictedBefore).toBeLessThan(at - 1);
  });

  it('keeps a sandbox that is made while another process deletes it', async () => {
    for (let at = 0; at < 10; at++) {
      const prefix = `registry-${++opened}`;
      await use(prefix, 'a', 'early');
      const connection = interrupt(redis.connection, at, async () => {
        await use(prefix, 'a', 'late');
      });
      const onRemoved = await open(prefix, connection).beginRemoval('a');
      await connection.send('', 'DEL', ...Object.values(toSandboxKeys(prefix, 'a')));
      await onRemoved();
      const isThere = redis.server.command('EXISTS', toSandboxKeys(prefix, 'a').head) === '1';
      expect([at, await namesOf(prefix)]).toEqual([at, isThere ? ['a'] : []]);
    }
  });

  it('keeps what a sandbox was asked that another process makes at the same time', async () => {
    const proxy = await startProxy(redis.server.port);
    const database = `0?prefix=registry-${++opened}`;
    const store = `redis://127.0.0.1:${redis.server.port}/${database}`;
    const slowStore = `redis://127.0.0.1:${proxy.port}/${database}`;
    const [fast, slow] = [await startReplica({ store }), await startReplica({ store: slowStore })];
    let isOver = false;
    let attempts = 0;
    for (let steps = 0; !isOver; steps++) {
      const sandbox = `s${++attempts}`;
      proxy.isHolding = true;
      const answer = slow.send('GET', '/pets', { sandbox }).finally(() => (isOver = true));
      isOver = false;
      const isReady = async () => isOver || proxy.holds;
      for (let step = 0; step < steps; step++) {
        await expect.poll(isReady, { interval: 1 }).toBe(true);
        proxy.step();
      }
      const hasBegun = !isOver;
      await fast.send('GET', '/pets', { sandbox });
      const total = async () =>
        (await fast.admin('GET', 'requests', undefined, sandbox)).body.meta.total;
      await expect.poll(total).toBeGreaterThan(0);
      proxy.release();
      const { status } = await answer;
      isOver = !hasBegun;
      if (status === 503) {
        // The machine was too busy, and the reply came too late.
        steps -= 1;
        continue;
      }
      await expect.poll(async () => [steps, await total()]).toEqual([steps, 2]);
    }
  });
});
