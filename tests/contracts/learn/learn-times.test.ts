import { expect, it } from 'vitest';
import { learnTimes } from '../../../contracts/learn/learn.ts';
import type { Observation } from '../../../contracts/learn/observe.ts';

const operation = { method: 'GET', path: '/notes' };

const seen = (recorded: string, twin: string): Observation =>
  ({
    ...{ call: 'notes.har 1', operation },
    replayed: {
      response: { text: JSON.stringify({ made: recorded }) },
      differences: recorded === twin ? [] : [{ kind: 'form', at: '/made', recorded, twin }],
    },
  }) as unknown as Observation;

const own = '2026-11-05T09:00:00.123Z';
const other = '2026-11-05T09:00:00+00:00';

it('learns one form of times for all operations, or where some have the own one of some', () => {
  const line = { rule: ['times'], value: '2026-01-01T00:00:00+00:00' };
  expect(learnTimes([seen(other, own)])).toEqual([expect.objectContaining(line)]);
  expect(learnTimes([seen(other, own)])[0]).not.toHaveProperty('operation');
  expect(learnTimes([seen(other, own), seen(own, own)])).toEqual([
    expect.objectContaining({ ...line, operation }),
  ]);
  expect(learnTimes([seen(other, own), seen('2026-11-05 09:00:00', own)])).toEqual([]);
});
