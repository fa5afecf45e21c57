import { expect, it } from 'vitest';
import {
  describeEffect,
  describeHits,
  describeMatch,
  describeTurns,
  newFault,
  toFault,
} from '../../../../mock/extras/console/browser/faults-panel.ts';

/** Returns what the form sends for a draft. */
const sent = (draft: Partial<typeof newFault>) =>
  JSON.stringify(toFault({ ...newFault, ...draft }));

it.each<[Partial<typeof newFault>, string]>([
  [{}, '{"status":503}'],
  [
    { operation: 'listPets', key: 'demo-free', times: '2', answer: 'EMPTY_RESPONSE' },
    '{"operation":"listPets","key":"demo-free","times":2,"fault":"EMPTY_RESPONSE"}',
  ],
  [{ answer: 'delay', milliseconds: '300' }, '{"delay":{"type":"fixed","milliseconds":300}}'],
  [{ status: 'soon', times: '' }, '{"status":"soon"}'],
])('sends %j as %s', (draft, json) => {
  expect(sent(draft)).toBe(json);
});

it('describes a rule in words', () => {
  expect(describeMatch({})).toBe('all operations');
  expect(describeMatch({ operation: 'listPets', key: 'demo-free' })).toBe(
    'listPets with the key demo-free',
  );
  const rule = { id: 'a', calls: 0, hits: 0 };
  expect([1, 3].map((every) => describeTurns({ ...rule, every }))).toEqual([
    'every call',
    'one in 3 calls',
  ]);
  expect(describeTurns({ ...rule, probability: 0.1, seed: 7 })).toBe(
    'with probability 0.1, seed 7',
  );
  const delay = { type: 'fixed', milliseconds: 1500 } as const;
  expect(describeEffect({ ...rule, delay })).toBe('The normal response, after 1,500 ms');
  expect(describeEffect({ ...rule, status: 503, body: '', delay })).toBe(
    'Respond with 503 and a body, after 1,500 ms',
  );
  expect(describeHits({ ...rule, calls: 9, hits: 3, times: 5 })).toBe(
    'fired on 3 of 9 calls, 2 of 5 left',
  );
});
