import { isScalar, membersOf, toJson } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { singular, toPlainName, wordsOf } from '../../common/words.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';
import { isInProse } from '../document/stated.ts';
import { flagOf, toPlain } from './example-value.ts';
import { freshValue, unlikeAny } from './fresh-value.ts';
import { takesAnyText } from './made-secrets.ts';

/** A plain value in a body: where it stands, and what it names, if anything. */
export type BodyValue = {
  place: string;
  value: unknown;
  schema: Schema;
  /** The collections whose item it names; none of them where the document does not describe it. */
  names?: readonly Resource[];
  /** The collections whose item its object names or may be, and its property there. */
  beside?: readonly Resource[];
  property?: string;
  /** Whether it is a key or a part of a text, so that no other value can take its place. */
  isFixed?: true;
};

type Place = {
  name: string;
  place: string;
  schemas: readonly Schema[];
  /** The collections whose item the object around it is, and whether that object may name one. */
  holders: readonly Resource[];
  isOfNamed: boolean;
};

/** The words that the name of a reference ends with, whatever the collection. */
const idWords = /^(?:ids?|u?uids?|guids?|slugs?)$/;

/**
 * Replaces each plain value in the fields of an item, or in one of them by its `name`, at any depth:
 * in lists, objects, alternatives and maps, whose keys may name items too.
 */
function mapValues(
  document: Api,
  resource: Resource | undefined,
  { schema, value, name = '' }: { schema: Schema; value: unknown; name?: string },
  replace: (value: BodyValue) => unknown,
): unknown {
  const index = indexOf(document);
  const visit = (value: unknown, at: Place): unknown => {
    if (Array.isArray(value)) {
      const schemas = inner(document, at.schemas, 'items');
      return value.map((one) => visit(one, { ...at, schemas }));
    }
    const members = membersOf(value);
    if (!members) {
      if (!isScalar(value)) return value;
      return replace({ place: at.place, value, ...nameOf(document, value, at) });
    }
    const isItem = at.place === '';
    const described = inner(document, at.schemas, 'properties');
    const same = at.schemas.flatMap((one) => index.byIdentity(one));
    const holders = isItem
      ? [resource ?? []].flat()
      : [...new Set([...same, ...index.called(at.name)])];
    // A deployment may find an item without an id by its texts.
    const isOfNamed =
      same.some(({ scope }) => !scope) || Object.keys(members).some((key) => isIdOf(key, holders));
    return Object.fromEntries(
      Object.entries(members).map(([key, one]) => {
        const place = isItem ? key : `${at.place}.${key}`;
        const isKey = !isItem && described.length === 0 && !isOfNamed;
        const named = isKey
          ? nameOf(document, isNumeric(key) ? Number(key) : key, { ...at, schemas: [] })
          : { schema: {} };
        const schemas = [
          ...described.flatMap((each) => (membersOf(each[key]) ? [each[key] as Schema] : [])),
          ...inner(document, at.schemas, 'additionalProperties'),
        ];
        return [
          named.names ? String(replace({ place, value: key, ...named, isFixed: true })) : key,
          visit(one, { name: key, place, schemas, holders, isOfNamed: isOfNamed && !isItem }),
        ];
      }),
    );
  };
  const holders = resource && name !== '' ? [resource] : [];
  return visit(value, { name, place: name, schemas: [schema], holders, isOfNamed: false });
}

/** The plain values in the fields of an item, or in one of them. */
export function valuesOf(
  document: Api,
  resource: Resource | undefined,
  fields: { schema: Schema; value: unknown; name?: string },
): BodyValue[] {
  const values: BodyValue[] = [];
  mapValues(document, resource, fields, (one) => {
    // A flag names nothing.
    if (typeof one.value !== 'boolean') values.push(one);
    return one.value;
  });
  return values;
}

/**
 * The values in a field of an item, or in all, that name other items. An interface in prose says
 * itself which values of collections a deployment knows that it does not describe.
 */
export function namedIn(...[document, resource, fields]: Parameters<typeof valuesOf>): BodyValue[] {
  const isWorded = isInProse(document);
  return valuesOf(document, resource, fields).filter(({ names, beside, place }) => {
    const isOwnId = resource && names?.[0] === resource && !place.includes('.');
    return beside || (names && !isOwnId && (names.length > 0 || !isWorded));
  });
}

/**
 * Replaces references to items with ids and properties of items that the run adds first. Free texts
 * and numbers become new values, as they may be undescribed references. Other values stay.
 */
export function withOwnItems(
  document: Api,
  resource: Resource | undefined,
  fields: { schema: Schema; value: unknown; name?: string },
): unknown {
  return mapValues(document, resource, fields, (one) => {
    const { value, schema, names, beside, property, isFixed } = one;
    if (typeof value === 'boolean') return value && flagOf(toPlain(document, schema)?.schema ?? {});
    const [target] = names ?? beside ?? [];
    const isWorded = isInProse(document);
    if (!names && !beside) return isWorded ? value : unlikeAny(document, one);
    if (isFixed) return freshValue(schema) ?? value;
    if (!target && isWorded) return value;
    if (target && target === resource) return freshValue(schema) ?? value;
    if (!target) return freshValue(toWhole(schema)) ?? value;
    const isText = typeof value === 'string' && (beside || isMadeByNone(one));
    const fallback = isText ? (freshValue(schema) ?? value) : value;
    return ownValue(target, property ?? target.idProperty, fallback);
  });
}

/** Whether an object in a body is an item of a collection, by its schema or by its name. */
export function isItem(document: Api, name: string, schema: Schema): boolean {
  const index = indexOf(document);
  const found = [schema, ...inner(document, [schema], 'items')].flatMap((one) =>
    index.byIdentity(one),
  );
  return found.length > 0 || index.called(name).length > 0;
}

/** Whether a text may name items that nothing makes: a new text names no item of others. */
export function isMadeByNone({ value, names = [], isFixed }: BodyValue): boolean {
  const isMade = names.some(({ operations: { create } }) => create);
  return typeof value === 'string' && !isFixed && names.length > 0 && !isMade;
}

/**
 * The body with a mark of the run in the first text that items of the collections may have freely: in
 * each item, where there are several.
 */
export function withMarks(
  document: Api,
  { collections, ...fields }: { schema: Schema; value: unknown; collections: readonly Resource[] },
): unknown {
  const isTaken = (name: string) =>
    collections.some(
      ({ item, idProperty }) =>
        name !== idProperty &&
        takesAnyText(name, document.schemas.resolve(item.properties[name] ?? {})),
    );
  let marked: string | undefined;
  let count = 0;
  return mapValues(document, undefined, fields, ({ value, place, schema, names, beside }) => {
    const name = place.split('.').at(-1) ?? '';
    const isFree = typeof value === 'string' && takesAnyText(name, schema) && isTaken(name);
    if (!isFree || names || beside || (marked ?? place) !== place) return value;
    marked = place;
    count += 1;
    return `called {{run}} ${count}`;
  });
}

function toWhole(schema: Schema): Schema {
  return [schema.type].flat().includes('number') ? { ...schema, type: 'integer' } : schema;
}

/** Finds the collections whose items have a noun, if clients can add some. */
export function collectionsCalled(document: Api, noun: string): Resource[] {
  return indexOf(document)
    .called(noun)
    .filter(({ operations }) => operations.create);
}

/** The placeholder for a property of an item of a collection that the run added to refer to it. */
export function ownValue({ name }: Resource, property: string, fallback: unknown): string {
  return `{{${ownName(name, property)}|${encodeURIComponent(toJson(fallback))}}}`;
}

/** The name of a value of an item that the run added to refer to it. */
export function ownName(collection: string, property: string): string {
  return `known.${collection}#${property}`;
}

/** Returns the collections that a plain value names by its place, or by its text: `/types/1`. */
function nameOf(
  document: Api,
  value: unknown,
  { name, schemas, holders, isOfNamed }: Place,
): Omit<BodyValue, 'place' | 'value'> {
  const index = indexOf(document);
  const [schema = {}] = schemas.map((one) => document.schemas.resolve(one));
  if (schema.enum !== undefined || schema.const !== undefined) return { schema };
  const [id, above] = String(value).split('/').reverse();
  const linked = above !== undefined && id !== '' ? index.at(above) : [];
  if (linked.length > 0) return { schema, names: linked, isFixed: true };
  if (isIdOf(name, holders)) return { schema, names: holders, property: name };
  const stated = holders.flatMap(({ references = [] }) => references);
  const { collection } = stated.find(({ property }) => property === name) ?? {};
  if (collection !== undefined) return { schema, names: index.named(collection) };
  const words = wordsOf(name);
  const isReference = words.length > 1 && idWords.test(words.at(-1) as string);
  // In `X-Project-Id` and `parentProjectId` the last words say what is named.
  const nouns = words.slice(0, -1).map((_, start) => words.slice(start, -1).join(''));
  const noun = nouns.find((one) => index.called(one).length > 0) ?? '';
  const called = index.called(isReference ? noun : name);
  const own = called.filter(({ idSchema }) => isReference || isOfType(idSchema, value));
  if (isReference || own.length > 0) return { schema, names: own };
  return { schema, ...(isOfNamed && { beside: holders, property: name }) };
}

/** Whether a member of an object is the id of the item that the object is. */
function isIdOf(name: string, holders: readonly Resource[]): boolean {
  const [word = '', ...more] = wordsOf(name);
  const isId = more.length === 0 && idWords.test(word);
  return isId || holders.some(({ idProperty }) => idProperty === name);
}

function isNumeric(text: string): boolean {
  return /^\d+$/.test(text);
}

function isOfType({ type }: Schema, value: unknown): boolean {
  const isText = [type].flat().includes('string');
  return type === undefined || isText === (typeof value === 'string');
}

/** Finds collections by the noun of their items, the last word of their paths, and the schemas of items. */
type Index = {
  size: number;
  called: (name: string) => readonly Resource[];
  at: (word: string) => readonly Resource[];
  named: (name: string) => readonly Resource[];
  byIdentity: (schema: Schema) => readonly Resource[];
};

const indexes = new WeakMap<object, Index>();

/** The index of all collections; a part of a document has the `schemas` of the whole. */
function indexOf(document: Api): Index {
  const all = collectionsOf(document);
  const known = indexes.get(document.schemas);
  if (known && known.size >= all.length) return known;
  const toNoun = (name: string) => toPlainName(singular(name));
  const namesOf = (schema: Schema) =>
    Object.keys(document.schemas.describeSchema(schema).properties).toSorted().join();
  const byNoun = Map.groupBy(all, ({ path }) => toNoun(lastWordOf(path)));
  const byWord = Map.groupBy(all, ({ path }) => lastWordOf(path));
  const items = all.flatMap((resource) =>
    document.schemas
      .answeredItems(resource)
      .flatMap((schema) =>
        [schema.$ref, namesOf(schema)].map((identity) => ({ identity, resource })),
      ),
  );
  const byIdentity = Map.groupBy(items, ({ identity }) => identity);
  const found = (identity: unknown) =>
    (identity ? (byIdentity.get(identity) ?? []) : []).map(({ resource }) => resource);
  const index: Index = {
    size: all.length,
    called: (name) => (name === '' ? [] : (byNoun.get(toNoun(name)) ?? [])),
    at: (word) => byWord.get(word) ?? [],
    named: (name) => all.filter((one) => one.name === name),
    byIdentity: (schema) => [...found(schema.$ref), ...found(namesOf(schema))],
  };
  indexes.set(document.schemas, index);
  return index;
}

/** The schemas below a keyword of schemas, and of all their parts and alternatives. */
function inner(
  document: Api,
  schemas: readonly Schema[],
  keyword: 'items' | 'properties' | 'additionalProperties',
  depth = 0,
): Schema[] {
  return schemas.flatMap((one) => {
    const schema = document.schemas.resolve(one);
    if (typeof schema !== 'object' || schema === null || depth > maxDepth) return [];
    const { [keyword]: held, allOf, anyOf, oneOf } = schema;
    const parts = [allOf, anyOf, oneOf].flatMap((part) => (Array.isArray(part) ? part : []));
    return [
      ...(membersOf(held) ? [held as Schema] : []),
      ...inner(document, parts, keyword, depth + 1),
    ];
  });
}

/** How many alternatives may stand within each other; a schema may hold itself. */
const maxDepth = 6;
