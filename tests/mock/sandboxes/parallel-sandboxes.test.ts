import fc from 'fast-check';
import { afterAll, beforeEach, expect, it } from 'vitest';
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

it('gives 40 workers at once a world each, and leaves the default one alone', async () => {
  const { defaultSandbox } = twin.app.sandboxes;
  defaultSandbox.clock.freeze(noon);
  const look = async () => ({
    limits: (await createClient('default')('GET', '/__admin/limits')).json,
    items: await defaultSandbox.store.save(),
    clock: defaultSandbox.clock.save(),
  });
  const before = await look();
  await Promise.all(Array.from({ length: 40 }, (_, worker) => work(worker)));
  expect(await look()).toEqual(before);
  expect(twin.app.sandboxes.list()).toHaveLength(41);
  defaultSandbox.clock.reset();
});

const perMinute = 6;
const start = 20;

/**
 * What a sandbox must be; its clock stands still, and its free plan has {@link perMinute} calls.
 */
type Model = {
  names: string[];
  now: number;
  calls: Record<number, number>;
  snapshots: Record<string, Omit<Model, 'snapshots'>>;
};

type Step =
  | { do: 'create' | 'save' | 'restore'; name: string }
  | { do: 'read' | 'list'; n: number }
  | { do: 'advance'; minutes: number }
  | { do: 'reset' | 'remake' | 'delete' };

const options = { pets: start, plans: { free: { perMinute, perDay: 100_000 } }, ban: false };
const fresh = (snapshots: Model['snapshots'] = {}): Model => ({
  names: [],
  now: noon,
  calls: {},
  snapshots,
});

/** Takes a step in a sandbox and in its model, and holds the one against the other. */
async function take(step: Step, name: string, model: Model): Promise<Model> {
  const call = createClient(name);
  const begin = async (next: Model) => {
    await call('PUT', '/__admin/clock', {
      action: 'freeze',
      instant: new Date(noon).toISOString(),
    });
    return next;
  };
  const used = model.calls[model.now] ?? 0;
  const allowed = used < perMinute;
  const counted = allowed ? { ...model, calls: { ...model.calls, [model.now]: used + 1 } } : model;
  switch (step.do) {
    case 'create': {
      const { status, json } = await call('POST', '/v1/pets', { name: step.name, categoryId: 1 });
      expect([status, json.id]).toEqual(
        allowed ? [201, start + model.names.length + 1] : [429, undefined],
      );
      return allowed ? { ...counted, names: [...model.names, step.name] } : counted;
    }
    case 'read': {
      const { status, json } = await call('GET', `/v1/pets/${start + step.n}`);
      const found = model.names[step.n - 1];
      expect([status, json.name]).toEqual(
        !allowed ? [429, undefined] : found === undefined ? [404, undefined] : [200, found],
      );
      return counted;
    }
    case 'list': {
      const { status, json } = await call('GET', `/v1/pets?limit=${start + step.n}`);
      expect(status).toBe(allowed ? 200 : 429);
      if (allowed) expect(names(json).slice(start)).toEqual(model.names.slice(0, step.n));
      return counted;
    }
    case 'advance':
      await call('PUT', '/__admin/clock', {
        action: 'advance',
        durationMillis: step.minutes * 60_000,
      });
      return { ...model, now: model.now + step.minutes * 60_000 };
    case 'save': {
      const { snapshots, ...state } = model;
      await call('PUT', `/__admin/snapshots/${step.name}`);
      return { ...state, snapshots: { ...snapshots, [step.name]: state } };
    }
    case 'restore': {
      const saved = model.snapshots[step.name];
      expect((await call('POST', `/__admin/snapshots/${step.name}/restore`)).status).toBe(
        saved ? 200 : 404,
      );
      if (saved)
        expect((await call('GET', '/__admin/limits')).json.keys[0].minute.used).toBe(
          saved.calls[saved.now] ?? 0,
        );
      return saved ? { ...saved, snapshots: model.snapshots } : model;
    }
    case 'reset':
      await call('POST', '/__admin/reset');
      return begin(fresh(model.snapshots));
    case 'delete':
      await createClient('default')('DELETE', `/__admin/sandboxes/${name}`);
      await call('PUT', `/__admin/sandboxes/${name}`, options);
      return begin(fresh());
    case 'remake':
      await call('PUT', `/__admin/sandboxes/${name}`, options);
      return begin(fresh());
  }
}

const label = fc.constantFrom('a', 'b');
const n = fc.integer({ min: 1, max: 8 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      name: fc.constantFrom('x', 'y', 'z'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'list' as const), n }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      minutes: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('save' as const, 'restore' as const), name: label }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('reset' as const, 'remake' as const, 'delete' as const),
    }),
  },
);

it('keeps sandboxes apart however their calls are interleaved, as separate models tell', async () => {
  const some = ['one', 'two', 'three'];
  const inSome = fc.array(
    fc.record({ name: fc.constantFrom(...some), step: aStep, wait: fc.boolean() }),
    {
      minLength: 20,
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(inSome, async (steps) => {
      const turns = new Map<string, Promise<Model>>();
      for (const name of some) turns.set(name, take({ do: 'remake' }, name, fresh()));
      for (const { name, step, wait } of steps) {
        const turn = (turns.get(name) as Promise<Model>).then((model) => take(step, name, model));
        turns.set(name, turn);
        if (wait) await turn;
      }
      for (const [name, turn] of turns) {
        const model = await turn;
        const { store, clock } = twin.app.sandboxes.get(name);
        expect([await store.count('pets'), clock.now()]).toEqual([
          start + model.names.length,
          model.now,
        ]);
      }
    }),
    { numRuns: 40 },
  );
  expect(await twin.app.store.count('pets')).toBe(120);
});
