import { lastWordOf } from '../../common/path-template.ts';
import { partsOf } from '../../common/property-path.ts';
import { singular, toPlainName, wordsOf } from '../../common/words.ts';
import { shownOf } from '../marks.ts';
import { isNoId } from '../model/id-form.ts';
import type { Parameter } from '../model/operation.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { allTypesOf, scalarOf } from './schema-types.ts';

/** The hints on the ids of a collection, besides its items. */
export type IdHints = {
  /** The name of the collection in its path, e.g. `special-events`. */
  noun: string;
  /** The path parameter that names an item, where there is a path of one. */
  parameter?: Pick<Parameter, 'name' | 'schema' | 'examples'> | undefined;
};

/** Words of properties that are ids, alone or behind the noun of the thing that they name. */
const idWords = 'uuid guid uid sid id key slug code number handle name'.split(' ');

/** Properties that name an item even if nothing else says so. */
const surrogates = ['id', '_id', 'uuid', 'guid', 'uid'];

/**
 * The property of an item that the path of one item has, `metadata.name` where that is in an object;
 * undefined where none is sure.
 */
export function findIdProperty(
  raw: RawDocument,
  item: FlatSchema,
  hints: IdHints,
): string | undefined {
  return findOwnId(raw, item, hints) ?? findHeldId(raw, item, hints);
}

function findOwnId(
  raw: RawDocument,
  { properties }: FlatSchema,
  { noun, parameter }: IdHints,
): string | undefined {
  const names = Object.keys(properties).filter(
    (name) => isScalar(raw, properties[name]) && !partsOf(name),
  );
  const byPlainName = Map.groupBy(names, toPlainName);
  const named = (wanted: string) => {
    const found = byPlainName.get(toPlainName(wanted));
    return found?.find((name) => name === wanted) ?? found?.[0];
  };
  const nouns = nounsOf(noun);
  const ofNouns = nouns.flatMap((one) => ['id', 'uuid', 'guid'].map((word) => named(one + word)));
  const surrogate = [...surrogates.map(named), ...ofNouns];
  const first = (found: readonly (string | undefined)[]) =>
    found.find(
      (name) =>
        name !== undefined &&
        ((isIdNamed(name, parameter) && isAnyText(scalarOf(raw, properties[name]))) ||
          isAlike(raw, properties[name], parameter?.schema)),
    );
  if (!parameter) return first(surrogate);
  if (isNoId(scalarOf(raw, parameter.schema))) return undefined;
  const word = toPlainName(parameter.name);
  const isOfNoun = (suffix: string) => nouns.some((noun) => word === noun + suffix);
  // The last word of what a collection is called says nothing: `promotion_code` has an `id`.
  const suffixes = nouns.includes(word)
    ? []
    : [
        ...idWords.filter(
          (suffix) => word.endsWith(suffix) && (suffix !== 'name' || isOfNoun(suffix)),
        ),
        ...withoutNoun(wordsOf(parameter.name), nouns),
      ];
  const isName =
    word === 'username' ||
    // Any text is no number.
    (nouns.includes(word) &&
      allTypesOf(raw, parameter.schema).includes('string') &&
      hasNumber(allTypesOf(raw, properties.id)));
  return (
    first([named(parameter.name)]) ??
    first(names.filter((name) => inCode(properties[name]) === word)) ??
    (isName ? first(naturalKeys.map(named)) : undefined) ??
    first(suffixes.map((suffix) => byPlainName.get(suffix)?.[0])) ??
    first(surrogate) ??
    (nouns.includes(word) ? first([...naturalKeys, ...nouns].map(named)) : undefined) ??
    (word === 'identifier' ? first(['slug', 'key', 'code'].map(named)) : undefined) ??
    first(wordsOf(parameter.name).slice(-1).map(named))
  );
}

/** Returns the name of a property in the code behind a generated document: `Index` of `number`. */
function inCode(property: Schema | undefined): string {
  return toPlainName(String(property?.['x-go-name'] ?? ''));
}

/** Returns the words of a parameter without the noun in front: `gid` of `project_gid`. */
function withoutNoun(words: readonly string[], nouns: readonly string[]): string[] {
  const rests = words.map((_, index) => [words.slice(0, index), words.slice(index)] as const);
  return rests
    .filter(([front, rest]) => nouns.includes(front.join('')) || /^.?id$/.test(rest.join('')))
    .map(([, rest]) => rest.join(''));
}

/** Objects that say which item it is, beside what it holds. */
const holders = ['metadata', 'meta', 'sys'];

/**
 * The same where the property is in such an object of the item, and is called as the parameter that
 * names an item: `metadata.name` for `{name}`, `sys.id` for `{entry_id}`.
 */
function findHeldId(
  raw: RawDocument,
  { properties }: FlatSchema,
  hints: IdHints,
): string | undefined {
  const word = toPlainName(hints.parameter?.name ?? '');
  const held = Object.keys(properties).filter((outer) => holders.includes(toPlainName(outer)));
  const found = held.flatMap((outer) => {
    const inner = findOwnId(raw, shownOf(raw, flatten(raw, properties[outer])), hints);
    return inner !== undefined && word.endsWith(toPlainName(inner)) ? [`${outer}.${inner}`] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Words of properties that name an item for people. */
const naturalKeys = ['slug', 'username', 'login', 'handle', 'key', 'code', 'name'];

/**
 * Finds the property by which a path names an item as well as by its number: the parameter takes both,
 * and has the name of the property in its own, as `team_id_or_slug`.
 */
export function findAlias(
  raw: RawDocument,
  { properties }: FlatSchema,
  { parameter, idProperty }: Pick<IdHints, 'parameter'> & { idProperty: string },
): string | undefined {
  const types = allTypesOf(raw, parameter?.schema);
  const isEither = hasNumber(types) && types.includes('string');
  if (!isEither || !hasNumber(allTypesOf(raw, properties[idProperty]))) return undefined;
  const words = wordsOf(parameter?.name ?? '');
  return naturalKeys.find(
    (one) => words.includes(one) && allTypesOf(raw, properties[one]).includes('string'),
  );
}

/** Whether a property names an item for people, who may choose it. */
export function isNaturalKey(property: string): boolean {
  return !/(id|number)$/i.test(property);
}

/** The words for one item, from the longest to the last: `specialevent`, `event`. */
function nounsOf(noun: string): string[] {
  const words = wordsOf(noun);
  const last = singular(words.at(-1) ?? '');
  const all = [...words.slice(0, -1), last];
  return all.map((_, index) => all.slice(index).join('')).filter((one) => one !== '');
}

/** Whether a property may be what a parameter of this schema names: no text is a whole number. */
function isAlike(raw: RawDocument, property: Schema | undefined, parameter?: Schema): boolean {
  if (!parameter || !hasNumber(allTypesOf(raw, parameter))) return true;
  const types = allTypesOf(raw, property);
  return types.length === 0 || hasNumber(types);
}

/** Whether a property is surely the id that a parameter names: as any text, it holds its digits. */
function isIdNamed(name: string, parameter: IdHints['parameter']): boolean {
  return name === 'id' || (name === parameter?.name && /id$/i.test(name));
}

function isAnyText({ type, format, pattern, enum: values }: Schema): boolean {
  return type === 'string' && (format ?? pattern ?? values) === undefined;
}

function hasNumber(types: readonly unknown[]): boolean {
  return types.includes('integer') || types.includes('number');
}

/** Whether a property is one text or number, or may be anything. */
export function isScalar(raw: RawDocument, property: Schema | undefined): boolean {
  const types = allTypesOf(raw, property);
  return types.length === 0 || types.includes('string') || hasNumber(types);
}

/**
 * The property in which an answer without the item itself has the id of one: `silenceID` of
 * `/silences`, or `deleted_silence_id`.
 */
export function receiptOf(
  raw: RawDocument,
  schema: Schema,
  { path, idProperty }: { path: string; idProperty: string },
): string | undefined {
  const wanted = nounsOf(lastWordOf(path)).map((noun) => noun + toPlainName(idProperty));
  const toSought = (name: string) => toPlainName(name).replace(/^deleted/, '');
  const { properties } = shownOf(raw, flatten(raw, schema));
  return Object.keys(properties).find((name) => wanted.includes(toSought(name)));
}
