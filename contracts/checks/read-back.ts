import { isSame, isScalar } from '../../common/json.ts';
import { toEssence } from '../../common/media-type.ts';
import { topOf } from '../../common/property-path.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { bodyPartsOf } from '../cases/body-parts.ts';
import { isUnsafe } from '../cases/case.ts';
import { listedValues } from '../cases/list-cases.ts';
import {
  aboutItem,
  aboutMember,
  type Check,
  called,
  clauseOf,
  type Judge,
  shown,
  shownMember,
} from '../clauses/check.ts';
import { mayBeComputed, saysComputed } from '../document/computed.ts';
import { doneActions } from '../transcript/actions.ts';
import {
  type Create,
  createsOf,
  lostItems,
  ownCreates,
  sharedIds,
  shownElsewhere,
  unprovenCreates,
} from '../transcript/created-items.ts';
import { type Answer, type Exchange, headerValue, isAnswered } from '../transcript/exchange.ts';
import { readHistories, toChangedReason } from '../transcript/histories.ts';
import {
  type Item,
  idAsked,
  idOf,
  isList,
  itemIn,
  itemsIn,
  textOf,
  withoutQuery,
} from '../transcript/items.ts';
import { isOnlyAccepted, plainSightings, recordsOf } from '../transcript/ledger.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

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
    general:
      'A created item can be read, and has the values that the create sent; a file is shown as it was sent, and an item as the answer to an action on it.',
    unheld: 'no item that the run created was read',
    judge(transcript, judge) {
      if (!transcript.observer.choosesCalls) return;
      reportOtherIds(transcript, judge);
      judgeFiles(transcript, judge);
      judgeActions(transcript, judge);
      for (const resource of transcript.document.resources) {
        reportOthers(transcript, judge, resource);
        const own = ownCreates(transcript, resource);
        const creates = [...own, ...unprovenCreates(transcript, resource)];
        if (creates.length === 0) continue;
        reportLost(transcript, judge, resource);
        reportOtherListed(transcript, judge, resource);
        judgeKept(transcript, judge, { resource, creates });
      }
    },
  },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { idProperty } = resource;
      const { properties } = resource.item;
      const { changed } = readHistories(transcript, resource);
      const shared = sharedIds(transcript, resource);
      const others = [...changed.values()].filter(
        ({ id, moves }) => !shared.has(id) && moves.some((move) => move !== 'gone'),
      );
      if (others.length > 0) judge.inconclusive(toChangedReason(others));
      reportLost(transcript, judge, resource);
      const versions = new Map<string, { item: Item; where: string }>();
      for (const { id, item, exchange } of plainSightings(transcript, resource)) {
        const isShared = shared.has(id);
        if (changed.has(id) && !isShared) continue;
        const where = called(exchange);
        const known = versions.get(id);
        if (!known) versions.set(id, { item, where });
        const differing = known
          ? Object.keys(properties).filter((name) => !isSame(known.item[name], item[name]))
          : [];
        const reported = isShared || differing.length === 0 ? [differing[0]] : differing;
        for (const differs of known ? reported : [])
          judge.hold(differs === undefined, exchange, () => ({
            message: isShared
              ? `${where} shows a different item under ${idProperty} ${id} than ${known?.where}`
              : `item ${id} has a different "${differs}" in ${where} than in ${known?.where}`,
            expected: `${shownMember(known?.item ?? {}, differs ?? '')}, as in ${known?.where}`,
            actual: `${shownMember(item, differs ?? '')}, in ${where}`,
            group: isShared ? 'two items under one id' : `an item has a different "${differs}"`,
            ...(isShared ? aboutItem(id) : aboutMember(id, differs ?? '')),
          }));
      }
      for (const read of answeredFor(transcript, 'read')) {
        const { case: testCase, response } = read;
        const isOf = testCase.operation?.resource === resource.name && response.status < 300;
        const [item] = isOf && !isList(read) ? itemsIn(read) : [];
        if (item)
          judge.hold(idOf(item, idProperty) === idAsked(read), read, () =>
            aboutOther(read, item, idProperty),
          );
      }
    }
  },
};

/**
 * Holds that a file which was sent to a path is what that path shows. Of an image, a deployment may
 * make another one.
 */
function judgeFiles({ exchanges }: Transcript, judge: Judge): void {
  const sent = new Map<string, Exchange>();
  for (const one of exchanges.filter(isAnswered)) {
    const path = withoutQuery(one.request.path);
    const { body } = one.request;
    if (one.response.status >= 300 || one.case.credential !== 'valid') continue;
    if (isUnsafe(one.case)) {
      if (body instanceof Uint8Array && !isOnlyAccepted(one)) sent.set(path, one);
      else sent.delete(path);
    }
    const last = sent.get(path);
    const type = last?.request.headers['Content-Type'] ?? '';
    const isFile = one.case.method === 'GET' && !/^(?:image|multipart)\//.test(type);
    const isShown = toEssence(headerValue(one, 'Content-Type') ?? '') === toEssence(type);
    if (!last || !isFile || !isShown) continue;
    const text = Buffer.from(last.request.body ?? '').toString();
    judge.hold(one.response.text === text, one, () => ({
      message: `${called(one)} answers with other bytes than ${called(last)} was sent`,
      expected: `${Buffer.byteLength(last.request.body ?? '')} bytes, as they were sent`,
      actual: `${one.response.size} bytes`,
    }));
  }
}

/** Holds that reads after an action do not all show the state before, if its answer showed the new one. */
function judgeActions(transcript: Transcript, judge: Judge): void {
  for (const { action, done, before, looks } of doneActions(transcript))
    for (const [name, to] of Object.entries(done)) {
      const last = looks.at(-1);
      if (!last || isSame(before[name], to)) continue;
      const isKept = looks.some(({ item }) => !isSame(item[name], before[name]));
      judge.hold(isKept, last.read, () => ({
        message: `${called(last.read)} shows no "${name}" that ${called(action)} answered with`,
        expected: `"${name}": ${shown(to)}`,
        actual: shownMember(last.item, name),
        before: [action],
      }));
    }
}

/** A created item that is found is held wherever it is shown; one that is not is reported here. */
function reportLost(transcript: Transcript, judge: Judge, resource: Resource): void {
  const lost = lostItems(transcript, resource);
  const { isUnsure } = readHistories(transcript, resource);
  const asked = new Map(
    answeredFor(transcript, 'read').map((read) => [idAsked(read), read.sentAt]),
  );
  for (const { id, exchange } of createsOf(transcript, resource)) {
    if (isOnlyAccepted(exchange) || !lost.has(id)) continue;
    const { seesAllCalls } = transcript.observer;
    if (seesAllCalls && isUnsure(id, asked.get(id) ?? Number.POSITIVE_INFINITY)) continue;
    judge.hold(false, exchange, () => ({
      message: 'a created item is not found again by its id',
      expected: `an item with "${resource.idProperty}": ${id}, as created`,
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
  for (const read of answeredFor(transcript, 'read')) {
    const asked = idAsked(read);
    const create = unproven.find(({ made }) => made?.id === asked);
    const isRead = read.case.operation === operations.read && read.response.status === 200;
    const item = isRead ? itemIn(read) : undefined;
    const id = idOf(item, idProperty);
    if (!create || !item || id === undefined || id === asked) continue;
    const isKnown = creates.some(({ made }) => made?.id === id);
    const wasListed = recordsOf(transcript, resource).some(
      (record) =>
        record.id === id &&
        record.shown.some(
          ({ exchange }) =>
            exchange.case.purpose.kind === 'list' && exchange.endedAt <= create.sentAt,
        ),
    );
    if (isKnown || wasListed) judge.hold(false, read, () => aboutOther(read, item, idProperty));
  }
}

/** Reports items of the run that an answer at their own path, or a list, shows under another id. */
function reportOtherIds({ exchanges }: Transcript, judge: Judge): void {
  for (const create of exchanges.filter(({ made }) => made?.shownId !== undefined)) {
    const { id, shownId = '' } = create.made ?? {};
    const isShown = (one: Exchange) =>
      one.case.operation?.resource === create.case.operation?.resource &&
      isAnswered(one) &&
      itemsIn(one).some((item) => Object.values(item).some((own) => textOf(own) === shownId));
    const shows = exchanges.find((one) => one.number > create.number && isShown(one)) ?? create;
    judge.hold(false, shows, () => ({
      message: `${called(shows)} shows another id of the item that ${called(create)} answered with`,
      expected: `the id ${id}`,
      actual: `the id ${shownId}, so that the item was left alone`,
      ...aboutItem(id),
    }));
  }
}

/** Reports lists that show an item of the run under another id alone, which a read does not find. */
function reportOtherListed(transcript: Transcript, judge: Judge, resource: Resource): void {
  const { operations, idProperty } = resource;
  const reads = answeredFor(transcript, 'read').filter(
    ({ case: { operation }, response }) => operation === operations.read && response.status === 404,
  );
  for (const list of answeredFor(transcript, 'list', 'observed', 'count', 'page')) {
    if (list.case.operation !== operations.list) continue;
    for (const { id, shownId, row } of shownElsewhere(transcript, resource, list))
      if (reads.some((read) => read.number > list.number && idAsked(read) === shownId))
        judge.hold(false, list, () => ({
          message: `${called(list)} lists a created item under another id than it is read by`,
          expected: `"${idProperty}": ${id}`,
          actual: shown(row),
          ...aboutItem(id),
        }));
  }
}

/** A read of an item of the run's own, and what it shows. */
type Look = { own: Create; read: Answer; item: Item };

/**
 * Reads of what the run created show the values that were sent: not none, where the deployment shows
 * such a value of other items, and not that of another item. What else a deployment makes of a value
 * is left to it, such as another case, or a date in another form.
 */
function judgeKept(
  transcript: Transcript,
  judge: Judge,
  { resource, creates }: { resource: Resource; creates: readonly Create[] },
): void {
  const { document } = transcript;
  const { idProperty, operations } = resource;
  const looks = answeredFor(transcript, 'read').flatMap((read): Look[] => {
    const isRead = read.case.operation === operations.read && read.response.status === 200;
    // An id may be given again after a deletion.
    const own = creates.findLast(
      ({ id, exchange }) => id === idAsked(read) && exchange.number < read.number,
    );
    const item = isRead ? itemIn(read) : undefined;
    if (!item || !own) return [];
    const id = idOf(item, idProperty);
    // The create, or a read, showed the asked id in this property.
    const isNamed = idOf(own.item, idProperty) === own.id && id !== undefined;
    const isOther = id !== own.id && (isNamed || creates.some((one) => one.id === id));
    judge.hold(!isOther, read, () => aboutOther(read, item, idProperty));
    return isOther ? [] : [{ own, read, item }];
  });
  const others = recordsOf(transcript, resource).flatMap(({ shown: all }) =>
    all.map(({ item }) => item),
  );
  const { properties } = resource.item;
  const listed = Object.keys(properties).filter(
    (name) => listedValues(document, properties[name]).length > 0,
  );
  // What an item has may depend on its kind.
  const isOfKind = (left: Item, right: Item) =>
    listed.every((name) => isSame(left[name], right[name]));
  for (const name of comparableNames(document, resource)) {
    const shows = (item: Item) => (item[name] ?? '') !== '';
    // No answer may leave these out as empty.
    const sent = looks.filter(({ own }) => isScalar(own.sent[name]) && own.sent[name]);
    // A value that a few items lack may be left out for a reason.
    const isMostlyKept = sent.filter(({ item }) => shows(item)).length * 2 >= sent.length;
    for (const { own, read, item } of sent) {
      const { marker } = own.exchange.request;
      const isOthers =
        shows(item) &&
        marker === own.sent[name] &&
        marker !== item[name] &&
        creates.some(({ exchange: { request } }) => request.marker === item[name]);
      const isKept = shows(item) && !isOthers;
      const isShown = !isMostlyKept && others.some((one) => shows(one) && isOfKind(one, item));
      if (isKept || isOthers || isShown)
        judge.hold(isKept, read, () => ({
          message: `${called(read)} shows ${isOthers ? `the "${name}" of another item` : `no "${name}"`}, though the create sent one`,
          expected: `"${name}": ${shown(own.sent[name])}`,
          actual: shownMember(item, name),
          ...aboutMember(own.id, name),
        }));
    }
  }
}

/** The properties that a create takes and a read shows, but for what a deployment may compute. */
function comparableNames(document: Api, resource: Resource): string[] {
  const { operations, idProperty } = resource;
  const answer = operations.read && document.schemas.itemOf(operations.read);
  if (!answer) return [];
  const { schema } = bodyPartsOf(document, operations.create);
  const { properties: taken, required } = document.schemas.describeSent(schema);
  const shownThere = document.schemas.describeShown(answer).properties;
  const isLeft = (one: Schema | undefined) => saysComputed(document, one) || one?.deprecated;
  return Object.keys(taken).filter(
    (name) =>
      name in shownThere &&
      name !== topOf(idProperty) &&
      (required.includes(name) || !mayBeComputed(name)) &&
      ![taken[name], shownThere[name]].some(isLeft),
  );
}

/** Describes the violation of a read that shows another item. */
function aboutOther(read: Answer, item: Item, idProperty: string) {
  return {
    message: `${called(read)} answers with a different item than the one requested`,
    expected: `"${idProperty}": ${idAsked(read)}`,
    actual: shown(item),
  };
}
