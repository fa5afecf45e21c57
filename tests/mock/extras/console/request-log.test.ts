import { expect, it } from 'vitest';
import {
  addRequests,
  emptyLog,
  noFilter,
  none,
  type RequestFilter,
  type RequestLog,
  seenIn,
  shownOf,
  togglePause,
} from '../../../../mock/extras/console/browser/request-log.ts';
import type { EntrySummary } from '../../../../mock/journal/entry.ts';

function toRequest(id: number, more: Partial<EntrySummary> = {}): EntrySummary {
  return {
    count: id,
    id,
    at: '2026-01-01T00:00:00.000Z',
    clock: '2026-01-01T00:00:00.000Z',
    sandbox: 'default',
    method: 'GET',
    url: `/v1/pets?n=${id}`,
    operation: 'listPets',
    unmatched: false,
    key: 'demo-free',
    status: 200,
    milliseconds: 1,
    reason: { step: 'behaviour', kind: 'list' },
    message: null,
    ...more,
  };
}

function idsIn(log: RequestLog, filter: Partial<RequestFilter> = {}): number[] {
  return shownOf(log, { ...noFilter, ...filter }).map(({ id }) => id);
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => toRequest(from + index));

it('shows the newest first, and holds a bounded number while it counts on', () => {
  let log = emptyLog;
  for (let id = 1; id <= 10_000; id += 100) log = addRequests(log, range(id, id + 99), 3);
  expect(idsIn(log)).toEqual([10_000, 9999, 9998]);
  expect(log.total).toBe(10_000);
});

it('begins anew where the journal was cleared', () => {
  const log = addRequests(addRequests(emptyLog, range(1, 3)), [toRequest(9, { count: 1 })]);
  expect([idsIn(log), log.total]).toEqual([[9], 1]);
});

it('filters by operation, status, key and text, and offers what it holds', () => {
  const limits = { step: 'limits', plan: 'free', outcome: 'exceeded' } as const;
  const window = { limit: 60, remaining: 0, per: 'minute', reset: 1767225634 } as const;
  const log = addRequests(emptyLog, [
    toRequest(1),
    toRequest(2, { status: 429, reason: { ...limits, window } }),
    toRequest(3, { operation: null, key: null, status: 404, url: '/v1/Nope' }),
    toRequest(4, { status: null, method: 'POST', operation: 'createPet' }),
  ]);
  const shownBy = (filter: Partial<RequestFilter>) => idsIn(log, filter);
  expect(shownBy({})).toEqual([4, 3, 2, 1]);
  expect(shownBy({ operation: 'listPets' })).toEqual([2, 1]);
  expect(shownBy({ operation: none })).toEqual([3]);
  expect(shownBy({ status: '4xx' })).toEqual([3, 2]);
  expect(shownBy({ status: '429' })).toEqual([2]);
  expect(shownBy({ status: none })).toEqual([4]);
  expect(shownBy({ key: none })).toEqual([3]);
  expect(shownBy({ text: 'nope' })).toEqual([3]);
  expect(shownBy({ text: 'MINUTE OF demo-free' })).toEqual([2]);
  expect(shownBy({ text: 'post', status: '2xx' })).toEqual([]);
  expect(seenIn(log, 'operation')).toEqual(['createPet', 'listPets']);
  expect(seenIn(log, 'status', ['4xx'])).toEqual(['200', '404', '429', '4xx']);
});

it('holds still while paused, and counts what comes', () => {
  const paused = addRequests(togglePause(addRequests(emptyLog, range(1, 3))), range(4, 8));
  expect([idsIn(paused), paused.paused?.waiting, paused.total]).toEqual([[3, 2, 1], 5, 8]);
  expect(idsIn(togglePause(paused))).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
});
