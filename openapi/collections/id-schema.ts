import { defined } from '../../common/defined.ts';
import { isObject } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import { valueAt } from '../../common/property-path.ts';
import { textOf } from '../../common/text-of.ts';
import { namesLike, singular, toPlainName } from '../../common/words.ts';
import { describedAt, requiresAt } from '../described-at.ts';
import { isMarked } from '../marks.ts';
import { idFormOfText, isNaturalKey, isNumber, uuid } from '../model/id-form.ts';
import { addsItems } from '../model/kinds.ts';
import { createsByPut, type Operation } from '../model/operation.ts';
import { describedIdOf, type Resource } from '../model/resource.ts';
import {
  type FlatSchema,
  flatten,
  ownExamplesOf,
  type RawDocument,
  resolve,
  type Schema,
} from '../schema.ts';
import { type IdHints, nounsOf } from './id-property.ts';
import { createsAtItem, type FoundOperations } from './operations-on.ts';
import { parentPropertyOf } from './scopes.ts';
import { bodyItemsOf, bodySchemaOf } from './success.ts';

/** The hints on the ids of a collection, besides their schema. */
type IdDescription = IdHints & { idProperty: string };

/**
 * The schema of ids, of one type, with an example of one where the document shows one somewhere.
 * Names that people choose are made with the noun of the collection: `user-1`.
 */
export function toIdSchema(raw: RawDocument, property: Schema, description: IdDescription): Schema {
  const { parameter, idProperty, noun } = description;
  const shown = ofOneType(raw, property);
  // Items may show as any text what a path takes in one form.
  const { format, pattern } = parameter ? ofOneType(raw, parameter.schema) : {};
  const isAny = [shown.format, shown.pattern, shown.enum].every((one) => one === undefined);
  const formed: Schema = { ...shown, ...defined({ format, pattern }) };
  const schema = isAny && isCounted(formed) ? formed : shown;
  const isShown = schema.example !== undefined || schema.examples !== undefined;
  if (schema.type !== 'string' || isShown) return schema;
  const examples = parameter && [
    ...Object.values(parameter.examples),
    resolve(raw, parameter.schema).example,
  ];
  const example = examples?.find((one) => typeof one === 'string');
  if (example !== undefined) return { ...schema, examples: [example] };
  const name = `${singular(noun)}-1`;
  const { pattern: form } = schema;
  const isFit = form === undefined || new Pattern(textOf(form)).test(name);
  return isNaturalKey(idProperty) && isFit ? { ...schema, examples: [name] } : schema;
}

/** The schema itself, without null, its `allOf` folded, and of alternatives the first for ids. */
function ofOneType(raw: RawDocument, property: Schema): Schema {
  const schema = withParts(raw, resolve(raw, property));
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []]
    .flat()
    .map((one) => ofOneType(raw, one));
  const chosen = alternatives.find(({ type }) => type === 'integer' || type === 'string');
  if (schema.type === undefined && chosen) return chosen;
  if (!Array.isArray(schema.type)) return schema;
  const types: unknown[] = schema.type.filter((type) => type !== 'null');
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

/** A schema without a type of its own, beside what the parts of its `allOf` say. */
function withParts(raw: RawDocument, schema: RawDocument): RawDocument {
  // `true` says nothing of a value.
  if (!isObject(schema)) return {};
  const { allOf, ...own } = schema;
  if (schema.type !== undefined || !Array.isArray(allOf)) return schema;
  const parts = allOf.map((part) => withParts(raw, resolve(raw, part)));
  return Object.assign({}, ...parts, own);
}

/** Whether the service can count ids that fit a schema: as numbers, or as texts of a known form. */
export function isCounted(schema: Schema): boolean {
  if (schema.enum || 'const' in schema) return false;
  if (isNumber(schema)) return isCountedNumber(schema);
  return [schema.type ?? 'string'].flat().includes('string') && idFormOfText(schema) !== undefined;
}

function isCountedNumber({
  minimum = 1,
  exclusiveMinimum = 0,
  maximum,
  exclusiveMaximum,
  multipleOf = 1,
}: RawDocument): boolean {
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const min = Math.max(minimum, exclusiveMinimum + 1);
  return min <= 1e12 && max >= min + 9_998 && multipleOf <= 1;
}

/**
 * The ids that the parameters of paths show as examples or defaults or list, but for those that the
 * example of a create gives to a new item; undefined without any.
 */
export function shownIdsOf(
  raw: RawDocument,
  onItem: readonly Operation[],
  { idSchema, freeIds = [] }: { idSchema: Schema; freeIds: Resource['freeIds'] | undefined },
): readonly (string | number)[] | undefined {
  const described = onItem.map(describedIdOf).filter((one) => one !== undefined);
  const shown = described.flatMap(({ schema: given, examples }) => {
    const schema = resolve(raw, given);
    return [Object.values(examples), ownExamplesOf(schema), schema.default, schema.enum].flat();
  });
  const ids = new Set(shown.map((one) => toId(one, idSchema)).filter((one) => one !== undefined));
  for (const id of freeIds) ids.delete(id);
  return ids.size > 0 ? [...ids] : undefined;
}

/** The ids that the examples of a create give new items; undefined without any. */
export function exampleIdsOf(
  raw: RawDocument,
  create: Operation,
  { idProperty, idSchema }: Pick<Resource, 'idProperty' | 'idSchema'>,
): readonly (string | number)[] | undefined {
  const schema = bodySchemaOf(raw, create) ?? {};
  const ofSchema = ownExamplesOf(resolve(raw, schema));
  const whole = [...Object.values(create.body?.examples ?? {}), ...ofSchema];
  const own = resolve(raw, describedAt(raw, flatten(raw, schema), idProperty) ?? {});
  const held = whole.filter(isObject).map((one) => valueAt(one, idProperty));
  const shown = [...held, ...ownExamplesOf(own), own.default];
  const ids = new Set(shown.map((one) => toId(one, idSchema)).filter((one) => one !== undefined));
  return ids.size > 0 ? [...ids] : undefined;
}

/** Returns a value as an id of the schema; undefined if it does not fit. */
function toId(value: unknown, schema: Schema): string | number | undefined {
  const { type, format, pattern, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = textOf(value);
  if ([type].flat().includes('string')) {
    if (format === 'uuid') return uuid.test(text) ? text : undefined;
    const expression = new Pattern(typeof pattern === 'string' ? pattern : '^[^/]+$');
    return expression.test(text) ? text : undefined;
  }
  const number = Number(value);
  const isWithin = number >= Number(minimum) && number <= Number(maximum);
  return Number.isSafeInteger(number) && isWithin && text !== '' ? number : undefined;
}

/** Whether the caller gives the ids of new items, always or where they like to. */
export function givenIdOf(
  raw: RawDocument,
  found: FoundOperations,
  idProperty: string,
): Resource['givenId'] | undefined {
  const { replace } = found;
  const isMade = replace && !addsItems(found) && createsByPut(replace, true);
  const isInPath = isMade || createsAtItem(found);
  return isInPath ? 'inPath' : givenInBody(raw, found, idProperty);
}

/** The same as far as the bodies of creates have the ids. */
function givenInBody(
  raw: RawDocument,
  { create, createMany }: FoundOperations,
  idProperty: string,
): Resource['givenId'] | undefined {
  const one = create && bodySchemaOf(raw, create);
  const body = flatten(raw, one ?? (createMany && bodyItemsOf(raw, createMany)));
  const described = describedAt(raw, body, idProperty);
  if (create && Object.keys(body.properties).length === 0 && isSupposed(create)) return 'ifFree';
  if (described === undefined || isMarked(raw, described, 'readOnly')) return undefined;
  if (requiresAt(raw, body, idProperty)) return 'always';
  return isNaturalKey(idProperty) ? 'sometimes' : 'ifFree';
}

/** Whether a create takes anything, and the document says no more of its answer. */
function isSupposed({ body, responses }: Operation): boolean {
  return body !== undefined && responses.some(({ likeness }) => likeness !== undefined);
}

/** The schema of ids like the one that `x-twin` of a create shows. */
export function toSaidIdSchema(newId: string): Schema {
  return { type: 'string', example: newId };
}

/** The property of a body that is called as the path parameter of an item, and becomes its id. */
export function givenAsOf(
  raw: RawDocument,
  create: Operation,
  { parameter, idProperty }: Pick<IdHints, 'parameter'> & { idProperty: string },
): string | undefined {
  const { properties } = flatten(raw, bodySchemaOf(raw, create));
  if (!parameter || !isNaturalKey(idProperty) || properties[idProperty]) return undefined;
  return namesLike(properties, toPlainName(parameter.name))[0];
}

/**
 * The query parameter of a create that is called as the id of one item, such as `topicId` at `/topics`.
 * Of items that have a parent among themselves, it may be that of the parent.
 */
export function givenByOf(
  raw: RawDocument,
  { path, parameters }: Operation,
  { noun, parameter, item }: IdHints & { item: FlatSchema },
): string | undefined {
  const names = [parameter?.name ?? '', ...nounsOf(noun).map((one) => `${one}id`)];
  const isNamed = (name: string) =>
    name !== 'id' && names.some((one) => toPlainName(one) === toPlainName(name));
  const found = parameters.find(
    ({ in: place, name }) => place === 'query' && isNamed(name) && !(name in item.properties),
  );
  return parentPropertyOf(raw, { item, path }) === undefined ? found?.name : undefined;
}
