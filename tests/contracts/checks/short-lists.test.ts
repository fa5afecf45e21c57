import { expect, it, vi } from 'vitest';
import { checks } from '../../../contracts/checks/index.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { rowOf } from '../../support/verify-deployment.ts';

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
