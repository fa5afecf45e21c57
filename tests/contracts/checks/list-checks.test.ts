import { expect, it, vi } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { filter } from '../../../contracts/checks/filter.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { pageSize } from '../../../contracts/checks/page-size.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { resultOf, rowOf, verifyDeployment } from '../../support/verify-deployment.ts';

/** A list with a limit and a filter, and the ids that it shows, of which the even ones are sold. */
type List = { limit?: number; status?: string; ids: number[]; code?: number };

const listed = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

function judgeLists(check: Pick<typeof filter, 'judge'>, lists: readonly List[]) {
  const operation = document.operations.find(({ id }) => id === 'listPets');
  const given = lists.map(({ limit, status, ids, code = 200 }, at) => {
    const filters = status === undefined ? {} : { status };
    const purpose = { kind: 'list', filters, ...(limit !== undefined && { limit }) };
    const sent = { method: 'GET', path: '/pets', credential: 'valid', priority: 1, writes: false };
    const body = ids.map((id) => ({
      ...{ id, name: `Pet ${id}`, categoryId: 1 },
      status: id % 2 ? 'available' : 'sold',
    }));
    return { case: { id: `list/${at}`, operation, purpose, ...sent } as Case, status: code, body };
  });
  const verdicts: boolean[] = [];
  const reasons: string[] = [];
  check.judge(answeredTranscript(given), {
    hold: (isHeld) => verdicts.push(isHeld),
    inconclusive: (reason) => reasons.push(reason),
  });
  return { verdicts, reasons };
}

const ok = true;

it.each<[what: string, List[], verdicts: boolean[]]>([
  ['as many as the limit', [{ limit: 2, ids: [1, 2] }], [ok, ok]],
  ['more than the limit', [{ limit: 2, ids: [1, 2, 3] }], [ok, false]],
  ['more than the default', [{ ids: listed(1, 21) }], [ok, false]],
  ['more than the maximum', [{ limit: 100, ids: listed(1, 101) }], [false, false]],
  ['none where there are none', [{ limit: 2, ids: [] }], [ok, ok]],
  ['an error', [{ limit: 2, ids: [1, 2, 3], code: 400 }], []],
  [
    'fewer than were seen',
    [{ limit: 100, ids: listed(1, 30) }, { ids: listed(1, 5) }],
    [ok, ok, ok, ok, false],
  ],
])('judges a list of %s', (_, lists, verdicts) => {
  expect(judgeLists(pageSize, lists).verdicts).toEqual(verdicts);
});

it.each<[limit: number, verdicts: boolean[]]>([
  [2, [false]],
  [0, []],
])('judges a list longer than a limit of %i that no clause words', (limit, all) => {
  const { byItself = pageSize } = pageSize;
  expect(judgeLists(byItself, [{ limit, ids: [1, 2, 3] }]).verdicts).toEqual(all);
});

it.each([
  [0, ['no items were seen; testing the default of 20 takes 21']],
  [20, ['only 20 items could be seen; testing the default of 20 takes 21']],
  [21, ['only 21 items could be seen; testing the maximum of 100 takes 100']],
  [100, []],
])('says what %i items are too few for', (count, reasons) => {
  const ids = listed(1, count);
  expect(judgeLists(pageSize, [{ limit: 100, ids }]).reasons).toEqual(reasons);
});

it.each<[what: string, List[], verdicts: boolean[]]>([
  ['of its value', [{ status: 'sold', ids: [2, 4] }], [ok]],
  ['of another value', [{ status: 'sold', ids: [2, 3] }], [false]],
  ['of any value', [{ ids: [2, 3] }], []],
  ['in an error', [{ status: 'sold', ids: [3], code: 400 }], []],
])('judges items %s in a filtered list', (_, lists, verdicts) => {
  expect(judgeLists(filter, lists).verdicts).toEqual(verdicts);
});

// Most of a run waits.
vi.setConfig({ maxConcurrency: 3, testTimeout: 240_000 });

async function judgeRow(id: string) {
  return judge(await recordTranscript(rowOf(id)), checks);
}

it.concurrent.each([
  'list-limit-ignored',
  'list-newest-30',
  'list-filtered-20',
  'list-over-50-is-20',
  'list-now-and-then-half',
])(
  'says of %s that lists are too short, and of no item that it is gone, lost or changed by others',
  async (id) => {
    const { findings, results } = await judgeRow(id);
    const ids = findings.filter(({ verdict }) => verdict === 'drift').map(({ check }) => check);
    expect([...new Set(ids)]).toEqual(['page-size']);
    expect(
      results.map(({ reason }) => reason).filter((reason) => reason?.includes('another client')),
    ).toEqual([]);
    expect(results.find(({ check }) => check.id === 'filter')?.verdict).toBe('inconclusive');
  },
);

it.concurrent.each([
  ['safety-create-evicts', 'reads-change-nothing'],
  ['create-not-in-filtered-list', 'listed-when-created'],
  ['filter-lacks-the-last', 'filter'],
])('says of %s what %s finds, as its lists keep limits', async (id, check) => {
  expect((await judgeRow(id)).findings.map((finding) => finding.check)).toContain(check);
});

async function verifyRow(id: string): Promise<Report> {
  const only = ['rate-limit-countdown', 'rate-limit-refusal', 'retry-works', 'keys-isolated'];
  return (await verifyDeployment(rowOf(id), { probeLimits: true, fill: true, only })).report;
}

it('tells nothing of the counters of keys that another client uses', async () => {
  const report = await verifyRow('fair-key-shared-in-bursts');
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect(resultOf(report, 'rate-limit-countdown')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^another client uses keys? .*\bpro-1\b.*: Remaining falls by more than our calls$/,
    ),
  });
}, 60_000);

it('blames a deployment whose counters fall too fast alike each time', async () => {
  const report = await verifyRow('headers-remaining-falls-by-two');
  expect(resultOf(report, 'rate-limit-countdown')?.verdict).toBe('drift');
}, 60_000);

it('counts no refused credential as a call of the key that it was made from', async () => {
  const { mutate } = rowOf('limit-shared-by-all-keys');
  const reset = Math.floor(Date.now() / 1000) + 60;
  const { report } = await verifyDeployment(
    {
      mutate: (truth, tools) => {
        const row = mutate?.(truth, tools);
        const meter = row?.meter ?? truth.meter;
        return { ...row, meter: (...call) => ({ ...meter(...call), reset }) };
      },
    },
    { probeLimits: true, fill: true },
  );
  expect(resultOf(report, 'keys-isolated')?.verdict).toBe('drift');
}, 60_000);
