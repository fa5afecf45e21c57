import { expect, it } from 'vitest';
import { createClock } from '../../../../mock/clock.ts';
import { createDomains } from '../../../../mock/domains/domains-state.ts';
import { toTwinKeys } from '../../../../mock/extras/redis/keys.ts';
import { commitScript } from '../../../../mock/extras/redis/scripts.ts';
import { markJournal, shareJournal } from '../../../../mock/extras/redis/shared-journal.ts';
import {
  openSharedSandbox,
  type SharedSandboxOptions,
} from '../../../../mock/extras/redis/shared-sandbox.ts';
import { createFaultRules } from '../../../../mock/faults/fault-rules.ts';
import { createLatency } from '../../../../mock/faults/latency.ts';
import { Exchange } from '../../../../mock/journal/exchange.ts';
import { createJournals } from '../../../../mock/journal/journals.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { createLimiter } from '../../../../mock/limits/limiter.ts';
import { initialControl } from '../../../../mock/sandboxes/control-state.ts';
import type { InitialState } from '../../../../mock/sandboxes/sandbox-state.ts';
import { createSnapshots } from '../../../../mock/sandboxes/sandbox-state.ts';
import { createMemoryStores } from '../../../../mock/state/memory-store.ts';
import type { Admit, Collections, Store } from '../../../../mock/state/store.ts';
import { useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';
import { plainSettings } from '../../sandboxes/plain-settings.ts';
import { comparedAtClose, withoutUnnamed } from '../../state/compared-at-close.ts';
import { testStores } from '../../state/store-conformance.ts';

const redis = useRedis();
let sandboxes = 0;
const memory = createMemoryStores();

/** The sandbox of a name, as a process sees it that begins with these items. */
function openSandbox(
  name: string,
  seeds: Collections,
  admit?: Admit,
  more: Partial<SharedSandboxOptions> = {},
) {
  let initial: InitialState = { options: {}, settings: plainSettings, seeds };
  const clock = createClock();
  const seed = () => plainSettings.seed;
  const { policy, rateLimits: mode } = plainSettings;
  return openSharedSandbox(
    {
      name,
      initialState: () => initial,
      begin: (next) => {
        initial = next;
      },
      admit,
      clock,
      limiter: createLimiter({ clock, mode, policy }),
      faults: createFaultRules({ seed }),
      latency: createLatency({ seed }),
      domains: createDomains(),
      snapshots: createSnapshots(),
    },
    {
      connection: redis.connection,
      memory,
      idle: 0,
      toInitialState: async () => initial,
      onCreate: async () => async () => {},
      onDelete: async () => async () => {},
      onRestart: async () => async () => {},
      onTime() {},
      journal: undefined,
      ...more,
    },
  );
}

/**
 * A store that is looked after before each call, as a request does, and whose closing sees that
 * another process finds the same.
 */
function open(seeds: Collections, admit?: Admit): Store {
  const name = `s${++sandboxes}`;
  const { store, refresh } = openSandbox(name, seeds, admit);
  const { save } = store;
  for (const method of ['add', 'put', 'change', 'remove', 'removeAll'] as const) {
    const call = store[method] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(store, {
      async [method](...args: unknown[]) {
        await refresh?.();
        return await call(...args);
      },
    });
  }
  Object.assign(store, { save: async () => withoutUnnamed(await save()) });
  return comparedAtClose(store, async () => {
    const other = openSandbox(name, seeds);
    await other.refresh?.();
    return other.store.save();
  });
}

describeWithRedis('the store in Redis', () => {
  // Each test ends by reading all of it as another process.
  testStores('a store in Redis', { open, bytesOf: memory.bytesOf });

  it('keeps ids apart that are no well-formed text, for other processes too', async () => {
    const store = open({});
    for (const id of ['\ud800', '\udc00', 'a\ud800', '\ufffd', 'line\nbreak'])
      for (const collection of ['pets', id])
        await store.put(collection, {
          id,
          json: toByteText(`"${collection.length}"`),
          filters: {},
        });
    await store.remove('pets', '\udc00');
    expect(await store.count('pets')).toBe(4);
    await store.removeAll('\ud800');
    await store.close();
  });

  it('keeps what another process records as soon as a sandbox was reset', async () => {
    const { connection } = redis;
    const keys = toTwinKeys('reset');
    const journals = createJournals({ entries: 10, secrets: [] });
    const other = shareJournal(journals.open(), { name: 'reset', connection, keys });
    const record = () => {
      const exchange = new Exchange(0, 'reset', Date.now(), 0);
      other.record(exchange);
      return other.settle();
    };
    await record();
    const { replace, refresh } = openSandbox('reset', {}, undefined, {
      connection: {
        ...connection,
        async run(script, ...rest) {
          const reply = await connection.run(script, ...rest);
          if (script === commitScript) await record();
          return reply;
        },
      },
      onRestart: () => markJournal(connection, keys, 'reset'),
    });
    await refresh?.();
    const initialState: InitialState = { options: {}, settings: plainSettings, seeds: {} };
    const control = initialControl({});
    const state = { initialState, collections: initialState.seeds, limits: new Map() };
    await replace({
      state: { ...state, clock: control.clock },
      control,
      keepsSnapshots: true,
    });
    await other.refresh?.();
    expect(other.ids()).toEqual([2]);
  });

  it('removes more items at once than a command can name, and loses nothing of other processes', async () => {
    const count = 100_000;
    const items = Array.from({ length: count }, (_, at) => ({
      id: String(at),
      json: toByteText('"Rex"'),
      filters: { status: at % 2 === 0 ? 'sold' : 'new' },
    }));
    const seeds: Collections = { pets: { items, next: count } };
    const store = open(seeds);
    const other = openSandbox(`s${sandboxes}`, seeds);
    await other.refresh?.();
    const added = (at: number) => ({
      id: `added-${at}`,
      json: toByteText('"Tom"'),
      filters: { status: at === 0 ? 'sold' : 'kept' },
    });
    const removing = store.removeAll('pets', { status: 'sold' });
    for (let at = 0; at < 20; at++) await other.store.put('pets', added(at));
    // The first one that was added is sold too, whether it came before or after.
    const removed = await removing;
    await other.refresh?.();
    const left = await other.store.count('pets', { status: 'sold' });
    expect(removed + left).toBe(count / 2 + 1);
    expect(await other.store.count('pets', { status: 'kept' })).toBe(19);
    expect(await other.store.count('pets', { status: 'new' })).toBe(count / 2);
    expect(redis.server.command('KEYS', '*staged*')).toBe('');
    await other.store.close();
    await store.close();
  });
});
