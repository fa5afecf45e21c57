import { expect, it } from 'vitest';
import {
  createRequestLog,
  noFilter,
  none,
  type RequestFilter,
  type RequestLog,
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

function shownOf(log: RequestLog, filter: Partial<RequestFilter> = {}): number[] {
  return log.shown({ ...noFilter, ...filter }).map(({ id }) => id);
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => toRequest(from + index));

it('shows the newest first, and holds a bounded number while it counts on', () => {
  const log = createRequestLog(10);
  for (let id = 1; id <= 100_000; id += 100) log.add(range(id, id + 99));
  expect(shownOf(log)).toEqual([
    100_000,
    ...range(99_991, 99_999)
      .map(({ id }) => id)
      .reverse(),
  ]);
  expect(log.counts()).toMatchObject({ total: 100_000, held: 10, dropped: 99_990, missed: 0 });
});

it('counts those that came before the journal, and those that it dropped', () => {
  const log = createRequestLog();
  log.add([toRequest(8, { count: 5 }), toRequest(9, { count: 6 }), toRequest(20, { count: 9 })]);
  expect(log.counts()).toMatchObject({ total: 9, held: 3, earlier: 4, missed: 2 });
});

it('begins anew where the journal was cleared', () => {
  const log = createRequestLog();
  log.add(range(1, 3));
  log.add([toRequest(9, { count: 1 })]);
  expect(shownOf(log)).toEqual([9]);
  expect(log.counts()).toMatchObject({ total: 1, missed: 0, note: 'cleared' });
  log.clear('restarted');
  expect(log.counts()).toMatchObject({ total: 0, held: 0, note: 'restarted' });
});

it('filters by operation, status, key and text, and offers what it saw', () => {
  const log = createRequestLog();
  const limits = { step: 'limits', plan: 'free', outcome: 'exceeded' } as const;
  const window = { limit: 60, remaining: 0, per: 'minute', reset: 1767225634 } as const;
  log.add([
    toRequest(1),
    toRequest(2, { status: 429, reason: { ...limits, window } }),
    toRequest(3, { operation: null, key: null, status: 404, url: '/v1/Nope' }),
    toRequest(4, { status: null, method: 'POST', operation: 'createPet' }),
  ]);
  const shownBy = (filter: Partial<RequestFilter>) => shownOf(log, filter);
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
  log.add([toRequest(5), toRequest(6, { status: 404 })]);
  expect(shownBy({ status: '404' })).toEqual([6, 3]);
  expect(log.seen()).toEqual({
    operations: ['createPet', 'listPets'],
    statuses: ['200', '404', '429'],
    keys: ['demo-free'],
  });
});

it('holds still while paused, and counts what comes', () => {
  const log = createRequestLog(4);
  log.add(range(1, 3));
  log.setPaused(true);
  log.add(range(4, 8));
  expect(shownOf(log)).toEqual([3, 2, 1]);
  expect(log.counts()).toMatchObject({ total: 8, waiting: 5 });
  expect(shownOf(log, { text: 'n=2' })).toEqual([2]);
  log.setPaused(false);
  expect(shownOf(log)).toEqual([8, 7, 6, 5]);
  expect(log.counts()).toMatchObject({ waiting: 0, dropped: 4 });
});
