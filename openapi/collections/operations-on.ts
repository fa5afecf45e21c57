import { defined } from '../../common/defined.ts';
import { shapeOf } from '../../common/path-template.ts';
import { topOf } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import { singular, wordsOf } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { isMarked, shownOf } from '../marks.ts';
import { heldSchemaOf } from '../model/content.ts';
import { addsItems, isOnCollection, type Kind, kinds } from '../model/kinds.ts';
import { asks, createsByPut, type FailedCondition, type Operation } from '../model/operation.ts';
import { idsParameterOf, listsIds, type Resource } from '../model/resource.ts';
import {
  type FlatSchema,
  flatten,
  hasAlternatives,
  type RawDocument,
  type Schema,
} from '../schema.ts';
import { findList } from './list-rules.ts';
import type { CollectionPlace } from './places.ts';
import { allTypesOf, objectAlternative, shareType } from './schema-types.ts';
import { bodyItemsOf, bodySchemaOf, isSameItem, itemOf, itemsOf, sentSchemaOf } from './success.ts';

/** The operations of a collection by their kinds. */
export type FoundOperations = Partial<Record<Kind, Operation>>;

/**
 * Whether the successes of an operation have no content, as the 204 of `POST /users/{id}`, or only
 * errors are described.
 */
function saysNothing({ responses }: Operation): boolean {
  const successes = responses.filter(isSuccess);
  const isKnown = successes.length > 0 || responses.every(({ status }) => /^[45]/.test(status));
  const isSilent = successes.every(({ contents }) => contents.length === 0);
  return responses.length > 0 && isKnown && isSilent;
}

/** A rule looks at an operation, and at those of its place that earlier rules found. */
type Test = (raw: RawDocument, operation: Operation, found: FoundOperations) => boolean;

/** A way in which operations of a place have a kind. */
type KindRule = {
  kind: Kind;
  method: string;
  /** Which operations the rule is about; all of the method by default. */
  of?: Test;
  /** Each must hold; the name of the first that does not is what the operation lacks. */
  needs: readonly (readonly [FailedCondition, Test])[];
  /** An operation that has the kind by this rule, among the others of a collection. */
  example: string;
};

const takesBody: Test = (raw, one) => bodySchemaOf(raw, one) !== undefined;
const takesList: Test = (raw, one) => bodyItemsOf(raw, one) !== undefined && !one.body?.jsonPatch;
/** Whether an operation takes the ids of items in its query or its body, where it notes the place. */
export const takesIds: Test = (raw, one, { list }) => {
  const isList = (schema: Schema = {}) => objectAlternative(raw, schema)?.items !== undefined;
  const ids = idsParameterOf(one);
  if (ids !== undefined) return isList(one.parameters.find(({ name }) => name === ids)?.schema);
  const sent = sentSchemaOf(one);
  if (isList(sent)) return true;
  const { properties } = flatten(raw, sent);
  const lists = Object.keys(properties).filter((name) => isList(properties[name]));
  // Of a deletion, the only list is of what is deleted: `{"data": [{"type": "pets", "id": "1"}]}`.
  const listsItems = (name: string) => {
    const items = objectAlternative(raw, properties[name])?.items;
    return one.method === 'DELETE' && lists.length === 1 && 'id' in flatten(raw, items).properties;
  };
  // Texts or numbers called as the items are their ids: `{"messages": ["1", "2"]}`.
  const { id } = flatten(raw, list && itemsOf(raw, list)).properties;
  const namesItems = (name: string) => {
    const items = objectAlternative(raw, properties[name])?.items;
    const types = allTypesOf(raw, items);
    const areIds = types.includes('string') || types.includes('integer');
    return (
      areIds &&
      (!id || shareType(raw, id, items ?? {})) &&
      listsIds(`${singular(name)}ids`, one.path)
    );
  };
  const member = [(name: string) => listsIds(name, one.path), listsItems, namesItems]
    .map((test) => lists.find(test))
    .find((name) => name !== undefined);
  if (member !== undefined) one.takenAt = [member];
  return member !== undefined;
};
const givesItem: Test = (raw, one) => itemOf(raw, one) !== undefined;
const isMade: Test = (_, { responses }) => responses.some(({ status }) => status === '201');
const answers: Test = (raw, one, found) =>
  givesItem(raw, one, found) || (takesBody(raw, one, found) && saysNothing(one));
/** Whether the service makes an item up by itself, such as a key. */
const makesUp: Test = (raw, one, found) =>
  !one.body &&
  !one.otherBody &&
  givesItem(raw, one, found) &&
  (found.read !== undefined || isMade(raw, one, found));
/**
 * Tests that the name of an operation asks for no other effect than a create. If each item is read,
 * the path does not count, as its last word names the items: `/export-jobs`.
 */
const createsByName: Test = (raw, one, found) => {
  const named = { id: one.id, path: found.read ? '' : one.path };
  return !asks(named, isMade(raw, one, found) ? searching : undefined);
};
const changesByName = [
  'effect',
  (_, one) => !asks(one),
] as const satisfies KindRule['needs'][number];
/** Words of operations that send a body to find items. */
export const searching = /^(search|find|query|lookup)(?![a-z])/;

/** Rules of kinds by method, body and success. A later rule may need what an earlier one found. */
export const kindRules: readonly KindRule[] = [
  {
    kind: 'list',
    method: 'GET',
    needs: [['items', (raw, one) => itemsOf(raw, one) !== undefined]],
    example: 'GET /pets -> 200 [Pet]',
  },
  {
    kind: 'read',
    method: 'GET',
    needs: [['item', givesItem]],
    example: 'GET /pets/{id} -> 200 Pet',
  },
  {
    kind: 'createMany',
    method: 'POST',
    of: takesList,
    needs: [changesByName],
    example: 'POST /pets [Pet] -> 201 [Pet]',
  },
  {
    kind: 'replaceMany',
    method: 'PUT',
    of: takesList,
    needs: [changesByName],
    example: 'PUT /pets [Pet] -> 200 [Pet]',
  },
  {
    kind: 'updateMany',
    method: 'PATCH',
    of: takesList,
    needs: [changesByName],
    example: 'PATCH /pets [Pet] -> 200 [Pet]',
  },
  {
    kind: 'deleteMany',
    method: 'DELETE',
    of: takesIds,
    needs: [],
    example: 'DELETE /pets?ids -> 204',
  },
  {
    kind: 'create',
    method: 'POST',
    of: (...all) => !takesList(...all),
    needs: [
      ['body', (...all) => takesBody(...all) || makesUp(...all)],
      ['effect', createsByName],
      ['answer', (...all) => isMade(...all) || answers(...all)],
    ],
    example: 'POST /pets Pet -> 201 Pet',
  },
  {
    kind: 'replace',
    method: 'PUT',
    needs: [['body', takesBody]],
    example: 'PUT /pets/{id} Pet -> 200 Pet',
  },
  {
    kind: 'update',
    method: 'PATCH',
    needs: [['body', takesBody]],
    example: 'PATCH /pets/{id} Pet -> 204',
  },
  {
    kind: 'update',
    method: 'POST',
    needs: [
      ['body', takesBody],
      changesByName,
      ['answer', answers],
      ['read', (_raw, _one, { read }) => read !== undefined],
    ],
    example: 'POST /pets/{id} Pet -> 200 Pet',
  },
  {
    kind: 'delete',
    method: 'DELETE',
    needs: [],
    example: 'DELETE /pets/{id} -> 204',
  },
];

/** The operations of a place by their kinds; of the others, what they lack for a kind is noted. */
export function operationsOn(
  raw: RawDocument,
  place: Pick<CollectionPlace, 'onCollection' | 'onItem'>,
): FoundOperations {
  const found: FoundOperations = {};
  for (const { kind, method, of = () => true, needs } of kindRules)
    for (const one of isOnCollection(kind) ? place.onCollection : place.onItem) {
      if (isHinted(one) || one.method !== method || !of(raw, one, found)) continue;
      const [lacks] = needs.find(([, holds]) => !holds(raw, one, found)) ?? [];
      one.lacks = lacks ?? (found[kind] && 'place');
      if (one.lacks === undefined) found[kind] = one;
    }
  for (const one of [...place.onCollection, ...place.onItem]) {
    const kind = one.hint?.kind;
    if (kind === undefined || kind === 'none') continue;
    // A further list or create is a view of the collection.
    if (!found[kind] || !isOnCollection(kind)) found[kind] = one;
  }
  return Object.fromEntries(kinds.flatMap((kind) => (found[kind] ? [[kind, found[kind]]] : [])));
}

/**
 * The operations of a collection that take a whole item, and of whose answers the document says
 * nothing: what they do follows from what they take.
 */
export function operationsWithItem(
  raw: RawDocument,
  { onCollection }: Pick<CollectionPlace, 'onCollection'>,
  { schema, idProperty }: { schema: Schema; idProperty: string },
): Pick<FoundOperations, 'create' | 'replace' | 'update'> {
  const takesItem = (method: string) =>
    onCollection.find(
      (one) =>
        !isHinted(one) &&
        one.method === method &&
        !asks(one) &&
        isSameItem(raw, bodySchemaOf(raw, one) ?? {}, schema),
    );
  const create = takesItem('POST');
  const isSilent = create?.responses.every(
    (one) => heldSchemaOf(one) === undefined || /^[45]/.test(one.status),
  );
  // Where a single item is at the path, it is the one that is changed.
  const isSingle = onCollection.some(
    (one) => one.method === 'GET' && itemsOf(raw, one) === undefined,
  );
  const takesItsId = (method: string) => {
    const one = isSingle ? undefined : takesItem(method);
    const taken = flatten(raw, one && bodySchemaOf(raw, one));
    return describedAt(raw, taken, idProperty) === undefined ? undefined : one;
  };
  const [replace, update] = [takesItsId('PUT'), takesItsId('PATCH')];
  return defined({ create: isSilent ? create : undefined, replace, update });
}

/**
 * Supposes an id of items that describe none. Those that are created at their path have their keys there
 * alone, if no list shows them but as an object by their keys. Those that another path creates have an
 * `id`, as `{id}` names them.
 */
export function supposedId(
  raw: RawDocument,
  found: FoundOperations,
  { name }: { name: string },
): { name: string; idIn: NonNullable<Resource['idIn']> } | undefined {
  const { list, read, replace, create } = found;
  if (!read) return undefined;
  const isMade = create ? createsAtItem(found) : replace && createsByPut(replace, true);
  const isShown = !list || findList(raw, list)?.form.isMap === true;
  if (isMade) return isShown ? { name, idIn: 'path' } : undefined;
  const isId = /^(id|uuid)$/.test(wordsOf(name).at(-1) ?? '');
  return create && isId ? { name: 'id', idIn: 'answers' } : undefined;
}

/** Whether a create is at the path of the item that it creates. */
export function createsAtItem({ create, read, replace, update, ...others }: FoundOperations) {
  const onItem = read ?? replace ?? update ?? others.delete;
  return create && onItem && shapeOf(create.path) === shapeOf(onItem.path);
}

/** Notes the POST of a path of one item that creates it, as its 201 says and nothing else does. */
export function createAtItem(
  raw: RawDocument,
  { onItem }: CollectionPlace,
  found: FoundOperations,
): void {
  if (addsItems(found)) return;
  const made = onItem.find(
    (one) =>
      one.method === 'POST' &&
      !isHinted(one) &&
      !asks(one) &&
      bodySchemaOf(raw, one) !== undefined &&
      one.responses.filter(isSuccess).every(({ status }) => status === '201') &&
      one.responses.some(({ status }) => status === '201'),
  );
  if (!made) return;
  if (found.update === made) delete found.update;
  made.lacks = undefined;
  found.create = made;
}

/** Whether each item of the list in a body sets only what items have, or what answers never show. */
export function setsItems(raw: RawDocument, operation: Operation, item: FlatSchema): boolean {
  const names = Object.keys(shownOf(raw, flatten(raw, bodyItemsOf(raw, operation))).properties);
  return names.length > 0 && names.every((name) => Object.hasOwn(item.properties, name));
}

type ReplacedItem = Pick<Resource, 'item' | 'idProperty' | 'isOpen'>;

/**
 * Whether what a PUT takes is a whole item: it requires something, and describes all that the service
 * does not set itself. Of any other, what it does not name stays.
 */
export function takesWhole(
  raw: RawDocument,
  operation: Operation,
  { item, idProperty, isOpen = item.others !== undefined }: ReplacedItem,
): boolean {
  const schema = bodySchemaOf(raw, operation);
  // An item that becomes one of another kind keeps nothing of the one that it was.
  if (hasAlternatives(raw, schema)) return true;
  const { properties, required } = flatten(raw, schema);
  if (isOpen && Object.keys(properties).length === 0) return true;
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
  const names = Object.keys(flatten(raw, bodySchemaOf(raw, operation)).properties);
  return names.length === 0 || names.some((name) => Object.hasOwn(item.properties, name));
}

/**
 * Returns the properties that only the success of a create describes, such as the `secret` of a key;
 * undefined without any.
 */
export function shownOnceOf(raw: RawDocument, found: FoundOperations): string[] | undefined {
  const { create, list, read, replace, update } = found;
  const others = [read, replace, update].map((one) => one && itemOf(raw, one));
  const shown = [list && itemsOf(raw, list), ...others].filter((one) => one !== undefined);
  if (!create || shown.length === 0) return undefined;
  const known = [...shown, bodySchemaOf(raw, create)].map((one) => flatten(raw, one));
  if (known.some(({ others: open = [] }) => open.length > 0)) return undefined;
  const names = Object.keys(flatten(raw, itemOf(raw, create)).properties);
  const once = names.filter((name) => !known.some((one) => Object.hasOwn(one.properties, name)));
  return once.length > 0 ? once : undefined;
}
