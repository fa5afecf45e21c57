import { afterAll, beforeEach, expect, it } from 'vitest';
import { isWhole } from '../../support/sample.ts';
import { bearer, openTestTwin } from '../../support/twin.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const twin = await openTestTwin();
afterAll(() => twin.close());
beforeEach(() => twin.app.sandboxes.deleteAll());

type Pet = { id: number; name: string; categoryId: number };

/** Calls one sandbox, by its path or by the header. */
function createClient(name: string, { byHeader = false } = {}) {
  const origin = byHeader ? twin.origin : `${twin.origin}/sandboxes/${name}`;
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...bearer('demo-free'),
        ...(byHeader && { 'X-Sandbox': name }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
}

const names = (pets: Pet[]) => pets.map(({ name }) => name);

/** Two rounds of all that a worker does, with what it must see at each step. */
async function work(worker: number): Promise<void> {
  const pets = 13 + worker;
  const perMinute = 20 + (worker % 7);
  const call = createClient(`worker-${worker}`, { byHeader: worker % 2 === 1 });
  const freeze = (instant: number) =>
    call('PUT', '/__admin/clock', { action: 'freeze', instant: new Date(instant).toISOString() });
  const calls = async () => (await call('GET', '/__admin/limits')).json.keys[0].minute.used;
  const at = noon + worker * 3_600_000;

  await call('PUT', `/__admin/sandboxes/worker-${worker}`, {
    seed: worker,
    pets,
    plans: { free: { perMinute, perDay: 1000 } },
  });
  const first = (await call('GET', '/v1/pets?limit=100')).json;
  expect(first).toHaveLength(pets);

  for (let round = 0; round < 2; round++) {
    await freeze(at);
    const before = await calls();
    const mine = Array.from(
      { length: 1 + (worker % 5) },
      (_, index) => `w${worker} r${round} n${index}`,
    );
    for (const [index, name] of mine.entries())
      expect(await call('POST', '/v1/pets', { name, categoryId: worker })).toMatchObject({
        status: 201,
        json: { id: pets + index + 1, name, categoryId: worker },
      });
    expect((await call('GET', `/v1/pets/${pets + mine.length}`)).json.name).toBe(mine.at(-1));
    expect((await call('GET', `/v1/pets/${pets + mine.length + 1}`)).status).toBe(404);
    const all = (await call('GET', '/v1/pets?limit=100')).json;
    expect(names(all)).toEqual([...names(first), ...mine].slice(0, 100));
    expect(await calls()).toBe(before + mine.length + 3);
    expect((await call('PUT', '/__admin/snapshots/mine')).json.items).toEqual({
      pets: pets + mine.length,
    });

    const left = perMinute - (await calls());
    const outcomes = await Promise.all(
      Array.from({ length: left + 3 }, () => call('GET', '/v1/pets/1')),
    );
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(left);
    expect(outcomes.filter(({ status }) => status === 429)).toHaveLength(3);
    await call('PUT', '/__admin/clock', { action: 'advance', durationMillis: 60_000 });
    expect((await call('GET', '/__admin/clock')).json).toMatchObject({
      currentEpochMillis: at + 60_000,
      frozen: true,
    });
    expect([(await call('GET', '/v1/pets/1')).status, await calls()]).toEqual([200, 1]);

    await call('POST', '/v1/pets', { name: 'late', categoryId: 1 });
    await call('POST', '/__admin/snapshots/mine/restore');
    expect((await call('GET', '/__admin/clock')).json.currentEpochMillis).toBe(at);
    expect(await calls()).toBe(perMinute - left);
    expect((await call('GET', `/v1/pets/${pets + mine.length + 1}`)).status).toBe(404);

    expect((await call('POST', '/__admin/reset')).status).toBe(200);
    expect((await call('GET', '/__admin/clock')).json.frozen).toBe(false);
    expect((await call('GET', '/v1/pets?limit=100')).json).toEqual(first);
  }
}

const workers = isWhole ? 40 : 10;

it('gives workers at once a world each, and leaves the default one alone', async () => {
  const { defaultSandbox } = twin.app.sandboxes;
  defaultSandbox.clock.freeze(noon);
  const look = async () => ({
    limits: (await createClient('default')('GET', '/__admin/limits')).json,
    items: await defaultSandbox.store.save(),
    clock: defaultSandbox.clock.save(),
  });
  const before = await look();
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  expect(await look()).toEqual(before);
  expect(twin.app.sandboxes.list()).toHaveLength(workers + 1);
  defaultSandbox.clock.reset();
});
