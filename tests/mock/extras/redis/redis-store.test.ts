import { expect, it } from 'vitest';
import { SandboxServer } from '../../../../mock/extras/redis/sandbox-server.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { openMirroredSandbox } from '../../../../mock/sandboxes/mirrored-sandbox.ts';
import { initialStateOf } from '../../../../mock/sandboxes/sandbox-state.ts';
import {
  type Admit,
  addCounted,
  type Collections,
  type Store,
} from '../../../../mock/state/store.ts';
import { bytesOf } from '../../../../mock/state/tables.ts';
import { useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';
import { createPlainParts } from '../../sandboxes/plain-parts.ts';
import { plainSettings } from '../../sandboxes/plain-settings.ts';
import { comparedAtClose } from '../../state/compared-at-close.ts';
import { testStores } from '../../state/store-conformance.ts';

const redis = useRedis();
let sandboxes = 0;

/** The sandbox of a name, as a process sees it that begins with these items. */
function openSandbox(name: string, seeds: Collections, admit?: Admit) {
  const parts = createPlainParts(name, { seeds }, { admit });
  const held = new SandboxServer(name, {
    connection: redis.connection,
    max: 1000,
    idle: 0,
    used: new Set(),
    onTime() {},
    onLeave() {},
  });
  return openMirroredSandbox(parts, {
    held,
    toInitialState: async (options) => ({ options, settings: plainSettings, seeds }),
  });
}

/** A store whose closing sees that another process finds the same. */
function open(seeds: Collections, admit?: Admit): Store {
  const name = `s${++sandboxes}`;
  const { store } = openSandbox(name, seeds, admit);
  return comparedAtClose(store, async () => {
    const other = openSandbox(name, seeds);
    await other.refresh?.();
    return other.store.save();
  });
}

describeWithRedis('the store in Redis', () => {
  // Each test ends by reading all of it as another process.
  testStores('a store in Redis', { open, bytesOf: bytesOf });

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

  it('removes more items at once than a command can name, and loses nothing of other processes', async () => {
    const count = 20_000;
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
    const removing = store.removeAll('pets', { filters: { status: 'sold' } });
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

  it('computes a change again where another process was faster, and is the same for both', async () => {
    const name = `s${++sandboxes}`;
    const [one, two] = [openSandbox(name, {}), openSandbox(name, {})];
    const add = ({ store }: typeof one) =>
      addCounted(store, 'pets', (n) => ({ id: String(n), json: toByteText(`${n}`), filters: {} }));
    const added = await Promise.all(
      Array.from({ length: 200 }, (_, at) => add(at % 2 ? one : two)),
    );
    expect(new Set(added.map(({ id }) => id)).size).toBe(200);
    await Promise.all([one.refresh?.(), two.refresh?.()]);
    const all = { filters: {}, limit: 1000 };
    const listed = await one.store.list('pets', all);
    expect(listed).toHaveLength(200);
    expect(await two.store.list('pets', all)).toEqual(listed);
  });

  it('loads what was changed longer ago than the log reaches, and a whole of another process', async () => {
    const name = `s${++sandboxes}`;
    const [one, two] = [openSandbox(name, {}), openSandbox(name, {})];
    await two.refresh?.();
    const put = (id: string) => ({ id, json: toByteText('1'), filters: {} });
    for (let at = 0; at < 100; at++) await one.store.put('pets', put(`${at}`));
    await two.refresh?.();
    expect(await two.store.count('pets')).toBe(100);
    const initialState = { options: {}, settings: plainSettings, seeds: {} };
    const collections = { pets: { items: [put('a')], next: 9 } };
    const state = { ...initialStateOf({}), clock: { frozenAt: 5 } };
    await one.replace({ initialState, collections, state, isStart: false });
    await two.store.put('pets', put('b'));
    const ids = (await two.store.save()).pets?.items.map(({ id }) => id);
    expect(ids).toEqual(['a', 'b']);
  });

  it('begins anew with a server that lost all, or went back to what it had before', async () => {
    const name = `s${++sandboxes}`;
    const put = (id: string) => ({ id, json: toByteText('1'), filters: {} });
    const [one, two] = [openSandbox(name, {}), openSandbox(name, {})];
    await one.store.put('pets', put('a'));
    await two.refresh?.();
    redis.server.command('FLUSHALL');
    await two.store.put('pets', put('b'));
    await one.refresh?.();
    expect((await one.store.save()).pets?.items.map(({ id }) => id)).toEqual(['b']);
  });
});
