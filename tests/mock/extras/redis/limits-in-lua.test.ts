import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSandboxKeys } from '../../../../mock/extras/redis/keys.ts';
import { enterScript, giveBackScript } from '../../../../mock/extras/redis/scripts.ts';
import {
  type Fields,
  readDecision,
  readLimits,
  toLimitArgs,
  toMinuteArgs,
  toUsageFields,
} from '../../../../mock/extras/redis/usage.ts';
import { createLimiter, type LimitRules } from '../../../../mock/limits/limiter.ts';
import type { ApiKey } from '../../../../mock/limits/plans.ts';
import { useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';
import { moves, plans } from '../../limits/limit-histories.ts';
import {
  free,
  keyOn,
  limiterConformance,
  minute,
  noon,
  type TestedLimiter,
} from '../../limits/limiter-conformance.ts';

const redis = useRedis();
let opened = 0;

/** The limiter of a sandbox of its own, whose clock stands where the test sets it. */
async function openLimiter(rules: LimitRules, clock: { at: number }) {
  const keys = toSandboxKeys('test', `limiter-${++opened}`);
  const local = createLimiter({ clock: { now: () => clock.at }, ...rules });
  const readFields = async (): Promise<Fields> => {
    const list = (await redis.connection.send(keys.usage, 'HGETALL', keys.usage)) as string[];
    return Object.fromEntries(
      Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at], list[2 * at + 1]]),
    );
  };
  const head = ['epoch', '1', 'control', '1', 'version', '0', 'tip', '', 'base', '0'];
  const limiter: TestedLimiter & { readFields: typeof readFields } = {
    async take(key) {
      if (rules.mode === 'off') return local.take(key);
      await redis.connection.send(keys.head, 'HSET', keys.head, ...head, 'clock', `=${clock.at}`);
      const reply = (await redis.connection.run(
        enterScript,
        [keys.head, keys.log, keys.usage],
        ['1', '1', '0', '', '0', ...toLimitArgs(key, local.planOf(key), rules)],
      )) as [status: string, ...unknown[]];
      expect(reply[0]).toBe('same');
      return readDecision(reply[5] as string[]);
    },
    giveBack: ({ key }, at) =>
      redis.connection.run(
        giveBackScript,
        [keys.usage],
        [key, String(at), ...toMinuteArgs(rules.policy)],
      ),
    async standing(key) {
      local.load(rules, readLimits(await readFields()));
      return local.standing(key);
    },
    readFields,
  };
  return limiter;
}

describeWithRedis('limits in Redis', () => {
  limiterConformance('the limiter in Redis', openLimiter);

  const policies = fc.option(
    fc.record({
      strikes: fc.integer({ min: 1, max: 4 }),
      withinSeconds: fc.integer({ min: 1, max: 120 }),
      seconds: fc.integer({ min: 1, max: 90 }),
      maxSeconds: fc.integer({ min: 90, max: 200 }),
    }),
    { nil: false as const },
  );

  const windows = fc.option(
    fc.record({
      seconds: fc.constantFrom(1, 7, 60, 3600),
      from: fc.constantFrom('utc', 'first-call'),
    }),
    { nil: undefined },
  );

  it('decides, counts and stores what the limiter in memory does, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(plans, plans),
        policies,
        windows,
        fc.constantFrom('enforce', 'observe'),
        fc.array(fc.record({ key: fc.nat(1), move: moves }), { minLength: 20, maxLength: 60 }),
        async (figures, ban, minute, mode, steps) => {
          const policy = { plans: { free }, ban, ...(minute && { minute }) };
          const rules: LimitRules = { mode, policy };
          const clock = { at: noon };
          const inMemory = createLimiter({ clock: { now: () => clock.at }, ...rules });
          const inRedis = await openLimiter(rules, clock);
          const keys = figures.map((plan, index) => keyOn(plan, `key-${index}`));
          for (const { key: index, move } of steps) {
            clock.at = move(clock.at);
            const key = keys[index] as ApiKey;
            expect(await inRedis.take(key)).toEqual(inMemory.take(key));
          }
          const fields = await inRedis.readFields();
          const inOrder = (state: ReturnType<typeof readLimits>) =>
            [...state].toSorted(([left], [right]) => (left < right ? -1 : 1));
          expect(inOrder(readLimits(fields))).toEqual(inOrder(inMemory.save()));
          expect(readLimits(toUsageFields(readLimits(fields)))).toEqual(readLimits(fields));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('forgets the same windows as the limiter in memory', async () => {
    const rules: LimitRules = { mode: 'observe', policy: { plans: { free }, ban: false } };
    const clock = { at: noon };
    const inMemory = createLimiter({ clock: { now: () => clock.at }, ...rules });
    const inRedis = await openLimiter(rules, clock);
    const key = keyOn();
    for (let call = 0; call < 250; call++) {
      clock.at = noon + ((call * 37) % 140) * minute;
      inMemory.take(key);
      await inRedis.take(key);
    }
    const [[, expected] = []] = inMemory.save();
    const [[, stored] = []] = readLimits(await inRedis.readFields());
    expect([...(stored?.minute ?? [])]).toEqual([...(expected?.minute ?? [])]);
  });

  it('lets exactly as many of many calls at once through as the plan says', async () => {
    const rules: LimitRules = { mode: 'enforce', policy: { plans: { free }, ban: false } };
    const limiter = await openLimiter(rules, { at: noon });
    const taken = await Promise.all(Array.from({ length: 300 }, () => limiter.take(keyOn())));
    expect(taken.filter(({ outcome }) => outcome === 'allowed')).toHaveLength(60);
  });
});
