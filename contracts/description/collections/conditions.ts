import type { Parameter } from '../operation.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { toPlainName, wordsOf } from './plain-name.ts';
import { objectAlternative, typesOf } from './schema-types.ts';

/** How a value of an item is compared with that of a parameter. */
export type Comparison =
  | 'equal'
  | 'not'
  | 'less'
  | 'atMost'
  | 'greater'
  | 'atLeast'
  | 'contains'
  | 'startsWith';

/** What a query parameter asks of the items of a list. */
export type Condition = {
  parameter: string;
  /** The members that lead to what asks it, where its value is an object: `created[gte]`. */
  members: readonly string[];
  /** The properties of the item whose value is compared; any of them may fit. */
  paths: readonly (readonly string[])[];
  comparison: Comparison;
  /** Whether a text is several values with commas, as the document says. */
  isList?: true;
};

/** Words at the end of a name that say how values are compared. */
const lastWords: Readonly<Record<string, Comparison>> = {
  gte: 'atLeast',
  ge: 'atLeast',
  min: 'atLeast',
  from: 'atLeast',
  since: 'atLeast',
  start: 'atLeast',
  gt: 'greater',
  after: 'greater',
  lte: 'atMost',
  le: 'atMost',
  max: 'atMost',
  to: 'atMost',
  until: 'atMost',
  end: 'atMost',
  lt: 'less',
  before: 'less',
  ne: 'not',
  neq: 'not',
  not: 'not',
  eq: 'equal',
  in: 'equal',
  contains: 'contains',
  icontains: 'contains',
  like: 'contains',
  ilike: 'contains',
  startswith: 'startsWith',
  prefix: 'startsWith',
};

/** Words at its beginning that do. */
const firstWords: Readonly<Record<string, Comparison>> = {
  min: 'atLeast',
  from: 'atLeast',
  max: 'atMost',
  to: 'atMost',
  exclude: 'not',
  filter: 'equal',
  filters: 'equal',
  where: 'equal',
};

/** What names an item that another holds. */
const identifying = ['id', 'slug', 'username', 'login', 'name', 'key', 'code', 'uuid'];

const ordering = new Set<Comparison>(['less', 'atMost', 'greater', 'atLeast']);

/** Names that ask for parts of items, or for more of them, in most APIs. */
const notAsked = new Set(
  'fields field include includes exclude expand select embed populate with'.split(' '),
);

/** What a query parameter asks of items, by its name; none where that matches no property. */
export function findConditions(
  raw: RawDocument,
  { name, schema, description = '' }: Parameter,
  item: FlatSchema,
): Condition[] {
  if (notAsked.has(toPlainName(name))) return [];
  const isList = /comma[- ](separated|delimited)/i.test(description);
  const collect = (node: Schema, members: readonly string[]): Condition[] => {
    const inner = objectAlternative(raw, node) ?? {};
    const properties = Object.entries(flatten(raw, inner).properties);
    if (properties.length > 0 && members.length < maxMembers)
      return properties.flatMap(([member, property]) => collect(property, [...members, member]));
    const found = findCondition(raw, [name, ...members].join('.'), item);
    return found ? [{ ...found, parameter: name, members, ...(isList && { isList }) }] : [];
  };
  return collect(schema, []);
}

const maxMembers = 3;

function findCondition(
  raw: RawDocument,
  name: string,
  item: FlatSchema,
): Pick<Condition, 'paths' | 'comparison'> | undefined {
  const words = wordsOf(name);
  const [first = '', ...behindFirst] = words;
  const last = words.at(-1) ?? '';
  const readings: [name: readonly string[], comparison: Comparison][] = [[words, 'equal']];
  const lastAsks = lastWords[last];
  if (lastAsks) readings.push([words.slice(0, -1), lastAsks]);
  const firstAsks = firstWords[first];
  if (firstAsks) {
    readings.push([behindFirst, firstAsks]);
    if (lastAsks && firstAsks === 'equal') readings.push([behindFirst.slice(0, -1), lastAsks]);
  }
  for (const [sought, comparison] of readings) {
    const paths = sought.length === 0 ? [] : findPaths(raw, item, { words: sought, comparison });
    if (paths.length > 0) return { paths, comparison };
  }
  return undefined;
}

type Sought = { words: readonly string[]; comparison: Comparison };

/** The properties that the words of a name stand for. */
function findPaths(
  raw: RawDocument,
  { properties }: FlatSchema,
  { words, comparison }: Sought,
): string[][] {
  const plain = words.join('');
  const find = (name: string) =>
    Object.keys(properties).find((property) => toPlainName(property) === name);
  const isOrdering = ordering.has(comparison);
  const names = isOrdering
    ? [plain, `${plain}at`, `${plain}on`, `${plain}date`]
    : [
        plain,
        `${plain}s`,
        `${plain}es`,
        `${plain}list`,
        plain.replace(/(es|s)$/, ''),
        plain.replace(/s$/, ''),
      ];
  const property = names.map(find).find((one) => one !== undefined);
  if (property === undefined) return isOrdering ? [] : findInner(raw, properties, words);
  const schema = objectAlternative(raw, properties[property] ?? {}) ?? {};
  if (isOrdering) return isOrdered(schema) ? [[property]] : [];
  const held = schema.items === undefined ? schema : (objectAlternative(raw, schema.items) ?? {});
  if (!held.properties && !held.allOf) return isOfValues(raw, schema) ? [[property]] : [];
  const inner = flatten(raw, held).properties;
  return identifying.filter((one) => Object.hasOwn(inner, one)).map((one) => [property, one]);
}

/** `author_id` and `author.id` are the `id` of the `author`. */
function findInner(
  raw: RawDocument,
  properties: FlatSchema['properties'],
  words: readonly string[],
): string[][] {
  for (let count = 1; count < words.length; count++) {
    const outer = words.slice(0, count).join('');
    const property = Object.keys(properties).find((one) => toPlainName(one) === outer);
    const schema = property && objectAlternative(raw, properties[property] ?? {});
    if (!property || !schema || !(schema.properties || schema.allOf)) continue;
    const rest = words.slice(count).join('');
    const inner = Object.keys(flatten(raw, schema).properties).find(
      (one) => toPlainName(one) === rest,
    );
    if (inner !== undefined) return [[property, inner]];
  }
  return [];
}

/** Whether values have an order: numbers and dates. */
function isOrdered(schema: RawDocument): boolean {
  const types = typesOf(schema);
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber || /^date/.test(String(schema.format));
}

/** Whether it holds a text, a number or a boolean, or a list of them. */
function isOfValues(raw: RawDocument, schema: RawDocument): boolean {
  if (schema.items === undefined) return !typesOf(schema).includes('object');
  const items = objectAlternative(raw, schema.items) ?? {};
  return items.items === undefined && !items.properties && !items.allOf;
}
