import { expect, it } from 'vitest';
import { createJournals } from '../../../mock/journal/journals.ts';
import { toByteText } from '../../../mock/json/exact-json.ts';
import type { LimitPolicy } from '../../../mock/limits/plans.ts';
import {
  cacheSeeds,
  createMemoryBackend,
  createToInitialState,
} from '../../../mock/sandboxes/open-sandboxes.ts';
import { Sandbox } from '../../../mock/sandboxes/sandbox.ts';
import type { SandboxSettings } from '../../../mock/sandboxes/sandbox-options.ts';
import { LocalSandboxes, type Sandboxes } from '../../../mock/sandboxes/sandboxes.ts';
import { addCounted, type Collections } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { toPlainSeeds } from './plain-settings.ts';

const openJournal = () => createJournals({ entries: 10, secrets: [] }).open();

const free = { name: 'free', perMinute: 60, perDay: 1000 };
const policy: LimitPolicy = {
  plans: { free, pro: { name: 'pro', perMinute: 300, perDay: 10_000 } },
  ban: { strikes: 10, withinSeconds: 60, seconds: 300, maxSeconds: 3600 },
};
const settings: SandboxSettings & { items: number } = {
  ...{ seed: 1, items: 2, policy, rateLimits: 'enforce' },
};

const toItem = (id: number, text: string) => {
  return { id: String(id), json: toByteText(text), filters: {} };
};

/** As many items as wanted, which tell the seed. */
function toSeeds({ seed, items: length }: { seed: number; items: number }): Collections {
  const items = Array.from({ length }, (_, index) => toItem(index + 1, `"seed ${seed}"`));
  return { pets: { items, next: length + 1 } };
}

/**
 * A registry whose time is set by hand; `made` are the seeds that were made, `lines` what it
 * logged.
 */
function createCase({ max = 3, idle = 1000 }: { max?: number; idle?: number } = {}) {
  const time = { elapsed: 5000, now: Date.UTC(2026, 0, 15) };
  const made: string[] = [];
  const lines: string[] = [];
  const { open } = createMemoryBackend(openMemoryStore);
  const initialState = { options: {}, settings, seeds: toSeeds(settings) };
  const makeSeeds = cacheSeeds(async (wanted) => {
    made.push(`${wanted.seed}/${wanted.items}`);
    if (wanted.seed === 13) throw new Error('no seeds');
    return toSeeds(wanted);
  });
  const toInitialState = createToInitialState(initialState, makeSeeds);
  const sandboxes = new LocalSandboxes({
    create: (name, initial) =>
      new Sandbox(name, { initialState: initial, toInitialState, open, openJournal, holder: 'a' }),
    initialState: () => initialState,
    toInitialState,
    max,
    maxBytes: 1e6,
    idle,
    log: { info: (line) => lines.push(line), error: (line) => lines.push(line) },
    elapsed: () => time.elapsed,
    now: () => time.now,
  });
  const names = () => sandboxes.list().map(({ sandbox }) => sandbox.name);
  return { sandboxes, time, made, lines, names };
}

function add(sandboxes: Sandboxes, name: string): Promise<unknown> {
  const { store } = sandboxes.get(name);
  return addCounted(store, 'pets', (n) => toItem(n, `"added ${n}"`));
}

async function textsOf(sandboxes: Sandboxes, name: string): Promise<string[]> {
  const store = sandboxes.find(name)?.sandbox.store;
  return (await store?.list('pets', { filters: {}, limit: 1000 })) ?? [];
}

it('makes a sandbox at its first use and gives the same one from then on', () => {
  const { sandboxes, names } = createCase();
  expect(names()).toEqual(['default']);
  const one = sandboxes.get('one');
  expect(sandboxes.get('one')).toBe(one);
  expect(sandboxes.enter('one').sandbox).toBe(one);
  expect(sandboxes.find('one')?.sandbox).toBe(one);
  expect(sandboxes.get('default')).toBe(sandboxes.defaultSandbox);
  expect(sandboxes.enter().sandbox).toBe(sandboxes.defaultSandbox);
  expect(names()).toEqual(['default', 'one']);
});

it('closes the sandbox whose use is longest ago when there are too many, never the default one', () => {
  const { sandboxes, names, lines, time } = createCase({ idle: 0 });
  for (const name of ['a', 'b', 'c', 'a', 'd']) {
    time.elapsed += 1;
    sandboxes.get(name);
  }
  expect(names()).toEqual(['default', 'd', 'a', 'c']);
  expect(lines).toEqual([
    'Sandbox "b" was closed: there are 3 others (--max-sandboxes), and it was the least recently used.',
  ]);
  for (let index = 0; index < 100; index++) sandboxes.get(`other-${index}`);
  expect(names()).toEqual(['default', 'other-99', 'other-98', 'other-97']);
  expect(lines).toHaveLength(101);
});

it('closes idle sandboxes at the next use of any, not before their time', () => {
  const { sandboxes, names, lines, time } = createCase();
  sandboxes.get('a');
  time.elapsed += 400;
  sandboxes.get('b');
  time.elapsed += 599;
  expect(names()).toEqual(['default', 'b', 'a']);
  time.elapsed += 1;
  sandboxes.get('default');
  expect(lines).toEqual(['Sandbox "a" was closed: it was not used for 1 s (--sandbox-idle).']);
  time.elapsed += 1_000_000;
  expect(names()).toEqual(['default']);
  expect(lines).toHaveLength(2);
});

it('takes looking for no use', () => {
  const { sandboxes, names, time } = createCase();
  sandboxes.get('a');
  for (let look = 0; look < 3; look++) {
    time.elapsed += 400;
    sandboxes.find('a');
  }
  expect(names()).toEqual(['default']);
});

it('closes none for being idle where 0 says so', () => {
  const { sandboxes, names, time } = createCase({ idle: 0 });
  sandboxes.get('a');
  time.elapsed += 1e12;
  expect(names()).toEqual(['default', 'a']);
});

it('closes none with a request under way, and counts its idle time from the end of the last one', () => {
  const { sandboxes, names, time } = createCase({ max: 2 });
  const first = sandboxes.enter('busy');
  const second = sandboxes.enter('busy');
  time.elapsed += 10_000;
  for (const name of ['a', 'b', 'c']) sandboxes.get(name);
  expect(names()).toEqual(['default', 'c', 'busy']);
  first.leave?.();
  time.elapsed += 10_000;
  expect(names()).toEqual(['default', 'busy']);
  second.leave?.();
  time.elapsed += 999;
  expect(names()).toEqual(['default', 'busy']);
  time.elapsed += 1;
  expect(names()).toEqual(['default']);
});

it('has more than the maximum rather than close what is under way', () => {
  const { sandboxes, names } = createCase({ max: 2 });
  const uses = ['a', 'b', 'c', 'd'].map((name) => sandboxes.enter(name));
  expect(names()).toEqual(['default', 'd', 'c', 'b', 'a']);
  for (const { leave } of uses) leave?.();
  sandboxes.get('e');
  expect(names()).toEqual(['default', 'e', 'd']);
});

it('tells when a sandbox was made and last used', () => {
  const { sandboxes, time } = createCase();
  const start = time.now;
  const { leave } = sandboxes.enter('a');
  time.now += 300;
  leave?.();
  time.now += 50;
  expect(sandboxes.find('a')).toMatchObject({ createdAt: start, lastUsedAt: start + 300 });
  sandboxes.get('default');
  expect(sandboxes.find('default')).toMatchObject({ createdAt: start, lastUsedAt: start + 350 });
});

it('makes a sandbox with settings of its own, and what is left out as the twin has it', async () => {
  const { sandboxes, made } = createCase();
  const plans = { free: { perMinute: 5, perDay: 10 } };
  const own = { seed: 7, items: 3, rateLimits: 'off', ban: false } as const;
  const { entry, isNew } = await sandboxes.put('a', { ...own, plans });
  expect(isNew).toBe(true);
  expect(await textsOf(sandboxes, 'a')).toEqual(Array(3).fill('"seed 7"'));
  const changed = { ...policy.plans, free: { ...free, ...plans.free } };
  expect(entry.sandbox.settings).toEqual({
    ...{ seed: 7, items: 3, rateLimits: 'off' },
    policy: { plans: changed, ban: false },
  });
  expect((await sandboxes.put('b', {})).entry.sandbox.settings).toEqual(settings);
  expect(made).toEqual(['7/3']);
});

const whole = 'must be a whole number from 0 to';
const fre = { fre: { perMinute: 1, perDay: 1 } };

it.each(
  Object.entries<object>({
    [`"seed" ${whole} 4294967295, but is 1.5.`]: { seed: 1.5 },
    [`"items" ${whole} 100000, but is 100001.`]: { items: 100_001 },
    '"items" and "pets" are the same option.': { items: 3, pets: 3 },
    '"rateLimits" must be one of enforce, observe, off, but is "on".': { rateLimits: 'on' },
    '"plans/fre" is not a plan of this mock. Plans are free, pro.': { plans: fre },
    'ban.withinSeconds must': { ban: { strikes: 1 } },
  }),
)('refuses what makes it say %s, and changes nothing', async (message, options) => {
  const { sandboxes, names, made } = createCase();
  await add(sandboxes, 'a');
  await expect(sandboxes.put('a', options)).rejects.toThrow(message);
  await expect(sandboxes.put('new', options)).rejects.toThrow(message);
  expect([names(), made]).toEqual([['default', 'a'], []]);
  expect(await textsOf(sandboxes, 'a')).toEqual(['"seed 1"', '"seed 1"', '"added 3"']);
});

it.each(['', '-a', '.', '..', '__proto__', 'a b', 'a/b', 'ä', 'x'.repeat(65)])(
  'makes no sandbox named %j',
  async (name) => {
    const { sandboxes, names } = createCase();
    const problem = 'The name of a sandbox must be 1 to 64 letters, digits and ._-';
    expect(() => sandboxes.get(name)).toThrow(problem);
    await expect(sandboxes.put(name)).rejects.toThrow(problem);
    expect([sandboxes.find(name), await sandboxes.delete(name)]).toEqual([undefined, false]);
    expect(names()).toEqual(['default']);
  },
);

it.each(['constructor', 'toString', 'hasOwnProperty', '0', 'a..b', 'x'.repeat(64)])(
  'takes the hostile name %j for a plain one',
  async (name) => {
    const { sandboxes, names } = createCase();
    expect(sandboxes.find(name)).toBeUndefined();
    await add(sandboxes, name);
    expect(await textsOf(sandboxes, name)).toHaveLength(3);
    expect(names()).toEqual(['default', name]);
    expect(await textsOf(sandboxes, 'default')).toEqual(['"seed 1"', '"seed 1"']);
    expect([await sandboxes.delete(name), sandboxes.find(name)]).toEqual([true, undefined]);
  },
);

it('deletes one or all but the default one, and makes them afresh at their next use', async () => {
  const { sandboxes, names, lines } = createCase();
  for (const name of ['a', 'b', 'default']) await add(sandboxes, name);
  expect([await sandboxes.delete('a'), await sandboxes.delete('a')]).toEqual([true, false]);
  expect(names()).toEqual(['default', 'b']);
  await expect(sandboxes.delete('default')).rejects.toThrow('cannot be deleted');
  sandboxes.get('c');
  expect(await sandboxes.deleteAll()).toBe(2);
  expect([await sandboxes.deleteAll(), names()]).toEqual([0, ['default']]);
  sandboxes.get('a');
  expect(await textsOf(sandboxes, 'a')).toEqual(['"seed 1"', '"seed 1"']);
  expect(await textsOf(sandboxes, 'default')).toHaveLength(3);
  expect(lines).toEqual([]);
});

it('leaves a sandbox alone that took the name of one that a request still uses', async () => {
  const { sandboxes, names, time } = createCase();
  const { leave } = sandboxes.enter('a');
  await sandboxes.delete('a');
  const next = sandboxes.get('a');
  time.elapsed += 999;
  leave?.();
  expect(sandboxes.find('a')?.sandbox).toBe(next);
  time.elapsed += 1;
  expect(names()).toEqual(['default']);
});

it('makes the same seeds once, also at one moment, and the twin its own not again', async () => {
  const { sandboxes, made } = createCase();
  await Promise.all(['a', 'b', 'c'].map((name) => sandboxes.put(name, { seed: 7, pets: 5 })));
  await sandboxes.put('a', { seed: 7, pets: 5 });
  await sandboxes.put('b', { seed: 1, pets: 2, rateLimits: 'off' });
  expect(made).toEqual(['7/5']);
});

it('keeps the seeds that were asked for last, but no large sets', async () => {
  const made: string[] = [];
  const makeSeeds = cacheSeeds(async ({ seed, items }) => {
    made.push(`${seed}/${items}`);
    return toPlainSeeds({ items });
  }, 1_000_000);
  for (let seed = 1; seed <= 17; seed++) await makeSeeds({ seed, items: 2 });
  await makeSeeds({ seed: 17, items: 2 });
  expect(made).toHaveLength(17);
  await makeSeeds({ seed: 1, items: 2 });
  for (let turn = 0; turn < 2; turn++) await makeSeeds({ seed: 1, items: 10_001 });
  expect(made.slice(17)).toEqual(['1/2', '1/10001', '1/10001']);
});

it('tries again to make seeds that could not be made, and leaves the sandbox as it is meanwhile', async () => {
  const { sandboxes, made, names } = createCase();
  await add(sandboxes, 'a');
  for (let turn = 0; turn < 2; turn++)
    await expect(sandboxes.put('a', { seed: 13 })).rejects.toThrow('no seeds');
  await expect(sandboxes.put('b', { seed: 13 })).rejects.toThrow('no seeds');
  expect(made).toEqual(['13/2', '13/2', '13/2']);
  expect(names()).toEqual(['default', 'a']);
  expect(await textsOf(sandboxes, 'a')).toHaveLength(3);
});
