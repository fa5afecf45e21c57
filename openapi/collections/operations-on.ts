import { topOf } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import { describedAt } from '../described-at.ts';
import { isMarked, shownOf } from '../marks.ts';
import { heldSchemaOf } from '../model/content.ts';
import { isOnCollection, type Kind } from '../model/kinds.ts';
import { asks, type Operation } from '../model/operation.ts';
import {
  type FlatSchema,
  flatten,
  hasAlternatives,
  type RawDocument,
  type Schema,
} from '../schema.ts';
import type { CollectionPlace } from './places.ts';
import { bodyItemsOf, bodySchemaOf, isSameItem, itemOf, itemsOf } from './success.ts';

/** The operations of a collection by their kinds. */
export type FoundOperations = Partial<Record<Kind, Operation>>;

/** Whether the successes of an operation have no content, as the 204 of `POST /users/{id}`. */
function saysNothing({ responses }: Operation): boolean {
  const successes = responses.filter(isSuccess);
  return successes.length > 0 && successes.every(({ mediaTypes }) => mediaTypes.length === 0);
}

/** The operations of a place by their kinds, as their methods, bodies and responses show them. */
export function operationsOn(
  raw: RawDocument,
  { onCollection, onItem }: Pick<CollectionPlace, 'onCollection' | 'onItem'>,
): FoundOperations {
  const by = (
    operations: readonly Operation[],
    method: string,
    follows: (one: Operation) => boolean,
  ) => operations.find((one) => !isHinted(one) && one.method === method && follows(one));
  const givesItem = (one: Operation) => itemOf(raw, one) !== undefined;
  const takesBody = (one: Operation) => bodySchemaOf(raw, one) !== undefined;
  const takesList = (one: Operation) => bodyItemsOf(raw, one) !== undefined;
  const isSilent = (one: Operation) => takesBody(one) && saysNothing(one);
  const isMade = ({ status }: { status: string }) => status === '201';
  const read = by(onItem, 'GET', givesItem);
  // Where each item is read, the last word of the path is that of the items: `/export-jobs`.
  const named = ({ id, path }: Operation) => ({ id, path: read ? '' : path });
  const creates = (one: Operation) =>
    one.responses.some(isMade)
      ? !asks(named(one), /^(search|find|query|lookup)(?![a-z])/)
      : (givesItem(one) || isSilent(one)) && !asks(named(one));
  // What the service makes up by itself, such as a key.
  const makes = (one: Operation) =>
    !one.body && !one.otherBody && givesItem(one) && (read || one.responses.some(isMade));
  const found: Partial<Record<Kind, Operation | undefined>> = {
    list: by(onCollection, 'GET', (one) => itemsOf(raw, one) !== undefined),
    create: by(
      onCollection,
      'POST',
      (one) => (takesBody(one) || makes(one)) && !takesList(one) && creates(one),
    ),
    createMany: by(onCollection, 'POST', (one) => takesList(one) && !asks(one)),
    read,
    replace: by(onItem, 'PUT', takesBody),
    update:
      by(onItem, 'PATCH', takesBody) ??
      (read &&
        by(
          onItem,
          'POST',
          (one) => takesBody(one) && (givesItem(one) || isSilent(one)) && !asks(one),
        )),
    delete: by(onItem, 'DELETE', () => true),
  };
  for (const one of [...onCollection, ...onItem]) {
    const kind = one.hint?.kind;
    if (kind === undefined || kind === 'none') continue;
    // A further list or create is a view of the collection.
    if (!found[kind] || !isOnCollection(kind)) found[kind] = one;
  }
  return Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined));
}

/**
 * The operations of a collection that take a whole item, and of whose answers the document says
 * nothing: what they do follows from what they take.
 */
export function operationsWithItem(
  raw: RawDocument,
  { onCollection }: Pick<CollectionPlace, 'onCollection'>,
  { schema, idProperty }: { schema: Schema; idProperty: string },
): Pick<FoundOperations, 'create' | 'replace'> {
  const takesItem = (method: string) =>
    onCollection.find(
      (one) =>
        !isHinted(one) &&
        one.method === method &&
        !asks(one) &&
        isSameItem(raw, bodySchemaOf(raw, one) ?? {}, schema),
    );
  const [create, replace] = [takesItem('POST'), takesItem('PUT')];
  const isSilent = create?.responses.every(
    (one) => heldSchemaOf(one) === undefined || /^[45]/.test(one.status),
  );
  const replaced = flatten(raw, replace && bodySchemaOf(raw, replace));
  const hasId = describedAt(raw, replaced, idProperty) !== undefined;
  return { ...(create && isSilent && { create }), ...(replace && hasId && { replace }) };
}

/** Whether each item of the list in a body sets only what items have, or what answers never show. */
export function setsItems(raw: RawDocument, operation: Operation, item: FlatSchema): boolean {
  const names = Object.keys(shownOf(raw, flatten(raw, bodyItemsOf(raw, operation))).properties);
  return names.length > 0 && names.every((name) => Object.hasOwn(item.properties, name));
}

/**
 * Whether what a PUT takes is a whole item: it requires something, and describes all that the service
 * does not set itself. Of any other, what it does not name stays.
 */
export function takesWhole(
  raw: RawDocument,
  operation: Operation,
  { item, idProperty }: { item: FlatSchema; idProperty: string },
): boolean {
  const schema = bodySchemaOf(raw, operation);
  // An item that becomes one of another kind keeps nothing of the one that it was.
  if (hasAlternatives(raw, schema)) return true;
  const { properties, required } = flatten(raw, schema);
  const others = Object.keys(item.properties).filter(
    (name) => name !== topOf(idProperty) && !isMarked(raw, item.properties[name], 'readOnly'),
  );
  return required.length > 0 && others.every((name) => Object.hasOwn(properties, name));
}

/** Whether the document says which kind an operation has. */
export function isHinted({ hint }: Operation): boolean {
  return hint?.kind !== undefined;
}

/** Whether a body is that of an item: most of what it describes is what items have. */
export function setsMost(raw: RawDocument, operation: Operation, item: FlatSchema): boolean {
  const names = Object.keys(flatten(raw, bodySchemaOf(raw, operation)).properties);
  const own = names.filter((name) => Object.hasOwn(item.properties, name));
  return own.length > names.length / 2;
}

/** Whether a body sets what items have; one that describes nothing may set anything. */
export function setsItem(raw: RawDocument, operation: Operation, item: FlatSchema): boolean {
  if (operation.body?.jsonPatch) return true;
  const names = Object.keys(flatten(raw, bodySchemaOf(raw, operation)).properties);
  return names.length === 0 || names.some((name) => Object.hasOwn(item.properties, name));
}
