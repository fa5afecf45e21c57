import { isSecretName } from '../../common/secrets/names.ts';
import { textOf } from '../../common/text-of.ts';
import { namesOf, singular, toPlainName, wordsOf } from '../../common/words.ts';
import { isNumber, typesOf } from '../model/id-form.ts';
import {
  asksForMembers,
  type Comparison,
  type Condition,
  comparisonOf,
  findNamed,
  findOrdering,
} from '../model/lists.ts';
import type { Operation, Parameter } from '../model/operation.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { isOtherThanFlag, objectAlternative } from './schema-types.ts';

/**
 * Whether the value of a parameter is an object with what is asked of each property,
 * `{"title": {"_eq": "Hello"}}`, a list of conditions, or a text of these, such as `status eq 'open'`,
 * as its name says.
 */
export function asksByConditions(raw: RawDocument, { name, schema }: Parameter): boolean {
  const plain = toPlainName(name);
  if (!/^(filter|where|condition|criteria|query|search)/.test(plain)) return false;
  const inner = objectAlternative(raw, schema) ?? {};
  const isText = (inner.type ?? 'string') === 'string' && inner.enum === undefined;
  if (plain === 'filter' && isText) return true;
  const members = Object.values(flatten(raw, inner).properties);
  const isNested = members.some((one) => holdsMore(raw, one));
  const isOpen = typesOf(inner).includes('object') && members.length === 0;
  const isList = inner.items !== undefined && holdsMore(raw, inner.items);
  return isOpen || isList || isNested;
}

/** Whether a value is an object, or a list of objects. */
function holdsMore(raw: RawDocument, schema: Schema): boolean {
  const inner = objectAlternative(raw, schema) ?? {};
  const held = inner.items === undefined ? inner : (objectAlternative(raw, inner.items) ?? {});
  return typesOf(held).includes('object') || Object.keys(flatten(raw, held).properties).length > 0;
}

/**
 * Adds the states that a parameter of a list has in its `enum` to the property of that name, where
 * nothing else says which there are.
 */
export function withStatesOf(
  raw: RawDocument,
  list: Operation | undefined,
  item: FlatSchema,
): FlatSchema {
  const states = (list?.parameters ?? []).flatMap(({ name, schema }): [string, Schema][] => {
    if (!/(state|status|phase)$/i.test(name)) return [];
    const own = objectAlternative(raw, item.properties[name]) ?? {};
    const asked = objectAlternative(raw, schema) ?? {};
    const values: unknown[] = objectAlternative(raw, asked.items ?? {})?.enum ?? asked.enum ?? [];
    const isBare = Object.keys(own).every((one) => plain.includes(one));
    const isTold = !isBare || own.type !== 'string' || /[`"']/.test(textOf(own.description ?? ''));
    const texts = values.filter((one) => typeof one === 'string' && !/^(all|any)$/i.test(one));
    return isTold || texts.length === 0 ? [] : [[name, { ...own, 'x-extensible-enum': texts }]];
  });
  return { ...item, properties: { ...item.properties, ...Object.fromEntries(states) } };
}

/** Keywords that say nothing of the values of a text. */
const plain = ['type', 'description', 'title', 'nullable', 'readOnly'];

/**
 * Finds the conditions that a query parameter puts on items, by its name, which may begin with
 * their noun; none if the name matches no property.
 */
export function findConditions(
  raw: RawDocument,
  parameter: Parameter,
  { item, nouns }: { item: FlatSchema; nouns: readonly string[] },
): Condition[] {
  if (asksForMembers(parameter.name)) return [];
  const { name, schema, description = '' } = parameter;
  const isList = /comma[- ](separated|delimited)/i.test(description);
  const members = Object.keys(flatten(raw, objectAlternative(raw, schema)).properties);
  return (members.length > 0 ? members : [undefined]).flatMap((member) => {
    const found =
      findCondition(raw, `${name}.${member ?? ''}`, { item, nouns }) ??
      findBound(raw, parameter, item);
    const condition = { parameter: name, ...(member !== undefined && { member }) };
    const isOther = ([outer = '']: readonly string[]) =>
      isOtherThanFlag(raw, schema, item.properties[outer] ?? {});
    return found && !found.paths.every(isOther)
      ? [{ ...condition, ...found, ...(isList && { isList }) }]
      : [];
  });
}

/** The name may be that of a property, or have a word before or behind it that compares. */
function findCondition(
  raw: RawDocument,
  name: string,
  { item, nouns }: { item: FlatSchema; nouns: readonly string[] },
): Pick<Condition, 'paths' | 'comparison'> | undefined {
  const meant = (word = '') => comparisonOf(word);
  const readingsOf = (
    words: readonly string[],
  ): [words: readonly string[], comparison: Comparison | undefined][] => [
    [words, 'equal'],
    [words.slice(0, -1), meant(words.at(-1))],
    [words.slice(1), nouns.includes(words[0] ?? '') ? 'equal' : meant(words[0])],
  ];
  const words = wordsOf(name);
  const isSure = words[0] === 'filter';
  const readings = [...readingsOf(words), ...(isSure ? readingsOf(words.slice(1)) : [])];
  for (const [sought, comparison] of readings) {
    if (!comparison || sought.length === 0) continue;
    const find = isOrdering(comparison) ? findOrdered : findEqual;
    const paths = find(raw, item, sought, isSure);
    if (paths.length === 0) continue;
    const isOfTimes = paths.every(([outer = '']) => isTime(raw, item.properties[outer] ?? {}));
    return { paths, comparison: (isOfTimes ? bounds[comparison] : undefined) ?? comparison };
  }
  return undefined;
}

/** How times are compared where texts would be by their beginnings and ends: by `starts_date`. */
const bounds: Partial<Record<Comparison, Comparison>> = { starts: 'atLeast', ends: 'atMost' };

function isTime(raw: RawDocument, schema: Schema): boolean {
  return /^date/.test(textOf(objectAlternative(raw, schema)?.format));
}

function isOrdering(comparison: Comparison): boolean {
  return /^(less|atMost|greater|atLeast)$/.test(comparison);
}

/**
 * The bound that a time such as `since` or `end_date` puts on the only time of items, or on that of
 * their creation if they have one of their last change besides. A time bounds no date: that of an
 * item, such as a birthday, is none of an event.
 */
function findBound(
  raw: RawDocument,
  { name, schema, description = '' }: Parameter,
  { properties }: FlatSchema,
): Pick<Condition, 'paths' | 'comparison'> | undefined {
  const [word = '', ...others] = wordsOf(name).filter((one) => !/^(date|time)$/.test(one));
  const comparison = others.length === 0 ? comparisonOf(word) : undefined;
  if (!comparison || !isOrdering(comparison) || !isTime(raw, schema)) return undefined;
  const formOf = (one: Schema = {}) => textOf(objectAlternative(raw, one)?.format);
  const forms = formOf(schema) === 'date-time' ? /^date-time$/ : /^date/;
  const times = Object.keys(properties).filter((one) => forms.test(formOf(properties[one])));
  const isOfChange = (one: string) => /updat|modif|chang/i.test(one);
  const meant = times.length > 1 ? times.filter((one) => !isOfChange(one)) : times;
  const [property = '', ...more] = meant;
  const isSure = times.length === 1 || (/^creat/i.test(property) && !isOfChange(description));
  return more.length === 0 && property !== '' && isSure
    ? { paths: [[property]], comparison }
    : undefined;
}

/** The number or date that the words of a name stand for. */
function findOrdered(raw: RawDocument, item: FlatSchema, words: readonly string[]): string[][] {
  const property = findOrdering(item, words.join(''));
  const schema = objectAlternative(raw, item.properties[property ?? ''] ?? {}) ?? {};
  const isOrdered = isNumber(schema) || /^date/.test(textOf(schema.format));
  return property !== undefined && isOrdered ? [[property]] : [];
}

/** Words of properties that name an item which another item holds. */
const identifying = namesOf('id gid guid uid slug username login email name key code uuid');

/** Some words as the name of one, of several, and of a list: `status`, `statuses` and `statuslist`. */
function numbersOf(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const plain = words.join('');
  const one = [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('');
  return [plain, `${plain}s`, `${plain}es`, `${plain}list`, one, plain.replace(/s$/, '')];
}

/** The values that they stand for; of an object, what names it; `author_id` is that of `author`. */
function findEqual(
  raw: RawDocument,
  item: FlatSchema,
  words: readonly string[],
  isSure: boolean,
): string[][] {
  const property = findNamed(item, numbersOf(words));
  // `external_customer_id` is the `external_id` of the `customer`, and `author_id` the `id` of `author`.
  const at = words.findIndex((one, index) => index < words.length - 1 && item.properties[one]);
  const ends = words.slice(0, -1);
  const [front, rest] =
    at > 0 ? [words.slice(at, at + 1), words.toSpliced(at, 1)] : [ends, words.slice(-1)];
  const outer = property ?? findNamed(item, numbersOf(front));
  if (outer === undefined) return words.length > 1 || isSure ? findWithin(raw, item, words) : [];
  const schema = objectAlternative(raw, item.properties[outer]) ?? {};
  const held = schema.items === undefined ? schema : (objectAlternative(raw, schema.items) ?? {});
  const inner = flatten(raw, held);
  if (property === undefined) {
    const member = findNamed(inner, numbersOf(rest));
    return member === undefined ? [] : [[outer, member]];
  }
  const own = findNamed(inner, [words.join('')]);
  const named = identifying.filter((one) => Object.hasOwn(inner.properties, one));
  const members = own === undefined ? named : [own];
  if (Object.keys(inner.properties).length > 0) return members.map((one) => [outer, one]);
  return held.items === undefined && !typesOf(held).includes('object') ? [[outer]] : [];
}

/** The value that the words name in the only object of an item that has one of that name. */
function findWithin(raw: RawDocument, item: FlatSchema, words: readonly string[]): string[][] {
  // A key of the caller is in the query, too.
  if (isSecretName(words.join('-'))) return [];
  const found = Object.entries(item.properties).flatMap(([outer, schema]) => {
    const inner = findNamed(flatten(raw, objectAlternative(raw, schema)), [words.join('')]);
    return inner === undefined ? [] : [[outer, inner]];
  });
  return found.length === 1 ? found : [];
}
