import { expect, it } from 'vitest';
import {
  fits,
  noFilter,
  none,
  type RequestFilter,
  seenIn,
} from '../../../../mock/extras/console/browser/requests-panel.ts';
import type { EntrySummary } from '../../../../mock/journal/entry.ts';

function toRequest(id: number, more: Partial<EntrySummary> = {}): EntrySummary {
  return {
    id,
    at: '2026-01-01T00:00:00.000Z',
    clock: '2026-01-01T00:00:00.000Z',
    sandbox: 'default',
    method: 'GET',
    url: `/v1/pets?n=${id}`,
    operation: 'listPets',
    unmatched: false,
    key: 'demo-free',
    traceparent: null,
    status: 200,
    milliseconds: 1,
    reason: { step: 'behaviour', kind: 'list' },
    message: null,
    ...more,
  };
}

it('filters by operation, status, key and text, and offers what it holds', () => {
  const limits = { step: 'limits', plan: 'free', outcome: 'exceeded' } as const;
  const window = { limit: 60, remaining: 0, per: 'minute', reset: 1767225634 } as const;
  const requests = [
    toRequest(1),
    toRequest(2, { status: 429, reason: { ...limits, window } }),
    toRequest(3, { operation: null, key: null, status: 404, url: '/v1/Nope' }),
    toRequest(4, { status: null, method: 'POST', operation: 'createPet' }),
  ];
  const shownBy = (filter: Partial<RequestFilter>) =>
    requests.filter((one) => fits(one, { ...noFilter, ...filter })).map(({ id }) => id);
  expect(shownBy({})).toEqual([1, 2, 3, 4]);
  expect(shownBy({ operation: 'listPets' })).toEqual([1, 2]);
  expect(shownBy({ operation: none })).toEqual([3]);
  expect(shownBy({ status: '4xx' })).toEqual([2, 3]);
  expect(shownBy({ status: '429' })).toEqual([2]);
  expect(shownBy({ status: none })).toEqual([4]);
  expect(shownBy({ key: none })).toEqual([3]);
  expect(shownBy({ text: 'nope' })).toEqual([3]);
  expect(shownBy({ text: 'MINUTE OF demo-free' })).toEqual([2]);
  expect(shownBy({ text: 'post', status: '2xx' })).toEqual([]);
  expect(seenIn(requests, 'operation')).toEqual(['createPet', 'listPets']);
  expect(seenIn(requests, 'status', ['4xx'])).toEqual(['200', '404', '429', '4xx']);
});
