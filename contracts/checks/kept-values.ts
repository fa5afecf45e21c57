import { toBodyParts } from '../cases/body-parts.ts';
import { listedValues } from '../cases/list-cases.ts';
import { itemOf } from '../description/collections/success.ts';
import { mayBeComputed, saysComputed } from '../description/computed.ts';
import type { ApiDocument, Resource, Schema } from '../description/document.ts';
import { describeSent, describeShown } from '../description/marks.ts';
import { topOf } from '../description/property-path.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { isSame } from '../json.ts';
import { type Answered, isAnswered } from '../transcript/exchange.ts';
import { idAsked, idOf } from '../transcript/ids.ts';
import { type Item, itemIn, itemsIn } from '../transcript/items.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { aboutMember, called, type Judge, shown } from './check.ts';
import type { OwnCreate } from './created-as.ts';

/** A read of an item of the run's own, and what it shows. */
type Look = { own: OwnCreate; read: Answered; item: Item };

/**
 * Reads of what the run created show the values that were sent: not none, where the deployment shows
 * such a value of other items, and not that of another item. What else a deployment makes of a value
 * is left to it, such as another case, or a date in another form.
 */
export function judgeKept(
  transcript: Transcript,
  judge: Judge,
  { resource, creates }: { resource: Resource; creates: readonly OwnCreate[] },
): void {
  const { document } = transcript;
  const { idProperty, operations } = resource;
  const looks = answeredFor(transcript, 'read').flatMap((read): Look[] => {
    const isRead = read.case.operation === operations.read && read.response.status === 200;
    // An id may be given again after a deletion.
    const own = creates.findLast(
      ({ id, exchange }) => id === idAsked(read.request.path) && exchange.number < read.number,
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
  const ofOthers = transcript.exchanges
    .filter(isAnswered)
    .filter(
      ({ case: { operation }, response }) =>
        operation?.resource === resource.name &&
        operation !== operations.create &&
        response.status < 300,
    );
  const others = ofOthers.flatMap(itemsIn);
  const { properties } = resource.item;
  const listed = Object.keys(properties).filter(
    (name) => listedValues(document, properties[name]).length > 0,
  );
  // What an item has may depend on its kind.
  const isOfKind = (left: Item, right: Item) =>
    listed.every((name) => isSame(left[name], right[name]));
  for (const name of comparableNames(document, resource)) {
    const shows = (item: Item) => (item[name] ?? '') !== '';
    const sent = looks.filter(({ own }) => isPlain(own.sent[name]));
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
          actual: Object.hasOwn(item, name) ? `"${name}": ${shown(item[name])}` : `no "${name}"`,
          ...aboutMember(own.id, name),
        }));
    }
  }
}

/** The properties that a create takes and a read shows, but for what a deployment may compute. */
function comparableNames(document: ApiDocument, resource: Resource): string[] {
  const { operations, idProperty, bodyForm } = resource;
  const { schema } = (operations.create && sendableBodyOf(operations.create)) ?? {};
  const answer = operations.read && itemOf(document.raw, operations.read);
  if (!schema || !answer) return [];
  const parts = toBodyParts(document, schema, bodyForm?.create);
  const { properties: taken, required } = describeSent(document, parts.schema);
  const shownThere = describeShown(document, answer).properties;
  const isLeft = (one: Schema | undefined) => saysComputed(document, one) || one?.deprecated;
  return Object.keys(taken).filter(
    (name) =>
      name in shownThere &&
      name !== topOf(idProperty) &&
      (required.includes(name) || !mayBeComputed(name)) &&
      ![taken[name], shownThere[name]].some(isLeft),
  );
}

/** Whether a value is one that no answer may leave out as empty. */
function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) && Boolean(value);
}

/** What a finding says of a read that shows another item. */
export function aboutOther(read: Answered, item: Item, idProperty: string) {
  return {
    message: `${called(read)} answers with a different item than the one requested`,
    expected: `"${idProperty}": ${idAsked(read.request.path)}`,
    actual: shown(item),
  };
}
