import { count } from '../../common/cli/count.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { type Check, called, type Judge, shown as shownValue } from '../clauses/check.ts';
import { describedCounts } from '../document/described-counts.ts';
import { countOf, idOf, isList, itemsIn } from '../transcript/items.ts';
import { readLastWalk } from '../transcript/page-walks.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/**
 * Checks that the counts in a list fit the items in the same response, whatever other clients
 * create and delete.
 */
export const trueCounts: Check = {
  id: 'true-counts',
  clause: {
    basis: 'described',
    source: 'the document',
    text: 'The counts that a list is described with fit the items that it shows.',
  },
  unheld: 'no list with a count was received',
  cases: ['list'],
  needsCases: ['list', 'create', 'page'],
  needs: 'a count of a list',
  isStatedByNeed: true,
  part: 'body',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'list', 'observed', 'count', 'page')) {
      const { operation } = exchange.case;
      if (exchange.response.status >= 300 || !operation || !isList(exchange)) continue;
      const length = countOf(exchange);
      for (const { role, path } of describedCounts(transcript.document, operation)) {
        const value = valueIn(exchange.response.json, path);
        if (typeof value !== 'number' && typeof value !== 'bigint') continue;
        const isTrue = role === 'total' ? value >= length : Number(value) === length;
        judge.hold(isTrue, exchange, () => ({
          message: `${called(exchange)} says "${path.join('.')}": ${shownValue(value)}, and lists ${count(length, 'item')}`,
          expected: role === 'total' ? `at least ${length}` : String(length),
          actual: shownValue(value),
        }));
      }
    }
    for (const resource of transcript.document.resources) judgeWalk(transcript, judge, resource);
  },
};

/** Items of the run's own are there as long as their list is read page by page. */
function judgeWalk(transcript: Transcript, judge: Judge, resource: Resource): void {
  const { list } = resource.operations;
  const { pages = [] } = readLastWalk(transcript, resource) ?? {};
  const own = new Set(pages[0]?.case.purpose.expected);
  const shown = new Set(
    pages.flatMap(itemsIn).flatMap((item) => idOf(item, resource.idProperty) ?? []),
  ).intersection(own).size;
  const totals = list ? describedCounts(transcript.document, list) : [];
  for (const { path } of totals.filter(({ role }) => role === 'total'))
    for (const page of pages) {
      const value = valueIn(page.response.json, path);
      if (typeof value !== 'number' && typeof value !== 'bigint') continue;
      judge.hold(value >= shown, page, () => ({
        message: `${called(page)} says "${path.join('.')}": ${shownValue(value)}, and its pages list ${count(shown, 'item')} that the run created`,
        expected: `at least ${shown}`,
        actual: shownValue(value),
      }));
    }
}
