import { expect, it } from 'vitest';
import { learnOrders } from '../../../contracts/learn/learn-lists.ts';
import type { Observation } from '../../../contracts/learn/observe.ts';

const resource = { idProperty: 'id' };
const order = { kind: 'order', at: '' };

/** A call of a recording: a create, or a list of items by their ids. */
function observe(kind: 'create' | 'list', ids: readonly string[]): Observation {
  const operation = { method: kind === 'list' ? 'GET' : 'POST', path: '/notes', kind };
  const items = ids.map((id) => ({ id, at: '09:00' }));
  const replayed = { outcome: 'success', differences: [order], response: { json: items } };
  const [after] = kind === 'create' ? items : [];
  return { call: 'a.har 1', operation, resource, replayed, after } as unknown as Observation;
}

it.each([
  ['older items last', [['m']], [['m', 'x', 'b']], 'newest-first'],
  ['an older item first', [['b'], ['q']], [['m', 'q', 'b']], undefined],
  ['older items alone', [['x']], [['d', 'b', 'c']], undefined],
  [
    'lists that contradict each other',
    [['x']],
    [
      ['x', 'y'],
      ['y', 'x'],
    ],
    undefined,
  ],
])('learns the order of a list with %s', (_, created, lists, expected) => {
  const calls = [
    ...created.map((ids) => observe('create', ids)),
    ...lists.map((ids) => observe('list', ids)),
  ];
  expect(learnOrders(calls)[0]?.value).toBe(expected);
});
