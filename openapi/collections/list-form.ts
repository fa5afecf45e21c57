import { isObject } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { singular, toPlainName, withoutPrefix } from '../../common/words.ts';
import { typesOf } from '../model/id-form.ts';
import type { Operation } from '../model/operation.ts';
import { createCache, flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { findWrappedItem } from './item-form.ts';
import { type ListField, linkOf, type NamedField, roleOf } from './list-fields.ts';
import { objectAlternative } from './schema-types.ts';

/** How a list holds its items, and where it states what else about them. */
export type ListForm = {
  /** The properties that lead to the items; none where the answer is these. */
  pointer: readonly string[];
  /** Whether the items are in an object, each as the member that its id names, not in an array. */
  isMap?: true;
  fields: readonly ListField[];
  /** How many items the array may have. */
  maxItems?: number;
};

/** A list as the schema of an answer describes it. */
export type FoundList = { form: ListForm; items: Schema };

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
    'links link paging pagination pager page pageinfo pagedata pagemeta pageable meta metadata ' +
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
  const outer = schema && objectAlternative(raw, schema);
  if (!outer) return undefined;
  const known = knownForms.of(raw);
  const byWord = known.get(outer) ?? new Map<string, FoundList | undefined>();
  known.set(outer, byWord);
  const key = [lastWordOf(plainPath), ...(shownAt ?? [])].join('/');
  if (!byWord.has(key)) byWord.set(key, findWithin(raw, outer, plainPath, shownAt));
  return byWord.get(key);
}

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
  const arrays = findArrays(raw, outer);
  const chosen =
    (shownAt && arrays.find(({ form }) => isSamePath(form.pointer, shownAt))) ??
    chooseArray(raw, outer, { arrays, path }) ??
    chooseMap(raw, outer, path);
  if (!chosen) return undefined;
  return {
    ...chosen,
    form: { ...chosen.form, fields: findFields(raw, outer, chosen.form.pointer) },
  };
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
  const form = { pointer, fields: [], ...(isBounded && { maxItems: schema.maxItems }) };
  return { form, items: resolve(raw, schema.items) === items ? schema.items : items };
}

/** The arrays of objects in an object, and in the objects of it. */
export function findArrays(
  raw: RawDocument,
  schema: Schema,
  depth = maxDepth,
): readonly FoundList[] {
  const known = knownArrays[depth]?.of(raw);
  const before = known?.get(schema);
  if (before) return before;
  const arrays = Object.entries(flatten(raw, schema).properties).flatMap(([name, property]) => {
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
  known?.set(schema, arrays);
  return arrays;
}

/** The arrays found before, by depth: in large documents, the same schemas are within many others. */
const knownArrays = Array.from({ length: maxDepth + 1 }, () => createCache<readonly FoundList[]>());

function toNoun(name: string): string {
  return toPlainName(singular(name));
}

type Choice = { arrays: readonly FoundList[]; path: string };

function chooseArray(
  raw: RawDocument,
  outer: RawDocument,
  { arrays, path }: Choice,
): FoundList | undefined {
  // What has an id is an item itself, whatever it holds.
  if (Object.hasOwn(flatten(raw, outer).properties, 'id')) return undefined;
  const nameOf = ({ form }: FoundList) => toPlainName(withoutPrefix(form.pointer.at(-1) ?? ''));
  const shallow = arrays.toSorted(
    (left, right) => left.form.pointer.length - right.form.pointer.length,
  );
  const named = shallow.find(
    ({ form }) => toNoun(form.pointer.at(-1) ?? '') === toNoun(lastWordOf(path)),
  );
  if (named) return named;
  const general = shallow.find((one) => itemsNames.has(nameOf(one)));
  if (general) return general;
  // What stands beside the one item that an answer holds is related to it.
  const [held] = findWrappedItem(raw, outer, { path })?.pointer ?? [];
  const [only, ...others] = shallow.filter(
    ({ form }) => held === undefined || form.pointer[0] === held,
  );
  const isAll = Object.keys(flatten(raw, outer).properties).length === 1;
  const saysMore = only && (isAll || findFields(raw, outer, only.form.pointer).length > 0);
  return others.length === 0 && saysMore ? only : undefined;
}

/** The object of items by their ids: an answer itself, its only property or the one called so. */
function chooseMap(raw: RawDocument, outer: RawDocument, path: string): FoundList | undefined {
  const { properties } = flatten(raw, outer);
  if (Object.hasOwn(properties, 'id')) return undefined;
  const names = Object.keys(properties);
  const isNamed = (name: string) => toNoun(name) === toNoun(lastWordOf(path));
  const maps = names.length === 1 ? names : names.filter(isNamed);
  const [only, ...others] = maps.flatMap((name) => toFoundMap(raw, properties[name], [name]) ?? []);
  return toFoundMap(raw, outer, []) ?? (others.length === 0 ? only : undefined);
}

/** An object without properties of its own, whose members are items. */
function toFoundMap(
  raw: RawDocument,
  schema: Schema | undefined,
  pointer: readonly string[],
): FoundList | undefined {
  const { additionalProperties: items } = (schema && objectAlternative(raw, schema)) ?? {};
  const isItem = (one: Schema | undefined) =>
    Object.keys(flatten(raw, one && objectAlternative(raw, one)).properties).length > 0;
  if (!isObject(items) || isItem(schema) || !isItem(items)) return undefined;
  return { form: { pointer, fields: [], isMap: true }, items };
}

/** Finds the fields of an object that describe the array of items in it. */
function findFields(raw: RawDocument, outer: Schema, pointer: readonly string[]): ListField[] {
  const fields: NamedField[] = [];
  const visit = (schema: Schema, path: readonly string[], isOfLinks: boolean) => {
    for (const [name, property] of Object.entries(flatten(raw, schema).properties)) {
      const at = [...path, name];
      const inner = objectAlternative(raw, property) ?? {};
      const isAbove =
        pointer.length > at.length && at.every((key, index) => key === pointer[index]);
      const plain = toPlainName(name);
      const link = linkOf(raw, name, inner);
      if (link) fields.push({ ...link, path: [...at, ...link.path] });
      else if (inner.properties || inner.allOf) {
        const isContainer = isAbove || containerNames.has(plain);
        if (isContainer && at.length < maxDepth) visit(inner, at, linkContainers.has(plain));
      } else if (!isSamePath(at, pointer)) {
        const role = roleOf(name, inner, { isOfLinks, isNested: path.length > 0 });
        if (role) fields.push({ ...role, path: at });
      }
    }
  };
  visit(outer, [], false);
  return withCounts(fields);
}

/** A mere `count` is that of all items, unless another field is; then it is that of the page. */
function withCounts(fields: readonly NamedField[]): ListField[] {
  const ofCount = fields.some(({ role }) => role === 'total') ? 'count' : 'total';
  return fields.map(({ role, ...field }) => ({
    ...field,
    role: role === 'anyCount' ? ofCount : role,
  }));
}
