import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import { toItemId, toItemNumber } from '../items/item-ids.ts';
import { toStoredItem } from '../items/stored-item.ts';
import { createTakeFields } from '../items/take-fields.ts';
import type { ByteText } from '../json/byte-text.ts';
import type { NewItem, Store, StoredItem } from '../state/store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Makes an item to add of the fields of a body; the clock is that of the call. */
export type ToNewItem = (fields: Fields, clock: Clock) => NewItem;

/**
 * Makes what makes items of what an operation takes: its id is the next one of the collection, or
 * the one that the body gives where the caller chooses ids.
 */
export function createToNewItem(
  document: ApiDocument,
  resource: Resource,
  operation: Pick<Operation, 'path' | 'body' | 'otherBody'>,
): ToNewItem {
  const { idProperty, idSchema, givenId } = resource;
  const take = createTakeFields(document, resource, operation);
  const count: ToNewItem = (fields, clock) => ({
    toItem: (n) => {
      const id = toItemId(n, idSchema);
      const taken = take ? take(fields, { id, seed: n, now: clock.now() }) : fields;
      return toStoredItem(resource, taken, id);
    },
  });
  if (!givenId) return count;
  const isOptional = givenId === 'ifFree';
  return (fields, clock) => {
    const id = valueAt(fields, idProperty);
    if (!isId(id) || (isOptional && isPlaceholder(id))) return count(fields, clock);
    const taken = take ? take(fields, { id, seed: 1, now: clock.now() }) : fields;
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
export function toTakenAnswer({ name, idProperty }: Resource, id: string): Answer {
  const message = `An item of ${name} has the ${idProperty} ${toExcerpt(id, 80)} already.`;
  return toErrorAnswer('id_taken', message);
}
