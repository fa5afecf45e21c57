import { count } from '../cli/count.ts';
import { countOf, isList } from '../transcript/items.ts';
import { valueAt } from '../transcript/place.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { type Check, called, shown } from './check.ts';
import { describedCounts } from './described-counts.ts';

/**
 * What a list says of how many items there are fits the items in the same answer, whatever others
 * create and delete meanwhile.
 */
export const trueCounts: Check = {
  id: 'true-counts',
  clause: {
    basis: 'none',
    source: 'the document',
    text: 'The counts that a list is described with fit the items that it shows.',
  },
  unheld: 'no list with a count was received',
  cases: ['list'],
  needs: 'a count of a list',
  isStatedByNeed: true,
  part: 'body',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'list', 'observed', 'count')) {
      const { operation } = exchange.case;
      if (exchange.response.status >= 300 || !operation || !isList(exchange)) continue;
      const length = countOf(exchange);
      for (const { role, path } of describedCounts(transcript.document, operation)) {
        const value = valueAt(exchange.response.json, path);
        if (typeof value !== 'number' && typeof value !== 'bigint') continue;
        const isTrue = role === 'total' ? value >= length : Number(value) === length;
        judge.hold(isTrue, exchange, () => ({
          message: `${called(exchange)} says "${path.join('.')}": ${shown(value)}, and lists ${count(length, 'item')}`,
          expected: role === 'total' ? `at least ${length}` : String(length),
          actual: shown(value),
        }));
      }
    }
  },
};
