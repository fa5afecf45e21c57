import { isObject } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { remembered } from '../../common/remembered.ts';
import { toNoun, toPlainName, withoutPrefix } from '../../common/words.ts';
import { typesOf } from '../model/id-form.ts';
import type { ListField, ListForm } from '../model/lists.ts';
import type { Operation } from '../model/operation.ts';
import {
  createCache,
  type FlatSchema,
  flatten,
  type RawDocument,
  resolve,
  resolveQuietly,
  type Schema,
} from '../schema.ts';
import { findWrappedItem } from './item-form.ts';
import { isLinkList, type NamedField, pageFieldsOf, roleOf } from './list-fields.ts';
import { objectAlternative } from './schema-types.ts';

/** A list as the schema of an answer describes it. */
export type FoundList = {
  form: ListForm;
  items: Schema;
  /** The texts beside the items of which no name tells what they say. */
  texts?: readonly (readonly string[])[];
};

/** How deep in an answer its items are looked for, and what it says of them. */
const maxDepth = 3;

/** Names that say that an array holds the items, without their separators. */
const itemsNames = new Set(
  (
    'data items results result records entries entities values list rows elements content contents ' +
    'objects resources collection collections hits member members value response documents docs edges'
  ).split(' '),
);

/** Names of objects that say something about a list. */
const containerNames = new Set(
  (
    'links link paging pagination pager page pages pageinfo pagedata pagemeta pageable meta metadata ' +
    'metainfo cursor cursors info resultinfo resultset responsemetadata navigation listmeta'
  ).split(' '),
);

const linkContainers = new Set(['links', 'link']);

/**
 * Finds the items in the schema of an answer: an array, an object with an array beside other
 * members, or an object of items by id. Undefined without items.
 */
export function findListForm(
  raw: RawDocument,
  schema: Schema | undefined,
  { path, plainPath = path, shownAt }: Pick<Operation, 'path' | 'plainPath' | 'shownAt'>,
): FoundList | undefined {
  const outer = objectAlternative(raw, schema);
  if (!outer) return undefined;
  const known = knownForms.of(raw);
  const byWord = known.get(outer) ?? new Map<string, FoundList | undefined>();
  known.set(outer, byWord);
  const key = [wordOf(plainPath), ...(shownAt ?? [])].join('/');
  if (!byWord.has(key)) byWord.set(key, findWithin(raw, outer, plainPath, shownAt));
  const found = byWord.get(key);
  return found && withCreated(raw, found, path);
}

/** A list whose elements hold what the POST of its path takes, beside other members and no `id`. */
function withCreated(raw: RawDocument, found: FoundList, path: string): FoundList {
  const { form, items } = found;
  const body =
    form.within === undefined && resolveQuietly(raw, raw.paths?.[path]?.post?.requestBody);
  if (!body) return found;
  const sent = Object.values<RawDocument>(body.content ?? {}).map(({ schema }) =>
    resolveQuietly(raw, schema),
  );
  const { properties } = flatten(raw, objectAlternative(raw, items));
  if (Object.hasOwn(properties, 'id')) return found;
  const isSent = ([, one]: [string, Schema]) => sent.includes(resolveQuietly(raw, one));
  const [held, ...others] = Object.entries(properties).filter(isSent);
  if (!held || others.length > 0) return found;
  return { ...found, form: { ...form, within: held[0] }, items: held[1] };
}

/** The last word of a path that names items: `pets` of `/pets/search`. */
export const wordOf = remembered((path) =>
  lastWordOf(
    path.replace(/\/(search|find|query|lookup|filter|(batch|bulk)-?(get|retrieve))$/i, ''),
  ),
);

/** The lists found before in the schemas of answers, by the words that choose among several. */
const knownForms = createCache<Map<string, FoundList | undefined>>();

function findWithin(
  raw: RawDocument,
  outer: RawDocument,
  path: string,
  shownAt?: readonly string[],
): FoundList | undefined {
  const own = toFound(raw, outer, []);
  if (own) return own;
  const noun = toNoun(wordOf(path));
  // A list of errors says what went wrong.
  const isOfItems = (name: string) => noun === 'error' || name !== 'errors';
  const named = Object.entries(flatten(raw, outer).properties);
  const properties = Object.fromEntries(named.filter(([name]) => isOfItems(name)));
  const found = findArrays(raw, outer).filter((one) => isOfItems(lastKeyOf(one)));
  const arrays = found.toSorted(
    (left, right) => left.form.pointer.length - right.form.pointer.length,
  );
  const shown = shownAt && found.find(({ form }) => isSamePath(form.pointer, shownAt));
  // What has an id is an item itself, whatever it holds.
  const rules = shown || Object.hasOwn(properties, 'id') ? [] : listRules;
  const answer: Answer = { raw, outer, properties, arrays, path, noun };
  const chosen = rules.reduce((one, { choose }) => one ?? choose(answer), shown);
  if (!chosen) return undefined;
  const { fields, texts } = findFields(raw, outer, chosen.form.pointer);
  return { ...chosen, texts, form: { ...chosen.form, fields } };
}

/** An object that may hold a list. */
type Answer = {
  raw: RawDocument;
  outer: RawDocument;
  properties: FlatSchema['properties'];
  /** The arrays of objects in it, the shallow ones first. */
  arrays: readonly FoundList[];
  path: string;
  /** The singular of the last word of the path. */
  noun: string;
};

/** A way in which an object holds the items of a list. */
type ListRule = {
  name: string;
  choose: (answer: Answer) => FoundList | undefined;
  /** A request, what it answers with, and the property with the items. */
  example: string;
};

/** Rules for lists in objects, in their order. */
export const listRules: readonly ListRule[] = [
  {
    name: 'an array is called as the path',
    choose: ({ arrays, noun }) => arrays.find((one) => toNoun(lastKeyOf(one)) === noun),
    example: 'GET /pets {data: [Owner], pets: [Pet]} -> pets',
  },
  {
    name: 'an array has a name of lists',
    choose: ({ arrays }) =>
      arrays.find((one) => itemsNames.has(toPlainName(withoutPrefix(lastKeyOf(one))))),
    example: 'GET /pets {owners: [Owner], results: [Pet]} -> results',
  },
  {
    name: 'there is one array, and what is beside it describes it',
    choose: chooseOnlyArray,
    example: 'GET /pets {animals: [Pet], total: integer} -> animals',
  },
  {
    name: 'the object has the items by their ids',
    choose: ({ raw, outer }) => toFoundMap(raw, outer, []),
    example: 'GET /pets {*: Pet} -> *',
  },
  {
    name: 'its only property, or the one that is called as the path, has them so',
    choose({ raw, properties, noun }) {
      const names = Object.keys(properties);
      const maps = names.length === 1 ? names : names.filter((name) => toNoun(name) === noun);
      const found = maps.flatMap((name) => toFoundMap(raw, properties[name], [name]) ?? []);
      return found.length === 1 ? found[0] : undefined;
    },
    example: 'GET /pets {pets: {*: Pet}, total: integer} -> pets',
  },
];

/** Chooses the only array, besides links, and those that are beside an item: these are related to it. */
function chooseOnlyArray({ raw, outer, properties, arrays, path }: Answer): FoundList | undefined {
  const [held] = findWrappedItem(raw, outer, { path })?.pointer ?? [];
  const all = arrays.filter(({ form }) => held === undefined || form.pointer[0] === held);
  const apart = all.filter((one) => !linkContainers.has(toPlainName(lastKeyOf(one))));
  const [only, ...others] = apart.length > 0 ? apart : all;
  if (!only || others.length > 0) return undefined;
  const isAll = Object.keys(properties).length === 1;
  return isAll || findFields(raw, outer, only.form.pointer).fields.length > 0 ? only : undefined;
}

function lastKeyOf({ form }: FoundList): string {
  return form.pointer.at(-1) ?? '';
}

function isSamePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}

function toFound(
  raw: RawDocument,
  schema: RawDocument,
  pointer: readonly string[],
): FoundList | undefined {
  if (schema.items === undefined || !(typesOf(schema).includes('array') || !schema.type))
    return undefined;
  const items = objectAlternative(raw, schema.items);
  if (!items || Object.keys(flatten(raw, items).properties).length === 0) return undefined;
  const isBounded = typeof schema.maxItems === 'number';
  const within = findHolder(raw, items);
  const form = {
    ...{ pointer, fields: [] },
    ...(isBounded && { maxItems: schema.maxItems }),
    ...(within !== undefined && { within }),
  };
  if (within !== undefined)
    return { form, items: flatten(raw, items).properties[within] as Schema };
  return { form, items: resolve(raw, schema.items) === items ? schema.items : items };
}

/** Finds the member of an element that is the item, if it has an `id` and there is no more than a cursor. */
function findHolder(raw: RawDocument, element: Schema): string | undefined {
  const { properties } = flatten(raw, element);
  const [only = '', ...others] = Object.keys(properties).filter((name) => !/cursor$/i.test(name));
  if (others.length > 0 || containerNames.has(toPlainName(only))) return undefined;
  const held = flatten(raw, objectAlternative(raw, properties[only]));
  return Object.hasOwn(held.properties, 'id') ? only : undefined;
}

/** The arrays of objects in an object, and in the objects of it. */
export function findArrays(
  raw: RawDocument,
  schema: Schema,
  depth = maxDepth,
): readonly FoundList[] {
  return Object.entries(flatten(raw, schema).properties).flatMap(([name, property]) => {
    const inner = objectAlternative(raw, property);
    if (!inner) return [];
    const found = toFound(raw, inner, [name]);
    if (found) return [found];
    if (depth === 1 || inner.items !== undefined) return [];
    return findArrays(raw, inner, depth - 1).map(({ form, items }) => ({
      form: { ...form, pointer: [name, ...form.pointer] },
      items,
    }));
  });
}

/** An object without properties of its own, whose members are items. */
function toFoundMap(
  raw: RawDocument,
  schema: Schema | undefined,
  pointer: readonly string[],
): FoundList | undefined {
  const { additionalProperties: items } = objectAlternative(raw, schema) ?? {};
  const isItem = (one: Schema | undefined) =>
    Object.keys(flatten(raw, objectAlternative(raw, one)).properties).length > 0;
  if (!isObject(items) || isItem(schema) || !isItem(items)) return undefined;
  return { form: { pointer, fields: [], isMap: true }, items };
}

/** Finds the fields of an object that describe the array of items in it, and its other texts. */
function findFields(raw: RawDocument, outer: Schema, pointer: readonly string[]) {
  const fields: NamedField[] = [];
  const texts: string[][] = [];
  const visit = (schema: Schema, path: readonly string[], isOfLinks: boolean) => {
    for (const [name, property] of Object.entries(flatten(raw, schema).properties)) {
      const at = [...path, name];
      const inner = objectAlternative(raw, property) ?? {};
      const isAbove =
        pointer.length > at.length && at.every((key, index) => key === pointer[index]);
      const plain = toPlainName(name);
      const ofPage = pageFieldsOf(raw, at, inner);
      if (ofPage.length > 0) fields.push(...ofPage);
      else if (linkContainers.has(plain) && isLinkList(raw, inner))
        fields.push({ role: 'relations', path: at });
      else if (inner.properties || inner.allOf) {
        const isContainer = isAbove || containerNames.has(plain) || /^pag(ing|ination)/.test(plain);
        const holdsLinks = linkContainers.has(plain) || (isOfLinks && plain === 'pages');
        const deepest = Math.max(maxDepth - 1, pointer.length);
        if (isContainer && at.length <= deepest) visit(inner, at, holdsLinks);
      } else if (!isSamePath(at, pointer)) {
        const role = roleOf(name, inner, { isOfLinks, isNested: path.length > 0 });
        if (role) fields.push({ ...role, path: at });
        else if (typesOf(inner).includes('string')) texts.push(at);
      }
    }
  };
  visit(outer, [], false);
  return { fields: withCounts(fields), texts };
}

/** Finds the fields that describe pages in an answer with an array of any values. */
export function findPageFields(raw: RawDocument, schema: Schema): ListField[] {
  const outer = objectAlternative(raw, schema) ?? {};
  const { properties } = flatten(raw, outer);
  const array = Object.keys(properties).find(
    (name) => objectAlternative(raw, properties[name])?.items !== undefined,
  );
  const { pointer } = findArrays(raw, outer)[0]?.form ?? { pointer: array && [array] };
  return pointer ? findFields(raw, outer, pointer).fields : [];
}

/** A mere `count` is that of all items, unless another field is; then it is that of the page. */
function withCounts(fields: readonly NamedField[]): ListField[] {
  const ofCount = fields.some(({ role }) => role === 'total') ? 'count' : 'total';
  return fields.map(({ role, ...field }) => ({
    ...field,
    role: role === 'anyCount' ? ofCount : role,
  }));
}
