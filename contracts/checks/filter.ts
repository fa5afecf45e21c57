import { count } from '../../common/cli/count.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { valueFilters } from '../cases/list-cases.ts';
import { aboutMember, type Check, called, clauseOf, type Judge, shown } from '../clauses/check.ts';
import { neverFound } from '../transcript/created-items.ts';
import { readHistories } from '../transcript/histories.ts';
import { type Item, idOf, itemsOf, textOf } from '../transcript/items.ts';
import { plainSightings } from '../transcript/ledger.ts';
import { answeredFor, askedOf, type Transcript } from '../transcript/transcript.ts';
import { fits, listedResource, wholeLists } from '../transcript/whole-lists.ts';

/** A filtered list holds the items of that value, all of them and no others. */
export const filter: Check = {
  id: 'filter',
  clause: clauseOf('filter'),
  unheld: 'no call with a valid filter was answered with a list',
  cases: ['list'],
  needsCases: ['list', 'items'],
  needs: 'the clause itself',
  follows: ['read-back', 'created-as-sent'],
  byItself: {
    needs: 'a filter by listed values',
    general: 'A list that is filtered by a value of a property has items of that value.',
    unheld: 'no two values of a filter were answered with items',
    judge: judgeIgnored,
  },
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'list', 'silence')) {
      const { filters = {} } = askedOf(exchange) ?? {};
      const items = exchange.response.status < 300 ? itemsOf(exchange) : undefined;
      const resource = listedResource(transcript, exchange);
      if (Object.keys(filters).length === 0 || !items || !resource) continue;
      const mismatch = items.find((item) => !fits(item, filters));
      judge.hold(mismatch === undefined, exchange, () => ({
        message: `${called(exchange)} lists items that its filter excludes`,
        expected: `only items with ${shown(filters)}`,
        actual: shown(mismatch),
        ...aboutMember(valueAt(mismatch, resource.idProperty), ...Object.keys(filters)),
      }));
    }
    judgeCompleteness(transcript, judge);
  },
};

/**
 * A filter has no effect where the list of each value holds items of another. Some ask for more than
 * they name: `archived=true` for archived items too, a level for all above it.
 */
function judgeIgnored(transcript: Transcript, judge: Judge): void {
  for (const resource of transcript.document.resources)
    for (const [name, values] of valueFilters(transcript.document, resource)) {
      const lists = answeredFor(transcript, 'list').flatMap((exchange) => {
        const { filters } = exchange.case.purpose;
        const value = Object.keys(filters).length === 1 ? filters[name] : undefined;
        const isMeant = listedResource(transcript, exchange) === resource;
        if (!isMeant || value === undefined || !values.includes(value)) return [];
        const items = exchange.response.status < 300 ? (itemsOf(exchange) ?? []) : [];
        const shownBy = items.filter((item) => values.includes(textOf(item[name]) ?? ''));
        const isOther = (item: Item) => textOf(item[name]) !== value;
        const idsOf = (all: readonly Item[]) => all.map((one) => idOf(one, resource.idProperty));
        const excluded = shownBy.filter(isOther);
        const ids = idsOf(shownBy.filter((item) => !isOther(item)));
        const [other] = excluded;
        const others = new Set<unknown>(idsOf(excluded));
        return shownBy.length > 0 ? [{ exchange, value, other, ids, others }] : [];
      });
      const byValue = [...Map.groupBy(lists, ({ value }) => value).values()];
      if (byValue.length < 2 || showsAsAsked(byValue)) continue;
      const isIgnored = byValue.every((all) => all.some(({ other }) => other !== undefined));
      for (const { exchange, value, other } of lists)
        if (isIgnored || other === undefined)
          judge.hold(other === undefined, exchange, () => ({
            message: `${called(exchange)} lists items that its filter excludes`,
            expected: `items with ${shown({ [name]: value })}`,
            actual: shown(other),
            ...aboutMember(valueAt(other, resource.idProperty), name),
          }));
    }
}

type FilteredList = { ids: readonly unknown[]; others: ReadonlySet<unknown> };

/** Whether an item shows each value where that is asked for, as a text in another language. */
function showsAsAsked(byValue: readonly (readonly FilteredList[])[]): boolean {
  const alwaysFitting = byValue.flatMap((lists) => {
    const ids = new Set(lists.flatMap((one) => one.ids));
    return [...ids].filter((id) => !lists.some(({ others }) => others.has(id)));
  });
  return new Set(alwaysFitting).size < alwaysFitting.length;
}

/** Checks that complete filtered lists hold every known item that matches the filter. */
function judgeCompleteness(transcript: Transcript, judge: Judge): void {
  for (const resource of transcript.document.resources) {
    const { cutReason, views, settledViews } = wholeLists(transcript, resource);
    const { isUnsure } = readHistories(transcript, resource);
    if (cutReason !== undefined) judge.inconclusive(cutReason);
    for (const view of views) {
      const { filters, items, ids, exchange } = view;
      const isFiltered = Object.keys(filters).length > 0;
      if (!isFiltered || !settledViews(filters).includes(view)) continue;
      const known = knownItems(transcript, resource, exchange.sentAt);
      const missing = known.filter(
        ([id, item]) =>
          Object.entries(filters).every(([name, value]) => item[name] === value) &&
          !isUnsure(id, exchange.sentAt) &&
          !ids.has(id),
      );
      judge.hold(missing.length === 0, exchange, () => ({
        message: `${called(exchange)} omits an item that its filter matches`,
        expected: `all items with ${shown(filters)}`,
        actual: `${count(items.length, 'item')}, without ${shown(missing[0]?.[1])}`,
        about: missing.flatMap(([id]) => aboutMember(id, ...Object.keys(filters)).about),
      }));
    }
  }
}

/** Items that earlier answers showed: in lists, as created unless never found again, as read. */
function knownItems(
  transcript: Transcript,
  resource: Resource,
  before: number,
): [id: string, item: Item][] {
  const lost = neverFound(transcript, resource);
  const shown = plainSightings(transcript, resource).filter(
    ({ id, exchange }) => exchange.endedAt < before && !lost.has(id),
  );
  return [...new Map(shown.map(({ id, item }) => [id, item]))];
}
