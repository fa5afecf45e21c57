import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { filter } from '../../../contracts/checks/filter.ts';
import { pageSize } from '../../../contracts/checks/page-size.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';

/** A list with a limit and a filter, and the ids that it shows, of which the even ones are sold. */
type List = { limit?: number; status?: string; ids: number[]; code?: number };

const listed = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

function judge(check: typeof filter, lists: readonly List[]) {
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
  expect(judge(pageSize, lists).verdicts).toEqual(verdicts);
});

it.each([
  [0, ['no items were seen; testing the default of 20 takes 21']],
  [20, ['only 20 items could be seen; testing the default of 20 takes 21']],
  [21, ['only 21 items could be seen; testing the maximum of 100 takes 100']],
  [100, []],
])('says what %i items are too few for', (count, reasons) => {
  const ids = listed(1, count);
  expect(judge(pageSize, [{ limit: 100, ids }]).reasons).toEqual(reasons);
});

it.each<[what: string, List[], verdicts: boolean[]]>([
  ['of its value', [{ status: 'sold', ids: [2, 4] }], [ok]],
  ['of another value', [{ status: 'sold', ids: [2, 3] }], [false]],
  ['of any value', [{ ids: [2, 3] }], []],
  ['in an error', [{ status: 'sold', ids: [3], code: 400 }], []],
])('judges items %s in a filtered list', (_, lists, verdicts) => {
  expect(judge(filter, lists).verdicts).toEqual(verdicts);
});
