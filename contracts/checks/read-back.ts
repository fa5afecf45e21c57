import type { Resource } from '../description/document.ts';
import { isSame } from '../json.ts';
import { idAsked, idOf } from '../transcript/ids.ts';
import { type Item, isList, itemIn, itemsIn, itemsOf } from '../transcript/items.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { isOnlyAccepted } from './changes.ts';
import { aboutItem, aboutMember, type Check, called, type Judge, shown } from './check.ts';
import { clauseOf } from './clause-of.ts';
import { ownCreates } from './created-as.ts';
import { aboutOther, judgeKept } from './kept-values.ts';
import { toChangedReason, wholeSets } from './lists.ts';
import { lostItems } from './lost-items.ts';
import { sharedIds } from './shared-ids.ts';

/** An item is the same wherever it is shown: as created, as read, and in lists. */
export const readBack: Check = {
  id: 'read-back',
  clause: clauseOf('read-back'),
  unheld: 'no item was seen twice',
  cases: ['list', 'read', 'create'],
  needsCases: ['list', 'read', 'create', 'items'],
  needs: 'the clause itself',
  follows: ['unique-ids', 'created-as-sent', 'read-back'],
  byItself: {
    needs: 'a create and a read',
    general: 'A created item can be read, and has the values that the create sent.',
    unheld: 'no item that the run created was read',
    judge(transcript, judge) {
      if (transcript.isTraffic) return;
      for (const resource of transcript.document.resources) {
        reportOthers(transcript, judge, resource);
        const creates = ownCreates(transcript, resource);
        if (creates.length === 0) continue;
        reportLost(transcript, judge, resource);
        judgeKept(transcript, judge, { resource, creates });
      }
    },
  },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const {
        idProperty,
        item: { properties },
      } = resource;
      const { changed } = wholeSets(transcript, resource);
      const shared = sharedIds(transcript, resource);
      const others = [...changed.values()].filter(
        ({ id, moves }) => !shared.has(id) && moves.some((move) => move !== 'gone'),
      );
      if (others.length > 0) judge.inconclusive(toChangedReason(others));
      reportLost(transcript, judge, resource);
      const versions = new Map<string, { item: Item; where: string }>();
      for (const exchange of answeredFor(transcript, 'create', 'read', 'list', 'count')) {
        const {
          case: { operation, purpose },
          response,
        } = exchange;
        if (operation?.resource !== resource.name || response.status >= 300) continue;
        const [single] = isList(exchange) ? [] : itemsIn(exchange);
        for (const item of itemsOf(exchange) ?? (single ? [single] : [])) {
          const id = idOf(item, idProperty);
          const isShared = id !== undefined && shared.has(id);
          if (id === undefined || (changed.has(id) && !isShared)) continue;
          const known = versions.get(id);
          const differing = known
            ? Object.keys(properties).filter((name) => !isSame(known.item[name], item[name]))
            : [];
          const reported = isShared || differing.length === 0 ? [differing[0]] : differing;
          for (const differs of known ? reported : [])
            judge.hold(differs === undefined, exchange, () => ({
              message: isShared
                ? `${called(exchange)} shows a different item under ${idProperty} ${id} than ${known?.where}`
                : `item ${id} has a different "${differs}" in ${called(exchange)} than in ${known?.where}`,
              expected: `${member(known?.item ?? {}, differs)}, as in ${known?.where}`,
              actual: `${member(item, differs)}, in ${called(exchange)}`,
              group: isShared ? 'two items under one id' : `an item has a different "${differs}"`,
              ...(isShared ? aboutItem(id) : aboutMember(id, differs ?? '')),
            }));
          if (!known) versions.set(id, { item, where: called(exchange) });
        }
        if (purpose.kind === 'read' && single) {
          const asked = idAsked(exchange.request.path);
          judge.hold(idOf(single, idProperty) === asked, exchange, () =>
            aboutOther(exchange, single, idProperty),
          );
        }
      }
    }
  },
};

/** A created item that is found is held wherever it is shown; one that is not is reported here. */
function reportLost(transcript: Transcript, judge: Judge, resource: Resource): void {
  const { operations, idProperty } = resource;
  const lost = lostItems(transcript, resource);
  const { isUnsure } = wholeSets(transcript, resource);
  const asked = new Map(
    answeredFor(transcript, 'read').map(({ request, sentAt }) => [idAsked(request.path), sentAt]),
  );
  for (const exchange of answeredFor(transcript, 'create')) {
    const id = idOf(itemIn(exchange), idProperty);
    const isCreate = exchange.case.operation === operations.create && !isOnlyAccepted(exchange);
    if (!isCreate || id === undefined || !lost.has(id)) continue;
    const isKnown = transcript.isTraffic === true;
    if (!isKnown && isUnsure(id, asked.get(id) ?? Number.POSITIVE_INFINITY)) continue;
    judge.hold(false, exchange, () => ({
      message: 'a created item is not found again by its id',
      expected: `an item with "${idProperty}": ${id}, as created`,
      actual:
        'no list that was received shows it, and reads of created items are answered with 404',
      ...aboutItem(id),
    }));
  }
}

/**
 * Reports reads by the id that a create was answered with which show another item of the run's, or
 * one that was there before.
 */
function reportOthers(transcript: Transcript, judge: Judge, resource: Resource): void {
  const { idProperty, operations } = resource;
  const creates = answeredFor(transcript, 'create').filter(
    ({ case: { operation }, made }) => operation === operations.create && made?.id !== undefined,
  );
  const unproven = creates.filter(({ made }) => made?.whose === 'unproven' && !made.isEchoed);
  if (unproven.length === 0) return;
  const seen = new Map<string | undefined, number>();
  for (const list of answeredFor(transcript, 'list'))
    for (const item of itemsOf(list) ?? []) {
      const id = idOf(item, idProperty);
      seen.set(id, Math.min(seen.get(id) ?? list.endedAt, list.endedAt));
    }
  for (const read of answeredFor(transcript, 'read')) {
    const asked = idAsked(read.request.path);
    const create = unproven.find(({ made }) => made?.id === asked);
    const isRead = read.case.operation === operations.read && read.response.status === 200;
    const item = isRead ? itemIn(read) : undefined;
    const id = idOf(item, idProperty);
    if (!create || !item || id === undefined || id === asked) continue;
    const isKnown = creates.some(({ made }) => made?.id === id);
    if (isKnown || (seen.get(id) ?? Number.POSITIVE_INFINITY) <= create.sentAt)
      judge.hold(false, read, () => aboutOther(read, item, idProperty));
  }
}

function member(item: Item, name = ''): string {
  return Object.hasOwn(item, name) ? `"${name}": ${shown(item[name])}` : `no "${name}"`;
}
