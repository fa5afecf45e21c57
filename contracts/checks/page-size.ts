import { count } from '../../common/cli/count.ts';
import type { Resource } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { type Check, called, clauseOf } from '../clauses/check.ts';
import { defaultPageSize } from '../document/stated.ts';
import { neverFound } from '../transcript/created-items.ts';
import type { Answer } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { countOf, itemsOf } from '../transcript/items.ts';
import { recordsOf, type Sighting } from '../transcript/ledger.ts';
import { answeredFor, askedOf, type Transcript } from '../transcript/transcript.ts';
import { type Filters, fits, listedResource, wholeLists } from '../transcript/whole-lists.ts';

/**
 * A list holds at most as many items as the limit or its default allows, never more than the
 * maximum, and fewer only when there are no more.
 */
export const pageSize: Check = {
  id: 'page-size',
  clause: clauseOf('page-size'),
  unheld: 'no valid call was answered with a list',
  cases: ['list'],
  needsCases: ['list', 'limit-out-of-range', 'items'],
  needs: 'the clause itself',
  follows: ['page-size'],
  byItself: {
    needs: 'a limit with bounds or a default',
    general: 'A list has at most as many items as the limit that was sent, or its default.',
    unheld: 'no call with a limit or its default was answered with a list',
    judge(transcript, judge) {
      for (const exchange of answeredFor(transcript, 'list')) {
        const { limit: asked } = exchange.case.purpose;
        const resource = listedResource(transcript, exchange);
        const isAnswer = exchange.response.status < 300 && itemsOf(exchange) !== undefined;
        const limit = asked ?? (resource && defaultPageSize(resource));
        // A limit of 0 may stand for the default, or for all items.
        if (!resource || !isAnswer || !limit) continue;
        judge.hold(countOf(exchange) <= limit, exchange, () => ({
          message: `${called(exchange)} lists more items than ${asked === undefined ? `the default of ${limit}` : 'the limit that was sent'}`,
          expected: `at most ${count(limit, 'item')}`,
          actual: count(countOf(exchange), 'item'),
          about: [`pages of ${resource.name}`],
        }));
      }
    },
  },
  judge(transcript, judge) {
    for (const exchange of answeredFor(
      transcript,
      'list',
      'silence',
      'observed',
      'count',
      'exhaust',
    )) {
      const resource = listedResource(transcript, exchange);
      const items = itemsOf(exchange);
      const length = countOf(exchange);
      if (!resource || !items || exchange.response.status >= 300) continue;
      const { purpose } = exchange.case;
      const { max = Number.POSITIVE_INFINITY, default: byDefault } =
        listRulesOf(resource.operations.list).pageSize ?? {};
      judge.hold(length <= max, exchange, () => ({
        message: `${called(exchange)} lists more items than the maximum of ${max}`,
        expected: `at most ${count(max, 'item')}`,
        actual: count(length, 'item'),
      }));
      const isUnclear = purpose.kind === 'silence' || purpose.kind === 'observed';
      const asked = askedOf(exchange)?.limit;
      if (isUnclear && asked === undefined) continue;
      const limit = asked ?? byDefault;
      const why =
        asked === undefined
          ? `no limit was sent, the default is ${limit}`
          : `the limit sent is ${limit}`;
      if (limit === undefined) continue;
      judge.hold(length <= limit, exchange, () => ({
        message: `${called(exchange)} lists more items than ${asked === undefined ? `the default of ${limit}` : 'the limit that was sent'}`,
        expected: `at most ${count(limit, 'item')}: ${why}`,
        actual: count(length, 'item'),
        about: [`pages of ${resource.name}`],
      }));
      if (isUnclear) continue;
      const filters = purpose.kind === 'list' ? purpose.filters : {};
      const atLeast = minCount(transcript, resource, filters, exchange);
      const expected = Math.min(limit, atLeast);
      if (expected === 0) continue;
      judge.hold(length >= expected, exchange, () => ({
        message: `${called(exchange)} lists fewer items than ${asked === undefined ? `the default of ${limit}` : 'the limit that was sent'}, although there are more`,
        expected: `${count(expected, 'item')}: ${why}, and at least ${count(atLeast, 'item')} were seen`,
        actual: count(length, 'item'),
        about: [`pages of ${resource.name}`],
      }));
    }
    const { document, observer } = transcript;
    for (const resource of observer.choosesCalls ? document.resources : []) {
      const seen = minCount(transcript, resource, {});
      const { max, default: byDefault } = listRulesOf(resource.operations.list).pageSize ?? {};
      const only = seen === 0 ? 'no items were seen' : `only ${count(seen, 'item')} could be seen`;
      if (byDefault !== undefined && seen <= byDefault)
        judge.inconclusive(`${only}; testing the default of ${byDefault} takes ${byDefault + 1}`);
      else if (max !== undefined && seen < max)
        judge.inconclusive(`${only}; testing the maximum of ${max} takes ${max}`);
    }
  },
};

/**
 * Returns a number of items that are certainly there for these filters, before a list where one is
 * given. What was created counts only where that list may leave out what is there: what others leave
 * out is not listed at all.
 */
function minCount(
  transcript: Transcript,
  resource: Resource,
  filters: Filters,
  before?: Answer,
): number {
  const instant = before?.sentAt ?? Number.POSITIVE_INFINITY;
  const { isUnsure } = readHistories(transcript, resource);
  const { mayOmit } = wholeLists(transcript, resource);
  const lost = neverFound(transcript, resource);
  const counts = ({ item, exchange }: Sighting) =>
    exchange.endedAt < instant && fits(item, filters);
  return recordsOf(transcript, resource).filter(({ id, shown, created }) => {
    const wasListed = shown.some((one) => one.exchange.case.purpose.kind === 'list' && counts(one));
    const wasCreated = created.some(
      (one) =>
        one.exchange.case.operation === resource.operations.create &&
        one.exchange.case.purpose.kind === 'create' &&
        one.exchange.made?.whose !== 'others' &&
        counts(one),
    );
    const isLeftOut = () =>
      before !== undefined && wasCreated && !lost.has(id) && mayOmit(before, id);
    return (wasListed || isLeftOut()) && !isUnsure(id, instant);
  }).length;
}
