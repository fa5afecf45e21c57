import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { valueIn } from '../../common/property-path.ts';
import { singular, toNoun, toPlainName, wordsOf } from '../../common/words.ts';
import { asks, type Operation, type Parameter } from '../model/operation.ts';
import { idParameterOf } from '../model/resource.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { isPagingName } from './list-parameters.ts';
import { allTypesOf, objectAlternative } from './schema-types.ts';
import { isSameItem, itemOf, itemsOf, sentSchemaOf } from './success.ts';

/** A verb of operations that say in their path what they do, and how most documents say it. */
type Verb = {
  words: RegExp;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  of: 'items' | 'item';
  /** Such an operation, and the one that it is read as. */
  example: string;
};

/** Verbs in paths such as `/pets.list`, `/pets/list`, `/ListPets` and `/pets/{id}/delete`. */
export const verbs: readonly Verb[] = [
  {
    words: /^(list|index|all)$/,
    ...{ method: 'GET', of: 'items' },
    example: 'POST /pets.list {limit} -> GET /pets?limit',
  },
  {
    words: /^(create|add|new|insert|register)$/,
    ...{ method: 'POST', of: 'items' },
    example: 'POST /pets.create {name} -> POST /pets {name}',
  },
  {
    words: /^(info|get|show|read|view|retrieve|describe|fetch|details|by-?id)$/,
    ...{ method: 'GET', of: 'item' },
    example: 'POST /pets.info {id} -> GET /pets/{id}',
  },
  {
    words: /^(update|edit|modify|change|patch|rename)$/,
    ...{ method: 'PATCH', of: 'item' },
    example: 'POST /pets.update {id, name} -> PATCH /pets/{id} {name}',
  },
  {
    words: /^(replace|put)$/,
    ...{ method: 'PUT', of: 'item' },
    example: 'POST /pets.replace {id, name} -> PUT /pets/{id} {name}',
  },
  {
    words: /^(delete|remove|destroy)$/,
    ...{ method: 'DELETE', of: 'item' },
    example: 'POST /pets.delete {id} -> DELETE /pets/{id}',
  },
];

/** A path as what it names and the word that says what is done to it; the id may be in it, too. */
type NamedCall = { operation: Operation; noun: string; word: string; id?: string | undefined };

/** The paths and methods that a document has, or that an operation is read as. */
type TakenKeys = Set<string>;

const keyOf = (method: string, path: string) => `${method} ${shapeOf(path)}`;

/**
 * Finds the operations that name in their path what they do, or ask for items with a body, each
 * with the operation that it is read as: `POST /pets.info` with `{id}` as `GET /pets/{id}`. Two verbs
 * of a noun show that paths are written so, or one beside a collection at the path of the noun.
 */
export function findReadAs(
  raw: RawDocument,
  operations: readonly Operation[],
): Map<Operation, Operation> {
  const taken: TakenKeys = new Set(operations.map(({ method, path }) => keyOf(method, path)));
  const free = operations.filter(({ hint }) => hint?.kind === undefined);
  const named = free.flatMap((one) => readPath(one) ?? []).filter(({ noun }) => !isOfMany(noun));
  const found = new Map<Operation, Operation>();
  for (const family of Map.groupBy(named, ({ noun }) => singular(noun)).values())
    for (const [operation, read] of readFamily(raw, family, taken)) found.set(operation, read);
  for (const one of free)
    if (!found.has(one) && isSearch(raw, one, operations)) {
      const path = taken.has(keyOf('GET', one.path)) ? `${one.path}/by-body` : one.path;
      found.set(one, { ...toGet(raw, one, path), plainPath: one.path });
    }
  return found;
}

/** Whether a path names no items but calls about several of them: `/pets/batch/update`. */
function isOfMany(noun: string): boolean {
  return /^(batch|bulk)$/.test(lastWordOf(noun));
}

/** Reads a path as a noun and what is done: `/pets.list`, `/pets/list`, `/pets/{id}/list`, `/ListPets`. */
function readPath(operation: Operation): NamedCall | undefined {
  const [, above = '', last = '', behind] =
    /^(.*)\/([^/{}]+)(?:\/(\{[^{}]+\}))?$/.exec(operation.path) ?? [];
  const [, outer = above, before] = /^(.+)\/(\{[^{}]+\})$/.exec(above) ?? [];
  if (last === '' || (before && behind)) return undefined;
  const [, dotted, method = ''] = /^(.+)\.(\w+)$/.exec(last) ?? [];
  if (dotted) return { operation, noun: `${above}/${dotted.replaceAll('.', '/')}`, word: method };
  const id = before ?? behind;
  if (/[^/{}]$/.test(outer) && (verbOf(last) || (!id && singular(last) === last)))
    return { operation, noun: outer, word: last, id };
  const [word = '', ...rest] = wordsOf(last);
  if (rest.length === 0 || !verbOf(word) || isNoFirstWord.test(word)) return undefined;
  return { operation, noun: `${above}/${rest.join('-')}`, word, id: behind };
}

/** Words for what is done that say something else in front of a noun: `/all-pets`. */
const isNoFirstWord = /^(all|index|new|info|details|view)$/;

function verbOf(word: string): Verb | undefined {
  const plain = word.toLowerCase().replace(/_?v\d+$/, '');
  return verbs.find(({ words }) => words.test(plain));
}

function readFamily(raw: RawDocument, family: readonly NamedCall[], taken: TakenKeys) {
  const nouns = family.map(({ noun }) => noun);
  const path = nouns.find((noun) => singular(noun) !== noun) ?? nouns[0] ?? '';
  const known = family.filter((one) => {
    const verb = verbOf(one.word);
    const isMeant = verb?.method === 'GET' ? /^(GET|POST|QUERY)$/ : /^(POST|PUT|PATCH|DELETE)$/;
    return verb && isMeant.test(one.operation.method);
  });
  const count = new Set(known.map(({ word }) => verbOf(word))).size;
  const isBeside = taken.has(keyOf('GET', path)) || taken.has(keyOf('POST', path));
  const found = new Map<Operation, Operation>();
  // `/pets/{id}/addTag` changes an array of the item above.
  const isOfArray = path.includes('}/') && known.every(({ word }) => /^(add|remove)$/.test(word));
  if (count + Number(isBeside) < 2 || (isOfArray && !isBeside)) return found;
  const idOf = createFindId(raw, lastWordOf(path), family);
  const note = (operation: Operation, read: Operation | undefined) => {
    if (!read || taken.has(keyOf(read.method, read.path))) return;
    taken.add(keyOf(read.method, read.path));
    found.set(operation, read);
  };
  for (const one of known) note(one.operation, toRead(raw, path, one, idOf));
  // What has items of its own is a collection: `/catalog/objects` beside `/catalog/objects/{id}`.
  const hasItems = ({ path: own }: Operation) =>
    ['GET', 'PUT', 'PATCH', 'DELETE'].some((method) => taken.has(keyOf(method, `${own}/{}`)));
  for (const { operation, word, id } of count < 2 ? [] : family) {
    if (hasItems(operation)) continue;
    const ofItem = id === undefined && !verbOf(word) ? idOf({ operation }) : undefined;
    if (ofItem && operation.method !== 'GET')
      note(operation, onItem(raw, operation, `${path}/${ofItem}/${word}`));
  }
  return found;
}

/** Reads one operation with a verb; undefined if nothing says which item it is about. */
function toRead(
  raw: RawDocument,
  path: string,
  { operation, word, id: inPath }: NamedCall,
  idOf: (one: Pick<NamedCall, 'operation'>) => string | undefined,
): Operation | undefined {
  const { method = 'GET', of } = verbOf(word) ?? {};
  const id = inPath ?? (of === 'item' ? idOf({ operation }) : undefined);
  const isList = method === 'GET' && !id && itemsOf(raw, operation) !== undefined;
  const isOfItems = of === 'items' || isList;
  if (isOfItems === (id !== undefined)) return undefined;
  const read = id ? onItem(raw, operation, `${path}/${id}`) : { ...operation, path };
  return method === 'GET' ? toGet(raw, read, read.path) : { ...read, method };
}

/**
 * Returns an operation as one that takes its body in the query, with the members of an object that
 * only says how to ask, such as `pagination`.
 */
function toGet(raw: RawDocument, operation: Operation, path: string): Operation {
  const { body: _, otherBody: __, ...others } = operation;
  const inPath = idParameterOf({ path });
  const own = Object.entries(sentOf(raw, operation));
  const inner = own.flatMap(([name, schema]) => {
    if (!isPagingName(name)) return [[name, schema] as const];
    const members = Object.entries(flatten(raw, objectAlternative(raw, schema)).properties);
    return members.filter(([one]) => !own.some(([other]) => other === one));
  });
  const sent = inner.flatMap(([name, schema]) =>
    name === inPath ? [] : toSentParameter(operation, { name, schema, place: 'query' }),
  );
  return { ...others, method: 'GET', path, parameters: [...operation.parameters, ...sent] };
}

/** Returns an operation as one with its id in the path. */
function onItem(raw: RawDocument, operation: Operation, path: string): Operation {
  const [, name = ''] = /\{([^{}]+)\}/.exec(path) ?? [];
  if (operation.path.includes(`{${name}}`)) return { ...operation, path };
  const own = operation.parameters.find((one) => one.name === name);
  const schema = own?.schema ?? sentOf(raw, operation)[name] ?? {};
  const parameters = operation.parameters.filter((one) => one !== own);
  const parameter = toSentParameter(operation, { name, schema, place: 'path' });
  return { ...operation, path, parameters: [...parameters, parameter] };
}

/** Returns a member of a body as a parameter, with what the examples of the body show of it. */
function toSentParameter(
  { body }: Operation,
  { name, schema, place }: { name: string; schema: Schema; place: 'path' | 'query' },
) {
  const parameter = toParameter(name, schema, place);
  const shown = Object.values(body?.examples ?? {}).map((one) => valueIn(one, [name]));
  const examples = { ...parameter.examples, ...shown.filter((one) => one !== undefined) };
  return { ...parameter, examples };
}

function toParameter(name: string, schema: Schema, place: 'query' | 'path'): Parameter {
  const { example } = schema;
  const examples = example === undefined ? {} : { default: example };
  const required = place === 'path';
  return { name, in: place, required, schema, examples, style: 'form', explode: true };
}

function sentOf(raw: RawDocument, operation: Operation): Record<string, Schema> {
  return flatten(raw, sentSchemaOf(operation)).properties;
}

/**
 * Creates a search for the text or number that names an item in the query or the body of an
 * operation: by its name, or as the operations on one item share it, and no other has it.
 */
function createFindId(raw: RawDocument, noun: string, family: readonly NamedCall[]) {
  const one = toNoun(noun);
  const sure = ['id', `${one}id`, one, 'uuid', `${one}uuid`, `${one}name`];
  const isSure = (name: string) => sure.includes(toPlainName(name));
  const scalarsOf = (operation: Operation): string[] => {
    const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
    const all = [
      ...queries.map(({ name, schema }) => [name, schema] as const),
      ...Object.entries(sentOf(raw, operation)),
    ];
    const isScalar = (schema: Schema) =>
      allTypesOf(raw, schema).some((type) => type === 'string' || type === 'integer');
    const isOwn = (name: string) => isSure(name) || !operation.ofCall?.includes(name);
    return all.filter(([name, schema]) => isOwn(name) && isScalar(schema)).map(([name]) => name);
  };
  const ofItems = family.filter(({ word }) => verbOf(word)?.of === 'items');
  const others = new Set(ofItems.flatMap(({ operation }) => scalarsOf(operation)));
  const counts = Map.groupBy(
    family
      .filter((each) => !ofItems.includes(each))
      .flatMap(({ operation }) => scalarsOf(operation)),
    (name) => name,
  );
  const isShared = (name: string) =>
    ofItems.length > 0 && (counts.get(name)?.length ?? 0) > 1 && !others.has(name);
  return ({ operation }: Pick<NamedCall, 'operation'>): string | undefined => {
    const names = scalarsOf(operation);
    const called = sure.map((word) => names.find((name) => toPlainName(name) === word));
    const ids = names.filter((name) => /id$/i.test(name) && !others.has(name));
    const name =
      called.find(Boolean) ?? names.find(isShared) ?? (ids.length === 1 ? ids[0] : undefined);
    return name && `{${name}}`;
  };
}

/** Whether an operation asks with a body for items that another one shows. */
function isSearch(raw: RawDocument, operation: Operation, all: readonly Operation[]): boolean {
  const { method, path } = operation;
  const isAsking = method === 'QUERY' || (method === 'POST' && asks(operation));
  const items = isAsking && !path.endsWith('}') ? itemsOf(raw, operation) : undefined;
  if (!items) return false;
  return all.some((one) => {
    const shown =
      one === operation || one.method !== 'GET'
        ? undefined
        : (itemsOf(raw, one) ?? itemOf(raw, one));
    return shown !== undefined && isSameItem(raw, items, shown);
  });
}
