import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Behaviour, Call } from '../../../mock/behaviours/behaviour.ts';
import { type CallOptions, compose, type Interception } from '../../../mock/call/steps.ts';
import type { Extra } from '../../../mock/extra.ts';
import type { Operation } from '../../../openapi/index.ts';
import { createSend } from '../../support/create-send.ts';
import { bearer, startTwin } from '../../support/twin.ts';

/** The phases of a call with a body, from the first to the last. */
const phases: readonly Interception['phase'][] = [
  'around credentials',
  'before input',
  'around body',
  'before behaviour',
  'around behaviour',
  'around kind',
  'before sending',
];

const about = [{} as Operation, {} as CallOptions] as const;

it('brings a call to the phases in their order, whatever the order of extras', async () => {
  const noted: string[] = [];
  const toExtra = (order: number): Extra => {
    const toStep = (phase: string) => (call: never, next: (call: never) => never) => {
      noted.push(`${phase} ${order}`);
      return next(call);
    };
    const steps = phases.map((phase) => ({ phase, order, of: () => toStep(phase) }));
    return () => ({ steps: steps.toReversed() as unknown as Interception[] });
  };
  const { origin } = await startTwin({ extras: [toExtra(2), toExtra(1)] });
  const send = createSend(origin, bearer('demo-pro'));
  const { status } = await send('POST', '/v1/pets', { name: 'Rex', categoryId: 1 });
  expect(status).toBe(201);
  expect(noted).toEqual(phases.flatMap((phase) => [`${phase} 1`, `${phase} 2`]));
});

it('brings a call to the steps of a phase by their numbers, until one answers', async () => {
  const numbers = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(numbers, fc.nat(), async (orders, at) => {
      const noted: number[] = [];
      const sorted = orders.toSorted((one, other) => one - other);
      const answering = sorted[at % orders.length];
      const answer: Behaviour = async () => ({ status: 204, text: '', mediaType: '' });
      const toStep = (order: number) => async (call: Call, next: Behaviour) => {
        noted.push(order);
        return order === answering ? answer(call) : next(call);
      };
      const unreached: Behaviour = () => Promise.reject(new Error('reached'));
      const steps = orders.map((order): Interception => {
        return { phase: 'around kind', order, of: () => toStep(order) };
      });
      await compose('around kind', steps, unreached, ...about)({} as Call);
      expect(noted).toEqual(sorted.slice(0, sorted.indexOf(answering as number) + 1));
    }),
  );
});

it('brings only requests that may have preferences to the steps of these', async () => {
  const noted: string[] = [];
  const steps: Interception[] = (['a', 'b'] as const).map((name, order) => ({
    phase: 'around kind',
    order,
    onPreference: name === 'a',
    of: () => (call, next) => {
      noted.push(name);
      return next(call);
    },
  }));
  const made: Behaviour = async () => ({ status: 204, text: '', mediaType: '' });
  const whole = compose('around kind', steps, made, ...about);
  await whole({} as Call);
  await whole({ mayPrefer: true } as Call);
  expect(noted).toEqual(['b', 'a', 'b']);
});

it('leaves what is done as it is where no step has anything to do', () => {
  const made: Behaviour = async () => ({ status: 204, text: '', mediaType: '' });
  const steps: Interception[] = [
    { phase: 'around kind', order: 1, of: () => undefined },
    { phase: 'around behaviour', order: 1, of: () => (call, next) => next(call) },
  ];
  expect(compose('around kind', steps, made, ...about)).toBe(made);
});
