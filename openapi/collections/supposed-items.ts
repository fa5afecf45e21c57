import { lastWordOf } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { namesLike, singular } from '../../common/words.ts';
import { shownOf } from '../marks.ts';
import { isJsonContent, withoutContent } from '../model/content.ts';
import { asks, type Operation, type ResponseDescription } from '../model/operation.ts';
import { describedIdOf } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { findIdProperty, isScalar } from './id-property.ts';
import { isBesideItem } from './item-form.ts';
import { isHinted } from './operations-on.ts';
import type { CollectionPlace } from './places.ts';
import { saysNothing, scalarOf } from './schema-types.ts';
import { bodySchemaOf, itemOf, itemsOf } from './success.ts';

/**
 * Describes what the operations of a place answer with, where the document says nothing of it: the
 * items that other operations show, or else what creates and changes take, with an id. A GET of
 * which nothing is said shows these, and so do creates and changes if no answer of the place is
 * described.
 */
export function supposeItems(raw: RawDocument, place: CollectionPlace): void {
  const all = [...place.onCollection, ...place.onItem].filter((one) => one.method !== 'DELETE');
  const silent = all.filter((one) => !isHinted(one) && silentSuccessOf(raw, one) !== undefined);
  // What changes many items at once may say how many.
  const isOfMany = (one: Operation) =>
    place.onCollection.includes(one) && !isSingle(place) && /^(PUT|PATCH)$/.test(one.method);
  const isSilent = all.every((one) => silent.includes(one) || isOfMany(one));
  // What `{"data": {}}` holds is an item, whatever it answers.
  const meant = silent.filter(
    (one) => isSilent || one.method === 'GET' || silentSuccessOf(raw, one)?.member !== undefined,
  );
  const isGet = ({ method }: Operation) => method === 'GET';
  if (meant.length === 0 || (isSilent && !(silent.some(isGet) && showsWhatIsSet(place)))) return;
  const item = isSilent ? itemOfBodies(raw, place) : shownItem(raw, place);
  if (!item) return;
  // A DELETE that answers with any object shows what it deletes.
  const ends = place.onItem.filter(
    (one) => one.method === 'DELETE' && silentSuccessOf(raw, one)?.said?.type === 'object',
  );
  const holder = holderOf(raw, place);
  for (const one of [...meant, ...(isSilent ? ends : [])]) {
    for (const { success, member = holder, said } of silentSuccessesOf(raw, one)) {
      const isList = isGet(one) && place.onCollection.includes(one) && !isSingle(place);
      const { type } = scalarOf(raw, said);
      if (type !== undefined && type !== 'object' && !(isList && type === 'array')) continue;
      const map = { type, additionalProperties: item };
      const list = type === 'object' ? map : { type: 'array', items: item };
      const shown = isList ? list : item;
      if (member !== undefined && !isList) one.shownAt = [member];
      const whole = scalarOf(raw, success.schema);
      success.likeness =
        member === undefined
          ? shown
          : { ...whole, properties: { ...whole.properties, [member]: shown } };
    }
  }
}

/** The property that holds the item in all answers on items; undefined where they differ, or are no two. */
function holderOf(raw: RawDocument, { onItem }: CollectionPlace): string | undefined {
  const shown = onItem.filter(({ method }) => method !== 'DELETE');
  const [first, ...others] = shown.map((one) => silentSuccessOf(raw, one)?.member);
  return others.length > 0 && others.every((one) => one === first) ? first : undefined;
}

type SilentSuccess = {
  success: ResponseDescription;
  /** The property of which nothing is said, where that of the whole says only this. */
  member?: string;
  said: Schema | undefined;
};

/** Returns the first success of an operation if it is silent. */
function silentSuccessOf(raw: RawDocument, operation: Operation): SilentSuccess | undefined {
  const success = operation.responses.find(isSuccess);
  return silentSuccessesOf(raw, operation).find((one) => one.success === success);
}

/**
 * Returns the successes of an operation that may have JSON of which the document says nothing, or no
 * more than that `data` holds it.
 */
function silentSuccessesOf(raw: RawDocument, { responses }: Operation): SilentSuccess[] {
  return responses.filter(isSuccess).flatMap((one) => toSilent(raw, one) ?? []);
}

function toSilent(raw: RawDocument, success: ResponseDescription): SilentSuccess | undefined {
  if (success.likeness || withoutContent.includes(Number(success.status))) return undefined;
  const isJson = success.contents.every(isJsonContent);
  if (!isJson) return undefined;
  if (saysNothing(raw, success.schema)) return { success, said: success.schema };
  const { properties = {} }: RawDocument = scalarOf(raw, success.schema);
  const member = namesLike(properties, 'data')[0];
  const said = member === undefined ? undefined : properties[member];
  if (member === undefined || !saysNothing(raw, said)) return undefined;
  // With values of its own, such as an id, the object is an item that has data.
  const isBeside = ([name, one]: [string, Schema]) =>
    name === member || isBesideItem(name) || !isScalar(raw, one);
  return Object.entries<Schema>(properties).every(isBeside) ? { success, member, said } : undefined;
}

/** Whether an operation answers with an array of which the document says no more. */
export function listsAnything(raw: RawDocument, operation: Operation): boolean {
  return scalarOf(raw, silentSuccessOf(raw, operation)?.said).type === 'array';
}

/** Whether a place is one object that is read and changed at the same path. */
function isSingle({ onCollection, onItem }: CollectionPlace): boolean {
  return onItem.length === 0 && onCollection.every(({ method }) => method !== 'POST');
}

/** Whether a GET of a place shows what other operations there create or change. */
function showsWhatIsSet(place: CollectionPlace): boolean {
  const { path, onCollection, onItem } = place;
  const has = (all: readonly Operation[], ...methods: string[]) =>
    all.some((one) => methods.includes(one.method) && (one.body ?? one.otherBody) && !asks(one));
  const word = lastWordOf(path);
  const isNamed = onItem.length > 0 || singular(word) !== word;
  const creates = has(onCollection, 'POST') || has(onItem, 'PUT');
  return isSingle(place) ? has(onCollection, 'PUT', 'PATCH') : isNamed && creates;
}

/** The items that the described answers of a place show. */
function shownItem(raw: RawDocument, { onCollection, onItem }: CollectionPlace) {
  const listed = onCollection.filter(({ method }) => method === 'GET');
  const single = [...onItem, ...onCollection.filter(({ method }) => method === 'POST')];
  return [
    ...listed.map((one) => itemsOf(raw, one)),
    ...single.filter(({ method }) => method !== 'DELETE').map((one) => itemOf(raw, one)),
  ].find((one) => one !== undefined);
}

/** The items of which the bodies of creates and changes describe the properties. */
function itemOfBodies(raw: RawDocument, place: CollectionPlace): Schema | undefined {
  const { path, onCollection, onItem } = place;
  const setting = [...onCollection, ...onItem].filter((one) => !one.body?.jsonPatch && !asks(one));
  const bodies = setting.map((one) => {
    const body = flatten(raw, bodySchemaOf(raw, one));
    // What holds the items of answers holds them in bodies.
    const held = body.properties[silentSuccessOf(raw, one)?.member ?? ''];
    return shownOf(raw, held ? flatten(raw, held) : body);
  });
  const sent = bodies.filter(({ properties }) => Object.keys(properties).length > 0);
  const [{ required = [] } = {}] = sent;
  if (sent.length === 0 && (isSingle(place) || onItem.length === 0)) return undefined;
  const properties: FlatSchema['properties'] = Object.assign(
    {},
    ...sent.toReversed().map((one) => one.properties),
  );
  if (isSingle(place)) return { type: 'object', properties, required };
  const [parameter] = onItem.map(describedIdOf).filter((one) => one !== undefined);
  const hints = { noun: lastWordOf(path), parameter };
  const known = findIdProperty(raw, { properties, required }, hints);
  const { name = 'id', schema = { type: 'integer' } } = parameter ?? {};
  const id = known ?? (/(id|pk)$/i.test(name) ? 'id' : name);
  return {
    type: 'object',
    properties: { [id]: known === undefined ? schema : properties[known], ...properties },
    required: [...new Set([id, ...required])],
    // Where no body says what items have, they have what is sent.
    ...(sent.length === 0 && { additionalProperties: {} }),
  };
}
