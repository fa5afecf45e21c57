import { heldSchemaOf } from '../../contracts/description/content.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, toOutOfRoomAnswer, toStatedErrorAnswer } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import { findSuccess, takenStatusOf } from '../documented/responses.ts';
import { type Fields, toItemId, toItemNumber, toStoredItem } from '../items/stored-item.ts';
import { createTakeFields } from '../items/take-fields.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { NewItem, Store, StoredItem } from '../state/store.ts';
import type { Behaviour } from './behaviour.ts';
import { createShowItem, type ItemOptions, type ShowItem } from './item-answers.ts';

/**
 * Stores the body as a new item, with what the query says of it, and answers with the item. Its id is
 * the next one of the collection, or the one that the body gives where the caller chooses ids; 409
 * where an item has that, or the next one too where the body need not give any.
 */
export function createCreateBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name } = resource;
  const toNewItem = createToNewItem(options.document, resource, operation);
  const toAnswer = createToAnswer(resource, operation, options);
  const inQuery = operation.parameters.filter(
    (one) => one.in === 'query' && Object.hasOwn(resource.item.properties, one.name),
  );
  return async (call) => {
    const { store, clock, body, parameters } = call;
    const asked = Object.entries(parameters?.query ?? {}).filter(([name]) =>
      inQuery.some((one) => one.name === name),
    );
    try {
      const fields = { ...Object.fromEntries(asked), ...((body ?? {}) as Fields) };
      const { given, toItem } = toNewItem(fields, clock);
      if (!given) return toAnswer(call, (await store.add(name, toItem)).json);
      const { item, number } = given;
      const outcome = await store.put(name, item, { number, ifFree: true });
      if (outcome !== 'taken') return toAnswer(call, await jsonAsPut(store, resource, item));
      if (!toItem) return toTakenAnswer(resource, operation, item.id);
      return toAnswer(call, (await store.add(name, toItem)).json);
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

/** The item, unless the document describes another answer. */
function createToAnswer(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): ShowItem['toAnswer'] {
  // Where the document has several, this one says what is done.
  const created = operation.responses.find(({ status }) => status === '201');
  const described = created ?? findSuccess(operation);
  // Of many documents, the default response is that of errors.
  const isOfError = described?.status === 'default' && heldSchemaOf(described) !== undefined;
  return described && !isOfError
    ? createShowItem(described, { operation, resource, ...options }).toAnswer
    : async (_, json) => ({ status: 201, json });
}

/** Makes an item to add of the fields of a body; the clock is that of the call. */
type ToNewItem = (fields: Fields, clock: Clock) => NewItem;

/**
 * Makes what makes items of what an operation takes: its id is the next one of the collection, or
 * the one that the body gives where the caller chooses ids.
 */
export function createToNewItem(
  document: ApiDocument,
  resource: Resource,
  operation: Pick<Operation, 'path' | 'body' | 'otherBody' | 'parameters'>,
): ToNewItem {
  const { idProperty, idSchema, givenId, givenAs } = resource;
  const take = createTakeFields(document, resource, operation);
  const count: ToNewItem = (fields, clock) => ({
    toItem: (n) => {
      const id = toItemId(n, idSchema);
      const taken = take(fields, { id, seed: n, now: clock.now() });
      return toStoredItem(resource, taken, id);
    },
  });
  if (!givenId && givenAs === undefined) return count;
  const isOptional = givenId === 'ifFree';
  return (fields, clock) => {
    const id = valueAt(fields, givenAs ?? idProperty);
    if (!isId(id) || (isOptional && isPlaceholder(id))) return count(fields, clock);
    const taken = take(fields, { id, seed: 1, now: clock.now() });
    const item = toStoredItem(resource, taken, id);
    const given = { item, number: toItemNumber(item.id, idSchema) };
    return isOptional ? { given, ...count(fields, clock) } : { given };
  };
}

/** Whether a path can name an item by a value; by the empty text none can. */
function isId(value: unknown): boolean {
  return value !== '' && ['string', 'number', 'bigint'].includes(typeof value);
}

/** Whether an id is what forms send where nothing was filled in. */
function isPlaceholder(id: unknown): boolean {
  return id === '' || id === 'string' || Number(id) <= 0;
}

/** The JSON of an item that was put: the path of the call may have set what it is below. */
export async function jsonAsPut(
  store: Store,
  { name, scope, views }: Resource,
  { id, json }: StoredItem,
): Promise<ByteText> {
  if (scope === undefined && views === undefined) return json;
  return (await store.get(name, id)) ?? json;
}

/** The answer to an item whose id is taken. */
export function toTakenAnswer(
  { name, idProperty }: Resource,
  operation: Operation,
  id: string,
): Answer {
  const message = `An item of ${name} has the ${idProperty} ${toExcerpt(id, 80)} already.`;
  return toStatedErrorAnswer('id_taken', message, takenStatusOf(operation));
}
