import { count } from '../../common/cli/count.ts';
import { isSame } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { planBodies } from '../cases/bodies.ts';
import {
  aboutItem,
  aboutMember,
  type Check,
  clauseOf,
  type Judge,
  shown,
} from '../clauses/check.ts';
import {
  type Create,
  neverFound,
  ownCreates,
  sharedIds,
  unprovenCreates,
} from '../transcript/created-items.ts';
import type { Answer } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { type Item, idOf, itemIn } from '../transcript/items.ts';
import { eventsOf, isSettled } from '../transcript/ledger.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { itemsWith, type WholeView, wholeLists } from '../transcript/whole-lists.ts';

/** A created item appears in the list and in the list of its own filter values, once. */
export const listedWhenCreated: Check = {
  id: 'listed-when-created',
  clause: clauseOf('listed-when-created'),
  unheld: 'no complete list was received after a create',
  cases: ['create', 'list'],
  needsCases: ['list', 'read', 'create', 'items'],
  needs: 'the clause itself',
  follows: ['unique-ids', 'read-back', 'filter', 'listed-when-created'],
  byItself: {
    needs: 'a create, a read and a list',
    general: 'A created item is in a list that shows all items.',
    unheld: 'no item that the run created was looked for in a list of all items',
    judge: judgeUnlisted,
  },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { idProperty, operations } = resource;
      const { filters } = listRulesOf(operations.list);
      const { choosesCalls, seesAllCalls } = transcript.observer;
      const { settledViews, cutReason } = wholeLists(transcript, resource);
      const { isUnsure } = readHistories(transcript, resource);
      const lost = neverFound(transcript, resource);
      const shared = sharedIds(transcript, resource);
      if (cutReason !== undefined) judge.inconclusive(cutReason);
      for (const exchange of answeredFor(transcript, 'create')) {
        const item = itemIn(exchange);
        const id = idOf(item, idProperty);
        const isOther = exchange.case.operation?.resource !== resource.name;
        if (isOther || exchange.response.status >= 300 || !item || id === undefined) continue;
        const views = [
          {},
          ...filters
            .filter((name) => typeof item[name] === 'string')
            .map((name) => ({ [name]: String(item[name]) })),
        ];
        for (const view of views) {
          for (const whole of settledViews(view)) {
            if (whole.exchange.sentAt < exchange.endedAt) continue;
            const isListed = whole.ids.has(id);
            const isSure = isListed && !seesAllCalls;
            if (!isSure && isUnsure(id, whole.exchange.sentAt)) continue;
            const { marker } = exchange.request;
            if (marker !== undefined && choosesCalls) {
              const copies = itemsWith(whole, marker);
              judge.hold(copies.length < 2, exchange, () => ({
                message: 'one create added more than one item',
                expected: `one item with ${shown(marker)}`,
                actual: `${count(copies.length, 'item')}, with "${idProperty}": ${copies.map((copy) => shown(valueAt(copy, idProperty))).join(', ')}`,
                ...aboutItem(id),
              }));
            }
            judge.hold(isListed, exchange, () => ({
              message: `a created item is missing from the list${Object.keys(view).length > 0 ? ` filtered by its ${Object.keys(view).join(', ')}` : ''}`,
              expected: `an item with "${idProperty}": ${id} in ${whole.exchange.request.path}`,
              actual: `${count(whole.items.length, 'item')}, without ${shown(item)}`,
              ...(Object.keys(view).length > 0 && !lost.has(id) && !shared.has(id)
                ? aboutMember(id, ...Object.keys(view))
                : aboutItem(id)),
            }));
          }
        }
      }
    }
  },
};

/**
 * An item that is seen after a list of all items was there when these were listed. A list may leave
 * out items in some state, such as drafts: only one that shows items alike should show this one.
 */
function judgeUnlisted(transcript: Transcript, judge: Judge): void {
  const { document, observer } = transcript;
  for (const resource of observer.choosesCalls ? document.resources : []) {
    const { idProperty } = resource;
    // Where no operation reads an item, its list alone could have proven it.
    const unproven = resource.operations.read ? [] : unprovenCreates(transcript, resource);
    const created = [...ownCreates(transcript, resource), ...unproven];
    if (created.length === 0) continue;
    const { isUnsure, isSeenAfter } = readHistories(transcript, resource);
    const { views } = wholeLists(transcript, resource);
    const whole = views.filter(({ filters }) => Object.keys(filters).length === 0);
    const events = eventsOf(transcript, resource);
    for (const own of created) {
      const { id, item, exchange } = own;
      const { marker } = exchange.request;
      const shows = (one: WholeView) =>
        one.ids.has(id) || (marker !== undefined && itemsWith(one, marker).length > 0);
      const isInTime = ({ sentAt }: Answer) => isSettled({ created: [own] }, sentAt);
      const settled = whole.findLast(
        ({ exchange: view }) =>
          isInTime(view) &&
          (unproven.includes(own) || isSeenAfter(id, view.sentAt)) &&
          !isUnsure(id, view.sentAt),
      );
      const view = settled ?? whole.find(shows);
      const isListed = view !== undefined && shows(view);
      const older = new Set(
        events.flatMap((one) => (one.exchange.number < exchange.number ? one.id : [])),
      );
      // Items that are all newer, and always as many, may be the latest that there are.
      const lacking = whole.filter((one) => !shows(one) && isInTime(one.exchange));
      const isOneSize = new Set(lacking.map(({ items }) => items.length)).size === 1;
      const isNewer = (one: Item) => !older.has(idOf(one, idProperty) ?? '');
      const isWindow = isOneSize && view && view.items.length > 2 && view.items.every(isNewer);
      if (view && (isListed || (!isWindow && isAlike(own, { document, created, resource, view }))))
        judge.hold(isListed, exchange, () => ({
          message: 'a created item is missing from the list',
          expected: `an item with "${idProperty}": ${id} in ${view.exchange.request.path}`,
          actual: `${count(view.items.length, 'item')}, without ${shown(item)}`,
          ...aboutItem(id),
        }));
    }
  }
}

type ListContext = {
  document: Api;
  created: readonly Create[];
  resource: Resource;
  view: WholeView;
};

/** Whether a list shows each value of an item that is not its own, such as a name or a date. */
function isAlike(
  { item, sent }: Create,
  { document, created, resource, view }: ListContext,
): boolean {
  const { properties } = resource.item;
  const sendable = planBodies(document, resource).properties;
  const queries = resource.operations.list?.parameters.map(({ name }) => name) ?? [];
  /** Tells whether a value is a text of each item's own that a create left out. */
  const isUnset = (name: string, { type, enum: values, format }: Schema) => {
    const texts = view.items.map(({ [name]: text }) => text).filter(Boolean);
    const isOwn = new Set(texts).size === texts.length && !queries.includes(name);
    const isText = [type].flat().includes('string') && !values && !format;
    return isText && isOwn && sendable.some((one) => one.name === name);
  };
  return Object.keys({ ...properties, ...item }).every((name) => {
    const value = item[name];
    const schema = document.schemas.objectAlternative(properties[name] ?? {}) ?? {};
    const { enum: values, format } = schema;
    const isText = typeof value === 'string' && !values && !String(format).startsWith('date');
    const isShared = created.some((one) => one.item !== item && isSame(one.item[name], value));
    const isEmpty = (value ?? '') === '' && isUnset(name, schema);
    const isOwn = isEmpty || (!isShared && (isText || !(name in sent)));
    return isOwn || view.items.some((one) => isSame(one[name], value));
  });
}
