import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSandboxKeys } from '../../../../mock/extras/redis/keys.ts';
import { createSandboxLock } from '../../../../mock/extras/redis/sandbox-lock.ts';
import { createSharedState, type SharedState } from '../../../../mock/extras/redis/shared-state.ts';
import { makeTag } from '../../../../mock/extras/redis/tag.ts';
import { StoreUnavailableError } from '../../../../mock/state/store.ts';
import { useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';

const redis = useRedis();
let opened = 0;

/** A process that follows a sandbox, whose items are texts by id, and counts what it had to load. */
type Process = SharedState & {
  items: Map<string, string>;
  control: string;
  loads: number;
  put(id: string, text: string): Promise<void>;
  /** Changes the control state, and the items too where they are given. */
  change(control: string, items?: Record<string, string>): Promise<void>;
};

type Options = { logLength?: number; seeds?: string };

function openProcess(name: string, { logLength = 1000, seeds = 's' }: Options = {}): Process {
  const keys = toSandboxKeys('test', name);
  const lock = createSandboxLock(redis.connection, keys.lock);
  const process = {
    items: new Map<string, string>(),
    control: '',
    loads: 0,
  } as Process;
  const shared = createSharedState(
    {
      initialControl: async () => ({ clock: '+0', control: 'new', seeds }),
      apply(change) {
        const { id, text } = JSON.parse(change);
        process.items.set(id, text);
      },
      async prepareControl(control, stored) {
        if (stored !== seeds) throw new StoreUnavailableError('It began with other seeds.');
        return () => {
          process.control = control;
        };
      },
      loadItems(fields) {
        process.loads += 1;
        process.items = new Map(Object.entries(fields));
      },
      onCreate: async () => async () => {},
      onTime() {},
    },
    { connection: redis.connection, keys, logLength },
  );
  return Object.defineProperties(process, {
    ...Object.getOwnPropertyDescriptors(shared),
    put: {
      async value(id: string, text: string) {
        const change = JSON.stringify({ id, text });
        while ((await shared.append(change, [[id, text]])) === 'behind');
      },
    },
    change: {
      value: (control: string, items?: Record<string, string>) =>
        lock.hold(async (token) => {
          await shared.enter();
          const tag = makeTag();
          const state = { epoch: makeTag(), version: 0, tip: '' };
          await shared.commit(
            token,
            [
              ['HSET', keys.head, 'control', tag],
              ['SET', keys.control, control],
              ...(items
                ? ([
                    ['DEL', keys.items],
                    ['DEL', keys.log],
                    ['HSET', keys.head, 'epoch', state.epoch],
                    ['HSET', keys.head, 'version', '0', 'tip', '', 'base', '0', 'bytes', '0'],
                    ...Object.entries(items).map(([id, text]) => ['HSET', keys.items, id, text]),
                  ] as ['HSET', string][])
                : []),
            ],
            { control: tag, ...(items && state) },
          );
          process.control = control;
          if (items) process.items = new Map(Object.entries(items));
        }),
    },
  });
}

function open(count: number, options?: Options): Process[] {
  const name = `shared-${++opened}`;
  return Array.from({ length: count }, () => openProcess(name, options));
}

function itemsOf({ items }: Process): Record<string, string> {
  return Object.fromEntries([...items].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

describeWithRedis('a sandbox that processes share', () => {
  it('is made by whoever comes first, and once', async () => {
    const processes = open(5);
    await Promise.all(processes.map((process) => process.enter()));
    expect(new Set(processes.map(({ known }) => known.epoch)).size).toBe(1);
    expect(processes.map(({ control }) => control)).toEqual(Array(5).fill('new'));
  });

  it('shows each process at its next call what others have changed, without a load', async () => {
    const [one, two] = open(2) as [Process, Process];
    await Promise.all([one.enter(), two.enter()]);
    await one.put('a', 'Rex');
    await one.put('b', 'Tom');
    await two.enter();
    expect(itemsOf(two)).toEqual({ a: 'Rex', b: 'Tom' });
    expect(two.loads).toBe(1);
  });

  it('loads what was changed longer ago than the log reaches', async () => {
    const [one, two] = open(2, { logLength: 5 }) as [Process, Process];
    await Promise.all([one.enter(), two.enter()]);
    for (let at = 0; at < 20; at++) await one.put(`id-${at}`, 'Rex');
    await two.enter();
    expect(itemsOf(two)).toEqual(itemsOf(one));
    expect(two.loads).toBe(2);
  });

  it('puts changes of all processes into one order, and loses none', async () => {
    const processes = open(3);
    await Promise.all(processes.map((process) => process.enter()));
    await Promise.all(
      processes.map(async (process, index) => {
        for (let at = 0; at < 40; at++) {
          await process.put(`${index}-${at}`, 'Rex');
          await process.put('shared', `${index}-${at}`);
        }
      }),
    );
    await Promise.all(processes.map((process) => process.enter()));
    const [one, two, three] = processes.map(itemsOf);
    expect(Object.keys(one ?? {})).toHaveLength(121);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  it('follows another control state and a reset, and refuses what was meant for the state before', async () => {
    const [one, two] = open(2) as [Process, Process];
    await Promise.all([one.enter(), two.enter()]);
    await one.put('a', 'Rex');
    await two.change('slow');
    await one.enter();
    expect(one.control).toBe('slow');
    await two.change('begun again', { seed: 'Tom' });
    expect(await one.append(JSON.stringify({ id: 'b', text: 'Rex' }), [['b', 'Rex']])).toBe(
      'behind',
    );
    expect(itemsOf(one)).toEqual({ seed: 'Tom' });
    expect(one.control).toBe('begun again');
  });

  it('is made anew where the server has lost all', async () => {
    const [one, two] = open(2) as [Process, Process];
    await one.put('a', 'Rex');
    await two.enter();
    redis.server.command('FLUSHALL');
    await one.put('b', 'Tom');
    await two.enter();
    expect(itemsOf(one)).toEqual({ b: 'Tom' });
    expect(itemsOf(two)).toEqual({ b: 'Tom' });
  });

  it('notices that a server has lost the last changes, even where others are as many', async () => {
    const name = `shared-${opened + 1}`;
    const [one, two] = open(2) as [Process, Process];
    const { head, log, items } = toSandboxKeys('test', name);
    await one.put('a', 'Rex');
    await two.enter();
    for (const key of [head, log, items]) redis.server.command('COPY', key, `${key}:old`);
    await one.put('b', 'lost');
    await one.put('c', 'lost');
    for (const key of [head, log, items]) redis.server.command('RENAME', `${key}:old`, key);
    await two.put('d', 'Tom');
    await two.put('e', 'Tom');
    expect(one.known.version).toBe(two.known.version);
    await one.enter();
    expect(itemsOf(one)).toEqual({ a: 'Rex', d: 'Tom', e: 'Tom' });
  });

  it('notices that a server has lost the last changes before anyone makes others', async () => {
    const name = `shared-${opened + 1}`;
    const [one] = open(1) as [Process];
    const { head, log, items } = toSandboxKeys('test', name);
    await one.put('a', 'Rex');
    for (const key of [head, log, items]) redis.server.command('COPY', key, `${key}:old`);
    await one.put('b', 'lost');
    for (const key of [head, log, items]) redis.server.command('RENAME', `${key}:old`, key);
    await one.enter();
    expect(itemsOf(one)).toEqual({ a: 'Rex' });
    for (const key of [head, log, items]) redis.server.command('COPY', key, `${key}:old`);
    await one.put('b', 'lost');
    for (const key of [head, log, items]) redis.server.command('RENAME', `${key}:old`, key);
    expect(await one.append('', [])).toBe('behind');
    expect(itemsOf(one)).toEqual({ a: 'Rex' });
  });

  it('is refused where it began with other seeds', async () => {
    const name = `shared-${++opened}`;
    await openProcess(name, { seeds: 'one' }).enter();
    const error = await openProcess(name, { seeds: 'two' })
      .enter()
      .catch((error) => error);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toBe('It began with other seeds.');
  });

  it('lets one process at a time change it, and frees it from one that ended', async () => {
    const keys = toSandboxKeys('test', `shared-${++opened}`);
    const locks = Array.from({ length: 3 }, () => createSandboxLock(redis.connection, keys.lock));
    let inside = 0;
    let most = 0;
    const act = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 15 }, (_, at) => locks[at % 3]?.hold(act)));
    expect(most).toBe(1);
    redis.server.command('SET', keys.lock, 'a process that was killed', 'PX', '300');
    await locks[0]?.hold(act);
    redis.server.command('SET', keys.lock, 'a process that hangs');
    const impatient = createSandboxLock(redis.connection, keys.lock, { patience: 100 });
    await expect(impatient.hold(act)).rejects.toThrow('Another process has been changing');
  });

  it('stores nothing for a process whose lock went to another', async () => {
    const name = `shared-${++opened}`;
    const keys = toSandboxKeys('test', name);
    const process = openProcess(name);
    await process.enter();
    const lock = createSandboxLock(redis.connection, keys.lock);
    const changing = lock.hold(async (token) => {
      redis.server.command('SET', keys.lock, 'another');
      await process.commit(token, [['SET', keys.control, 'mine']], {});
    });
    await expect(changing).rejects.toThrow('another process changed the sandbox');
    expect(redis.server.command('GET', keys.control)).toBe('new');
    expect(redis.server.command('GET', keys.lock)).toBe('another');
  });

  it('is the same for all processes, whatever they do in whatever order', async () => {
    const step = fc.record({
      process: fc.nat(2),
      act: fc.constantFrom('put', 'put', 'put', 'enter', 'control', 'reset', 'flush'),
      id: fc.constantFrom('a', 'b', 'c'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const processes = open(3, { logLength: 4 });
        await Promise.all(processes.map((process) => process.enter()));
        let model = { control: 'new', items: {} as Record<string, string> };
        for (const [at, { process: index, act, id }] of steps.entries()) {
          const process = processes[index] as Process;
          const text = `${index}-${at}`;
          if (act === 'put') {
            await process.put(id, text);
            model.items[id] = text;
          } else if (act === 'control') {
            await process.change(text);
            model.control = text;
          } else if (act === 'reset') {
            await process.change(text, { [id]: text });
            model = { control: text, items: { [id]: text } };
          } else if (act === 'flush') {
            redis.server.command('FLUSHALL');
            await process.enter();
            model = { control: 'new', items: {} };
          } else {
            await process.enter();
            expect(itemsOf(process)).toEqual(
              Object.fromEntries(Object.entries(model.items).toSorted()),
            );
            expect(process.control).toBe(model.control);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});
