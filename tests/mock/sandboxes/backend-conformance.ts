import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DnsRecord } from '../../../mock/domains/dns-records.ts';
import { allRecords, setRecords } from '../../../mock/extras/domains/zone.ts';
import type { NewFaultRule } from '../../../mock/faults/fault-rules.ts';
import { toByteText } from '../../../mock/json/exact-json.ts';
import type { Sandbox } from '../../../mock/sandboxes/sandbox.ts';
import type { SandboxOptions } from '../../../mock/sandboxes/sandbox-options.ts';
import { addCounted } from '../../../mock/state/store.ts';
import { openProcess, type Process, type TestStore } from './open-process.ts';
import {
  beginPlain,
  decidePlain,
  type PlainSandbox,
  plainKey,
  plainStanding,
  putPlainFault,
  replacePlain,
  savePlain,
  takePlain,
  takePlainTask,
} from './plain-sandbox.ts';
import { plainSettings, toKey } from './plain-settings.ts';

export type BackendTraits = {
  /** Whether state is there again once it was closed and opened. */
  survives?: boolean;
  /** How many processes have it open at once. */
  processes?: number;
  /** How many histories are tried. */
  runs?: number;
};

const start = Date.UTC(2030, 0, 1, 12);
const name = fc.constantFrom('default', 'default', 'a', 'b');
const key = fc.constantFrom('one', 'two');
const snapshot = fc.constantFrom('s', 't');
const options: fc.Arbitrary<SandboxOptions> = fc.record(
  {
    pets: fc.nat({ max: 4 }),
    rateLimits: fc.constantFrom('enforce' as const, 'observe' as const, 'off' as const),
  },
  { requiredKeys: [] },
);
const rule: fc.Arbitrary<NewFaultRule & { id: string }> = fc.record(
  {
    id: fc.constantFrom('x', 'y'),
    operation: fc.constantFrom('listPets', 'getPet'),
    every: fc.integer({ min: 1, max: 3 }),
    probability: fc.constantFrom(0, 0.3, 0.7, 1),
    seed: fc.constantFrom(0, 7),
    times: fc.integer({ min: 1, max: 3 }),
    status: fc.constant(503),
    body: fc.constant('{"a":9007199254740993}'),
  },
  { requiredKeys: ['id'] },
);
const of = <A extends string, Shape extends object = object>(
  act: A,
  shape: { [field in keyof Shape]: fc.Arbitrary<Shape[field]> } = {} as never,
) =>
  fc.record({ act: fc.constant(act), name, process: fc.nat({ max: 7 }), ...shape }) as fc.Arbitrary<
    { act: A; name: string; process: number } & Shape
  >;
const take = of('take', { key });
const advance = of('advance', { by: fc.constantFrom(1000, 60_000, 400_000, 86_400_000) });
const freeze = of('freeze', { at: fc.constantFrom(0, 30_000, 120_000) });
const ban = of('ban', { key, seconds: fc.constantFrom(10, 500) });
const lift = of('lift', { key });
const plan = of('plan', { key, plan: fc.constantFrom('free', 'pro') });
const exhaust = of('exhaust', { key, per: fc.constantFrom('minute' as const, 'day' as const) });
const fault = of('fault', { rule });
const heal = of('heal', { id: fc.constantFrom('x', 'y') });
const decide = of('decide', { operation: fc.constantFrom('listPets', 'getPet') });
const delay = of('delay', { fixedDelay: fc.constantFrom<number | null>(null, 1, 20) });
const dns = of('dns', { ttl: fc.constantFrom(60, 3600) });
const schedule = of('schedule', { after: fc.nat({ max: 3 }), isHeld: fc.boolean() });
const runTask = of('runTask', { n: fc.integer({ min: 1, max: 4 }) });
const cancel = of('cancel', { n: fc.integer({ min: 1, max: 4 }) });
const add = of('add');
const remove = of('remove', { id: fc.integer({ min: 1, max: 5 }) });
const reset = of('reset');
const put = of('put', { options });
const drop = of('delete');
const save = of('save', { snapshot });
const restore = of('restore', { snapshot });
const forget = of('drop', { snapshot });
const reopen = of('reopen');

/** Lists the themes of histories; a narrow one goes deeper. */
const themes = [
  [take, take, take, take, take, take, take, take, advance],
  [take, take, take, advance, freeze, ban, lift, plan, exhaust, save, restore, reset, reopen],
  [fault, fault, decide, decide, decide, decide, heal, reset, save, restore, reopen],
  [add, add, remove, save, restore, forget, reset, put, drop, freeze, delay, dns, reopen],
  [schedule, schedule, runTask, cancel, advance, save, restore, reset, reopen],
] as const;
const toHistory = (actions: readonly fc.Arbitrary<Action>[]) =>
  fc.array(fc.oneof(...actions), { maxLength: 40, size: 'max' });
const narrow = themes.map((theme) =>
  toHistory(theme as readonly fc.Arbitrary<Action>[]).map((actions) =>
    actions.map((one) => ({ ...one, name: 'default', ...('key' in one && { key: 'one' }) })),
  ),
);
const wide = toHistory(themes.flat() as fc.Arbitrary<Action>[]);
const registry = toHistory([put, put, drop, add, save, restore, take, reopen]);
const history = fc.oneof(...narrow, wide, registry) as fc.Arbitrary<Action[]>;

type ActionOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer T> ? T : never;
type Action =
  | ActionOf<typeof take | typeof advance | typeof freeze | typeof ban | typeof lift>
  | ActionOf<typeof plan | typeof exhaust | typeof fault | typeof heal | typeof decide>
  | ActionOf<typeof schedule | typeof runTask | typeof cancel>
  | ActionOf<typeof dns | typeof delay | typeof add | typeof remove | typeof reset | typeof put>
  | ActionOf<typeof drop | typeof save | typeof restore | typeof forget | typeof reopen>;

const toItem = (n: number) => ({ id: String(n), json: toByteText(`{"id":${n}}`), filters: {} });

const toRecord = (ttl: number): DnsRecord => ({
  name: 'docs.example.com',
  type: 'CNAME',
  ttl,
  value: 'domains.petstore.example',
});

/** Does something as requests do, and gives what came of it. */
async function perform({ sandboxes }: Process, sandbox: Sandbox, todo: Action): Promise<unknown> {
  const { limiter, clock, faults, latency, domains, tasks, snapshots, store } = sandbox;
  const change = async (act: () => unknown) => sandbox.change(act);
  switch (todo.act) {
    case 'take':
      return limiter.take(toKey(todo.key));
    case 'advance':
      return change(() => clock.advance(todo.by));
    case 'freeze':
      return change(() => clock.freeze(start + todo.at));
    case 'exhaust':
      return change(() => limiter.exhaust(toKey(todo.key), todo.per));
    case 'ban':
      return change(() => limiter.ban(toKey(todo.key), todo.seconds));
    case 'lift':
      return change(() => limiter.lift(toKey(todo.key)));
    case 'plan':
      return change(() => limiter.setPlan(toKey(todo.key), todo.plan));
    case 'fault':
      return change(() => void faults.put(todo.rule));
    case 'heal':
      return change(() => faults.remove(todo.id));
    case 'decide':
      await sandbox.refresh?.();
      return faults.rules.length > 0
        ? (await faults.decide({ operation: todo.operation }))?.rule
        : undefined;
    case 'delay':
      return change(() => latency.change({ fixedDelay: todo.fixedDelay }));
    case 'dns':
      return change(() =>
        domains.change(
          setRecords(domains.state(), ['docs.example.com'], [toRecord(todo.ttl)], {
            now: clock.now(),
            seed: 1,
            propagationHours: 48,
          }),
        ),
      );
    case 'schedule':
      return change(() => {
        const due = clock.now() + todo.after;
        const holder = todo.isHeld ? tasks.holder : undefined;
        return tasks.add({ name: 'work', args: { big: '\u2028' }, due, ...(holder && { holder }) })
          .id;
      });
    case 'runTask':
      return change(() => tasks.take(`task-${todo.n}`, clock.now())?.due);
    case 'cancel':
      return change(() => tasks.remove(`task-${todo.n}`));
    case 'add':
      await sandbox.refresh?.();
      return (await addCounted(store, 'pets', toItem)).id;
    case 'remove':
      await sandbox.refresh?.();
      return store.remove('pets', String(todo.id));
    case 'reset':
      await change(() => sandbox.reset());
      return change(() => clock.freeze(start));
    case 'put':
      await sandboxes.put(todo.name, todo.options);
      await sandboxes.get(todo.name).refresh?.();
      return sandboxes.get(todo.name).change(() => sandboxes.get(todo.name).clock.freeze(start));
    case 'delete':
      return todo.name === 'default' ? undefined : sandboxes.delete(todo.name);
    case 'save':
      return change(async () =>
        snapshots.put({ name: todo.snapshot, createdAt: start, state: await sandbox.save() }),
      );
    case 'restore':
      return change(async () => {
        const saved = await snapshots.get(todo.snapshot);
        if (saved) await sandbox.restore(saved.state);
        return saved !== undefined;
      });
    case 'drop':
      return change(() => snapshots.delete(todo.snapshot));
    case 'reopen':
      return undefined;
  }
}

type Model = Map<string, PlainSandbox>;

function performPlain(model: Model, sandbox: PlainSandbox, todo: Action): unknown {
  switch (todo.act) {
    case 'take':
      return takePlain(sandbox, todo.key);
    case 'advance':
      sandbox.now += todo.by;
      return undefined;
    case 'freeze':
      sandbox.now = start + todo.at;
      return undefined;
    case 'exhaust': {
      const windows = plainKey(sandbox, todo.key)[`${todo.per}s`];
      const index = Math.floor(sandbox.now / (todo.per === 'minute' ? 60_000 : 86_400_000));
      const { used, remaining } = plainStanding(sandbox, todo.key)[todo.per];
      windows[index] = used + remaining;
      return undefined;
    }
    case 'ban': {
      const ban = { until: sandbox.now + todo.seconds * 1000, seconds: todo.seconds };
      Object.assign(plainKey(sandbox, todo.key), { strikes: [], ban });
      return undefined;
    }
    case 'lift': {
      const { plan } = plainKey(sandbox, todo.key);
      delete sandbox.keys[todo.key];
      if (plan !== undefined) plainKey(sandbox, todo.key).plan = plan;
      return undefined;
    }
    case 'plan':
      plainKey(sandbox, todo.key).plan = todo.plan;
      return undefined;
    case 'fault':
      return putPlainFault(sandbox, todo.rule);
    case 'heal': {
      const { length } = sandbox.faults;
      sandbox.faults = sandbox.faults.filter(({ id }) => id !== todo.id);
      return sandbox.faults.length < length;
    }
    case 'decide':
      return decidePlain(sandbox, todo.operation);
    case 'delay':
      sandbox.latency.fixedDelay = todo.fixedDelay;
      return undefined;
    case 'dns':
      sandbox.records = [toRecord(todo.ttl)];
      return undefined;
    case 'schedule': {
      const { tasks } = sandbox;
      tasks.last += 1;
      const { isHeld, after } = todo;
      tasks.list.push({ id: `task-${tasks.last}`, due: sandbox.now + after, isHeld });
      tasks.list.sort((left, right) => left.due - right.due);
      return `task-${tasks.last}`;
    }
    case 'runTask':
      return takePlainTask(sandbox, todo.n)?.due;
    case 'cancel':
      return takePlainTask(sandbox, todo.n) !== undefined;
    case 'add':
      sandbox.items.push(`{"id":${sandbox.next}}`);
      return String(sandbox.next++);
    case 'remove': {
      const at = sandbox.items.indexOf(`{"id":${todo.id}}`);
      if (at !== -1) sandbox.items.splice(at, 1);
      return at !== -1;
    }
    case 'reset': {
      const { snapshots } = sandbox;
      Object.assign(sandbox, { ...beginPlain(sandbox.options, start), snapshots });
      return undefined;
    }
    case 'put':
      model.set(todo.name, beginPlain(todo.options, start));
      return undefined;
    case 'delete':
      return todo.name === 'default' ? undefined : model.delete(todo.name);
    case 'save':
      sandbox.snapshots[todo.snapshot] = savePlain(sandbox);
      return undefined;
    case 'restore': {
      const saved = sandbox.snapshots[todo.snapshot];
      if (saved) replacePlain(sandbox, saved);
      return saved !== undefined;
    }
    case 'drop': {
      const isThere = sandbox.snapshots[todo.snapshot] !== undefined;
      delete sandbox.snapshots[todo.snapshot];
      return isThere;
    }
    case 'reopen':
      return undefined;
  }
}

/** All that can be seen of the sandboxes of a process. */
async function viewOf({ sandboxes }: Process): Promise<unknown> {
  const views: [name: string, view: unknown][] = [];
  for (const {
    sandbox: { name: found },
  } of await sandboxes.listStored()) {
    const sandbox = sandboxes.get(found);
    await sandbox.refresh?.();
    const { store, limiter, clock, faults, latency, domains, tasks, settings } = sandbox;
    const keys = ['one', 'two'].map((text) => {
      const { minute, day, strikes, ban } = limiter.standing(toKey(text));
      return {
        plan: limiter.planOf(toKey(text)).name,
        minute: { used: minute.used, remaining: minute.remaining },
        day: { used: day.used, remaining: day.remaining },
        strikes,
        ban,
      };
    });
    views.push([
      found,
      {
        items: await store.list('pets', { filters: {}, limit: 100 }),
        keys,
        now: clock.now(),
        faults: faults.list(),
        latency: { ...latency.settings },
        tasks: tasks
          .list()
          .map(({ id, due, holder }) => ({ id, due, isHeld: holder !== undefined })),
        records: allRecords(domains.state().zone, Number.POSITIVE_INFINITY),
        snapshots: (await sandbox.snapshots.list()).map((one) => one.name).toSorted(),
        rateLimits: settings.rateLimits,
        seeded: settings.items,
      },
    ]);
  }
  return Object.fromEntries(views);
}

function viewOfPlain(model: Model): unknown {
  return Object.fromEntries(
    [...model].map(([found, sandbox]) => [
      found,
      {
        items: sandbox.items,
        keys: ['one', 'two'].map((text) => plainStanding(sandbox, text)),
        now: sandbox.now,
        faults: sandbox.faults,
        latency: sandbox.latency,
        tasks: sandbox.tasks.list,
        records: sandbox.records,
        snapshots: Object.keys(sandbox.snapshots).toSorted(),
        rateLimits: sandbox.options.rateLimits ?? plainSettings.rateLimits,
        seeded: sandbox.options.items ?? sandbox.options.pets ?? plainSettings.items,
      },
    ]),
  );
}

/** The tests that every backend passes: state is as if it were plain data in one place. */
export function testBackend(
  backend: string,
  createStore: () => Promise<TestStore>,
  { survives = false, processes: count = 1, runs = 300 }: BackendTraits = {},
): void {
  const openAll = (store: TestStore) =>
    Promise.all(Array.from({ length: count }, () => openProcess(store)));
  const closeAll = (processes: readonly Process[]) =>
    Promise.all(processes.map((process) => process.close()));

  const compare = async (store: TestStore, actions: readonly Action[]) => {
    let processes = await openAll(store);
    const model: Model = new Map();
    const begin = async (sandbox: Sandbox) => {
      if (model.has(sandbox.name)) return;
      model.set(sandbox.name, beginPlain({}, start));
      await sandbox.refresh?.();
      await sandbox.change(() => sandbox.clock.freeze(start));
    };
    try {
      await begin((processes[0] as Process).sandboxes.defaultSandbox);
      for (const todo of actions) {
        const process = processes[todo.process % count] as Process;
        if (todo.act === 'reopen' && survives) {
          await closeAll(processes);
          processes = await openAll(store);
        } else if (todo.act !== 'reopen') {
          const isOfRegistry = todo.act === 'put' || todo.act === 'delete';
          const { sandbox, leave } = isOfRegistry
            ? { sandbox: process.sandboxes.defaultSandbox, leave: undefined }
            : process.sandboxes.enter(todo.name);
          if (!isOfRegistry) await begin(sandbox);
          const expected = performPlain(model, model.get(todo.name) as PlainSandbox, todo);
          expect([todo, await perform(process, sandbox, todo)]).toEqual([todo, expected]);
          leave?.();
        }
      }
      for (const process of processes) expect(await viewOf(process)).toEqual(viewOfPlain(model));
    } finally {
      await closeAll(processes);
    }
  };

  it(`${backend} holds limits, clock, faults, delays, domains, items, snapshots and sandboxes as plain data would`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (actions) => {
        const store = await createStore();
        await compare(store, actions).finally(() => store.remove());
      }),
      { numRuns: runs },
    );
  }, 120_000);

  it(`${backend} takes exactly as many calls as the limit allows, though they come at once`, async () => {
    const store = await createStore();
    const processes = await openAll(store);
    const [first] = processes as [Process, ...Process[]];
    const { defaultSandbox } = first.sandboxes;
    await defaultSandbox.change(() => defaultSandbox.clock.freeze(start));
    const calls = Array.from({ length: 12 }, async (_, index) => {
      const { sandboxes } = processes[index % count] as Process;
      return sandboxes.enter().sandbox.limiter.take(toKey('one'));
    });
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'allowed')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'exceeded')).toHaveLength(2);
    await closeAll(processes);
    await store.remove();
  });

  it(`${backend} counts the calls of a fault together, though they come at once`, async () => {
    const store = await createStore();
    const processes = await openAll(store);
    const [first] = processes as [Process, ...Process[]];
    const { defaultSandbox } = first.sandboxes;
    await defaultSandbox.change(() => void defaultSandbox.faults.put({ id: 'x', every: 3 }));
    const calls = Array.from({ length: 12 }, async (_, index) => {
      const { sandboxes } = processes[index % count] as Process;
      const { sandbox } = sandboxes.enter();
      await sandbox.refresh?.();
      return sandbox.faults.decide({ operation: 'listPets' });
    });
    const hits = (await Promise.all(calls)).filter((hit) => hit?.rule === 'x');
    expect(hits).toHaveLength(4);
    await closeAll(processes);
    await store.remove();
  });

  it(`${backend} begins a sandbox anew while control changes it, one after the other`, async () => {
    const store = await createStore();
    const processes = await openAll(store);
    const [{ sandboxes }] = processes as [Process, ...Process[]];
    const { sandbox } = (await sandboxes.put('a', { pets: 1 })).entry;
    const saved = await sandbox.save();
    const other = await sandboxes.toInitialState({ pets: 2 });
    const acts: (() => Promise<unknown>)[] = [
      async () => sandbox.change(() => sandbox.reset()),
      async () => sandbox.change(() => sandbox.restore(saved)),
      async () => sandbox.change(() => sandbox.save()),
      () => sandbox.reset(),
      () => sandbox.restore(saved),
      () => sandbox.remake(other),
    ];
    for (const one of acts)
      for (const two of acts) {
        await Promise.all([one(), two()]);
        expect(await sandbox.store.count('pets', {})).toBe(sandbox.settings.items);
      }
    await closeAll(processes);
    await store.remove();
  });
}
