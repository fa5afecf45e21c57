import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Delay } from '../../../mock/faults/delay.ts';
import type { NewFaultRule } from '../../../mock/faults/fault-rules.ts';
import type { SandboxOptions } from '../../../mock/sandboxes/sandbox-options.ts';
import {
  initialStateOf,
  loadState,
  parseState,
  saveState,
  toStateText,
} from '../../../mock/sandboxes/sandbox-state.ts';
import { createPlainParts } from './plain-parts.ts';
import { toKey } from './plain-settings.ts';

const start = Date.UTC(2026, 0, 15);

const createParts = (options: SandboxOptions = {}) =>
  createPlainParts('a', { options }, { now: () => start });

type Parts = ReturnType<typeof createParts>;

const delay: fc.Arbitrary<Delay> = fc.oneof(
  fc.record({ type: fc.constant('fixed' as const), milliseconds: fc.nat(1000) }),
  fc.record({ type: fc.constant('uniform' as const), lower: fc.nat(10), upper: fc.constant(99) }),
  fc.record({ type: fc.constant('lognormal' as const), median: fc.nat(99), sigma: fc.constant(1) }),
);
const rule: fc.Arbitrary<NewFaultRule> = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'fault-1'),
    operation: fc.constantFrom('listPets', 'getPet'),
    every: fc.integer({ min: 1, max: 4 }),
    probability: fc.constantFrom(0.2, 0.5),
    seed: fc.nat(3),
    times: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(500, 503),
    body: fc.constantFrom('{"a":9007199254740993}', '\u00c3\u00a9'),
    delay,
  },
  { requiredKeys: [] },
);
const action = fc.oneof(
  fc.record({ act: fc.constant('put' as const), rule }),
  fc.record({ act: fc.constant('remove' as const), id: fc.constantFrom('a', 'b', 'fault-1') }),
  fc.record({
    act: fc.constant('call' as const),
    operation: fc.constantFrom('listPets', 'getPet'),
  }),
  fc.record({ act: fc.constant('delay' as const), delay: fc.option(delay) }),
  fc.record({ act: fc.constant('wait' as const) }),
  fc.record({ act: fc.constant('freeze' as const), at: fc.nat() }),
  fc.record({ act: fc.constant('advance' as const), by: fc.nat() }),
  fc.record({ act: fc.constant('run' as const) }),
  fc.record({ act: fc.constant('take' as const), key: fc.constantFrom('one', 'two') }),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Does something, and gives what can be seen of it. */
function perform({ clock, latency, faults, limiter }: Parts, todo: Action): unknown {
  switch (todo.act) {
    case 'put':
      return faults.put(todo.rule);
    case 'remove':
      return faults.remove(todo.id);
    case 'call': {
      const { random, ...hit } = faults.decide({ operation: todo.operation }) ?? {};
      return [hit, random?.()];
    }
    case 'delay':
      return latency.change({ delayDistribution: todo.delay });
    case 'wait':
      return latency.next();
    case 'freeze':
      return clock.freeze(todo.at);
    case 'advance':
      return clock.advance(todo.by);
    case 'run':
      return clock.reset();
    case 'take':
      return limiter.take(toKey(todo.key));
  }
}

const actions = fc.array(action, { maxLength: 20 });

it('goes on from a state as JSON as it would have without', () => {
  fc.assert(
    fc.property(actions, actions, (before, after) => {
      const [first, second] = [createParts(), createParts()];
      for (const one of before) perform(first, one);
      const text = toStateText(saveState(first));
      perform(second, { act: 'put', rule: { id: 'gone' } });
      loadState(second, parseState(text));
      expect(toStateText(saveState(second))).toBe(text);
      for (const one of after) expect(perform(second, one)).toEqual(perform(first, one));
      expect(second.clock.now()).toBe(first.clock.now());
      expect(second.faults.list()).toEqual(first.faults.list());
      expect(second.latency.settings).toEqual(first.latency.settings);
    }),
    { numRuns: 300 },
  );
});

it('begins with the state of a sandbox that nobody has changed', () => {
  const options = { pets: 3 };
  const { start, ...state } = initialStateOf(options);
  expect(state).toEqual(saveState(createParts(options)));
  expect(start).not.toBe(initialStateOf(options).start);
});
