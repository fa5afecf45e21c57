import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import type { Clock } from '../clock.ts';
import { type Fields, toItemId, toItemNumber } from '../items/stored-item.ts';
import { createTakeItem } from '../items/take-fields.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { NewItem, Store, StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';
import { toTakenAnswer } from './refusals.ts';

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
  const answers = createItemAnswers(operation, resource, options);
  const toAnswer = (call: Call, json: ByteText) => answers.done(call, json, true);
  const inQuery = operation.parameters.filter(
    (one) => one.in === 'query' && Object.hasOwn(resource.item.properties, one.name),
  );
  return async (call) => {
    const { store, clock, body, parameters } = call;
    const asked = Object.entries(parameters?.query ?? {}).filter(([name]) =>
      inQuery.some((one) => one.name === name),
    );
    const fields = { ...Object.fromEntries(asked), ...((body ?? {}) as Fields) };
    const { given, toItem } = toNewItem(fields, clock);
    if (!given) return toAnswer(call, (await store.add(name, toItem)).json);
    const { item, number } = given;
    const outcome = await store.put(name, item, { number, ifFree: true });
    if (outcome !== 'taken') return toAnswer(call, await jsonAsPut(store, resource, item));
    if (!toItem) return toTakenAnswer({ resource, operation }, item.id);
    return toAnswer(call, (await store.add(name, toItem)).json);
  };
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
  const take = createTakeItem(document, resource, operation);
  const count: ToNewItem = (fields, clock) => ({
    toItem: (n) => take(fields, { id: toItemId(n, idSchema), seed: n, now: clock.now() }),
  });
  if (!givenId && givenAs === undefined) return count;
  const isOptional = givenId === 'ifFree';
  return (fields, clock) => {
    const id = valueAt(fields, givenAs ?? idProperty);
    if (!isId(id) || (isOptional && isPlaceholder(id))) return count(fields, clock);
    const item = take(fields, { id, seed: 1, now: clock.now() });
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
