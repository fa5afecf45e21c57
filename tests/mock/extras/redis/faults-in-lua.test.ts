import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSandboxKeys } from '../../../../mock/extras/redis/keys.ts';
import { faultsScript } from '../../../../mock/extras/redis/scripts.ts';
import { createFaultRules, type NewFaultRule } from '../../../../mock/faults/fault-rules.ts';
import { hashOf } from '../../../../mock/faults/random.ts';
import { useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';

const redis = useRedis();
let opened = 0;

/** Counts calls for these faults in a sandbox of its own; gives the place of the one that fires. */
async function openFaults(rules: readonly NewFaultRule[]) {
  const keys = toSandboxKeys('test', `faults-${++opened}`);
  await redis.connection.send(keys.head, 'HSET', keys.head, 'epoch', '1', 'control', '1');
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return async () => {
    const reply = (await redis.connection.run(
      faultsScript,
      [keys.head, keys.faults],
      [
        '1',
        '1',
        ...rules.flatMap(({ id = '', every, probability, seed, times }) => [
          id,
          text(every),
          text(probability),
          text(seed ?? hashOf(`0: ${id}`)),
          text(times),
        ]),
      ],
    )) as [status: string, first: number];
    expect(reply[0]).toBe('same');
    return reply[1];
  };
}

describeWithRedis('faults in Redis', () => {
  const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const rules = fc.array(
    fc.record({
      every: optional(fc.integer({ min: 1, max: 4 })),
      probability: optional(fc.double({ min: 0, max: 1, noNaN: true })),
      seed: optional(fc.integer({ min: 0, max: 2 ** 32 - 1 })),
      times: optional(fc.integer({ min: 1, max: 5 })),
    }),
    { minLength: 1, maxLength: 4 },
  );

  it('fire at the same calls as faults in memory', async () => {
    await fc.assert(
      fc.asyncProperty(rules, async (given) => {
        const named = given.map((rule, at) => ({
          id: `fault-${at + 1}`,
          ...Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)),
        }));
        const inMemory = createFaultRules({ seed: () => 0 });
        inMemory.replace(named);
        const count = await openFaults(named);
        for (let call = 0; call < 25; call++) {
          const hit = inMemory.decide({ operation: 'listPets' });
          const first = await count();
          expect(named[first - 1]?.id).toBe(hit?.rule);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('fire at every third of many calls at once', async () => {
    const count = await openFaults([{ id: 'a', every: 3 }]);
    const fired = await Promise.all(Array.from({ length: 300 }, count));
    expect(fired.filter((first) => first === 1)).toHaveLength(100);
  });

  it('fire no more often than so many times', async () => {
    const count = await openFaults([{ id: 'a', times: 7 }]);
    const fired = await Promise.all(Array.from({ length: 50 }, count));
    expect(fired.filter((first) => first === 1)).toHaveLength(7);
  });
});
