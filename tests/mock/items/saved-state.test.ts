import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClock } from '../../../mock/clock.ts';
import { toItemId, toItemNumber } from '../../../mock/items/stored-item.ts';
import { createLimiter } from '../../../mock/limits/limiter.ts';
import type { ApiKey, LimitPolicy, Plan } from '../../../mock/limits/plans.ts';

const free: Plan = { name: 'free', perMinute: 4, perDay: 30 };
const pro: Plan = { name: 'pro', perMinute: 9, perDay: 90 };
const policy: LimitPolicy = {
  plans: { free, pro },
  ban: { strikes: 3, withinSeconds: 60, seconds: 100, maxSeconds: 400 },
};
const keys: ApiKey[] = ['a', 'b'].map((name) => ({ key: name, name, plan: free, own: {} }));

function createCase() {
  const clock = { at: Date.UTC(2026, 0, 15, 23, 50), now: () => clock.at };
  return { clock, limiter: createLimiter({ clock, mode: 'enforce', policy }) };
}

const steps = fc.array(
  fc.record({
    key: fc.constantFrom(...keys),
    wait: fc.integer({ min: 0, max: 40_000 }),
    change: fc.option(fc.constantFrom('plan', 'day', 'ban'), { freq: 20 }),
  }),
  { minLength: 5, maxLength: 80 },
);

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Returns what a limiter decides on calls, some of which an admin's change comes before. */
function decisionsOn({ clock, limiter }: ReturnType<typeof createCase>, all: Steps) {
  return all.map(({ key, wait, change }) => {
    clock.at += wait;
    if (change === 'plan') limiter.setPlan(key, 'pro');
    if (change === 'day') limiter.exhaust(key, 'day');
    if (change === 'ban') limiter.ban(key, 30);
    return { ...limiter.take(key), standing: limiter.standing(key) };
  });
}

it('decides as the limiter would have that saved, whoever went on since', () => {
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const source = createCase();
      decisionsOn(source, before);
      const { at } = source.clock;
      const saved = source.limiter.save();
      const copy = structuredClone(saved);
      const expected = decisionsOn(source, after);
      expect(saved).toEqual(copy);

      const copied = createCase();
      decisionsOn(copied, after);
      for (let turn = 0; turn < 2; turn++) {
        copied.clock.at = at;
        copied.limiter.load({ mode: 'enforce', policy }, saved);
        expect(decisionsOn(copied, after)).toEqual(expected);
      }
    }),
    { numRuns: 200 },
  );
});

it('saves nothing of a key that has used nothing', () => {
  const { limiter } = createCase();
  for (const key of keys) limiter.standing(key);
  expect(limiter.save()).toEqual(new Map());
  limiter.take(keys[0] as ApiKey);
  expect([...limiter.save().keys()]).toEqual(['a']);
});

it('brings a clock back that stands still, runs ahead, or runs with the system', () => {
  const system = { at: 1_000_000 };
  const clock = createClock(() => system.at);
  const look = () => [clock.now(), clock.frozen];
  clock.advance(5000);
  const ahead = clock.save();
  clock.freeze(7);
  clock.advance(3);
  const frozen = clock.save();
  clock.reset();
  const running = clock.save();
  system.at += 100;
  clock.load(frozen);
  expect(look()).toEqual([10, true]);
  clock.advance(1);
  clock.load(ahead);
  expect(look()).toEqual([1_005_100, false]);
  clock.load(frozen);
  expect(look()).toEqual([10, true]);
  clock.load(running);
  expect(look()).toEqual([1_000_100, false]);
  expect([ahead, frozen, running]).toEqual([{ offset: 5000 }, { frozenAt: 10 }, { offset: 0 }]);
});

it.each([{ type: 'integer' }, { type: 'string' }, { type: 'string', format: 'uuid' }, {}])(
  'tells the number of an id of %j',
  (schema) => {
    for (const n of [1, 9, 10, 255, 4096, 2 ** 47])
      expect(toItemNumber(String(toItemId(n, schema)), schema)).toBe(n);
    const others = [
      '',
      '0',
      '-1',
      '01',
      '1.0',
      'x',
      '9007199254740993',
      '00000000-0000-4000-8000-00000000000G',
      '00000000-0000-4000-9000-000000000001',
    ];
    for (const id of others) expect(toItemNumber(id, schema), id).toBeUndefined();
  },
);
