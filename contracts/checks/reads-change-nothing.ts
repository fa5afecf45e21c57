import { count } from '../../common/cli/count.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Operation, Resource } from '../../openapi/index.ts';
import { aboutItem, type Check, called, clauseOf, type Judge, shown } from '../clauses/check.ts';
import { readHistories, toChangedReason } from '../transcript/histories.ts';
import { type Item, idOf, itemsOf } from '../transcript/items.ts';
import { recordsOf } from '../transcript/ledger.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { fits, maxViews, type WholeView, wholeLists } from '../transcript/whole-lists.ts';

/** Nothing is ever removed, and reading adds nothing: what a list showed once it shows again. */
export const readsChangeNothing: Check = {
  id: 'reads-change-nothing',
  clause: clauseOf('reads-change-nothing'),
  unheld: 'no complete list was received after another list',
  cases: ['list'],
  needs: 'the clause itself',
  follows: ['unique-ids'],
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { views, cutReason } = wholeLists(transcript, resource);
      const { changed } = readHistories(transcript, resource);
      if (cutReason !== undefined) judge.inconclusive(cutReason);
      const latest = new Map(views.map((view) => [JSON.stringify(view.filters), view]));
      const removed = [...changed.values()].filter(({ moves }) => moves.includes('gone'));
      if (removed.length > 0) judge.inconclusive(toChangedReason(removed));
      // An item may be removed by somebody else, but not come back.
      const { seesAllCalls } = transcript.observer;
      const judged = seesAllCalls ? latest.values() : views.slice(-maxViews);
      for (const view of judged) judgeGone(transcript, judge, resource, view);
      if (seesAllCalls) judgeUnexplained(transcript, judge, resource, views);
    }
  },
};

/** Checks that the last whole list shows every item that an earlier list showed. */
function judgeGone(
  transcript: Transcript,
  judge: Judge,
  resource: Resource,
  { filters, items, ids, exchange: last }: WholeView,
): void {
  const { idProperty, operations } = resource;
  const { isUnsure } = readHistories(transcript, resource);
  for (const exchange of answeredFor(transcript, 'list', 'count')) {
    if (exchange.case.operation !== operations.list || exchange.endedAt >= last.sentAt) continue;
    const gone = (itemsOf(exchange) ?? []).find((item) => {
      const id = idOf(item, idProperty);
      return id !== undefined && fits(item, filters) && !ids.has(id) && !isUnsure(id, last.sentAt);
    });
    judge.hold(gone === undefined, exchange, () => ({
      message: `an item that ${called(exchange)} showed is missing from a later list`,
      expected: `an item with "${idProperty}": ${idOf(gone, idProperty)} in ${last.request.path}`,
      actual: `${count(items.length, 'item')}, without it`,
      ...aboutItem(valueAt(gone, idProperty)),
    }));
  }
}

/** Checks that whole lists show only items that were listed before or returned by a create. */
function judgeUnexplained(
  transcript: Transcript,
  judge: Judge,
  resource: Resource,
  views: readonly WholeView[],
): void {
  const [first, ...later] = views.filter(({ filters }) => Object.keys(filters).length === 0);
  if (!first) return;
  const { idProperty, operations } = resource;
  const created = recordsOf(transcript, resource).filter((one) => one.created.length > 0);
  const known = new Set([...first.ids, ...created.map(({ id }) => id)]);
  const steps = later.map((view, index): Step => {
    const before = later[index - 1] ?? first;
    const items = view.items.filter((item) => !known.has(idOf(item, idProperty)));
    for (const item of items) known.add(idOf(item, idProperty));
    return { items, lists: listsBetween(transcript, operations.list, before, view), view };
  });
  const doListsAdd = areInStep(steps);
  for (const { items, view } of steps)
    judge.hold(!doListsAdd || items.length === 0, view.exchange, () => ({
      message: 'items appear that no create returned, one for each list',
      expected: 'the existing items, and those that a create returned',
      actual: `${items.length} more, such as ${shown(items[0])}`,
    }));
}

/**
 * The items that came between two whole lists without a create that answered with them, and how
 * often was listed between the two.
 */
type Step = { items: Item[]; lists: number; view: WholeView };

/** Whether as many items came as was listed. Somebody else may add some too, but not in step. */
function areInStep(steps: readonly Step[]): boolean {
  const telling = steps.filter(({ lists }) => lists >= 3);
  return (
    (telling.length > 1 || telling.some(({ lists }) => lists >= 10)) &&
    telling.every(({ items, lists }) => Math.abs(items.length - lists) <= lists * 0.1)
  );
}

function listsBetween(
  { exchanges }: Transcript,
  list: Operation | undefined,
  before: WholeView,
  after: WholeView,
): number {
  return exchanges.filter(
    ({ number, case: { operation }, response }) =>
      number >= before.exchange.number &&
      number < after.exchange.number &&
      operation !== undefined &&
      operation === list &&
      (response?.status ?? 0) < 300,
  ).length;
}
