import type { Parameter } from '../operation.ts';
import { type FlatSchema, flatten, type RawDocument } from '../schema.ts';
import { toPlainName, wordsOf } from './plain-name.ts';
import { isNumber, objectAlternative, typesOf } from './schema-types.ts';

/** How a value of an item is compared with that of a parameter. */
export type Comparison = 'equal' | 'not' | 'less' | 'atMost' | 'greater' | 'atLeast' | 'contains';

/** What a query parameter asks of the items of a list. */
export type Condition = {
  parameter: string;
  /** The member that holds what it asks, where its value is an object: `created[gte]`. */
  member?: string;
  /** The properties of the item whose value is compared; any of them may fit. */
  paths: readonly (readonly string[])[];
  comparison: Comparison;
  /** Whether a text is several values with commas, as the document says. */
  isList?: true;
};

const wordsByComparison: Readonly<Record<Comparison, string>> = {
  atLeast: 'gte ge min from since start',
  greater: 'gt after',
  atMost: 'lte le max to until end',
  less: 'lt before',
  not: 'ne neq not exclude',
  contains: 'contains icontains like ilike',
  equal: 'eq in filter filters where',
};

/** Words at the beginning or the end of a name that say how values are compared. */
const comparisons = new Map(
  Object.entries(wordsByComparison).flatMap(([comparison, words]) =>
    words.split(' ').map((word) => [word, comparison as Comparison] as const),
  ),
);

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
  const members = Object.keys(flatten(raw, objectAlternative(raw, schema)).properties);
  return [...(members.length > 0 ? members : [undefined])].flatMap((member) => {
    const found = findCondition(raw, `${name}.${member ?? ''}`, item);
    const condition = { parameter: name, ...(member !== undefined && { member }) };
    return found ? [{ ...condition, ...found, ...(isList && { isList }) }] : [];
  });
}

/** The name may be that of a property, or have a word before or behind it that compares. */
function findCondition(
  raw: RawDocument,
  name: string,
  item: FlatSchema,
): Pick<Condition, 'paths' | 'comparison'> | undefined {
  const words = wordsOf(name);
  const readings: [words: readonly string[], comparison: Comparison | undefined][] = [
    [words, 'equal'],
    [words.slice(0, -1), comparisons.get(words.at(-1) ?? '')],
    [words.slice(1), comparisons.get(words[0] ?? '')],
  ];
  for (const [sought, comparison] of readings) {
    if (!comparison || sought.length === 0) continue;
    const paths = ordering.has(comparison)
      ? findOrdered(raw, item, sought)
      : findEqual(raw, item, sought);
    if (paths.length > 0) return { paths, comparison };
  }
  return undefined;
}

function findNamed({ properties }: FlatSchema, names: readonly string[]): string | undefined {
  const find = (name: string) =>
    Object.keys(properties).find((property) => toPlainName(property) === name);
  return names.map(find).find((one) => one !== undefined);
}

/** The number or date that the words of a name stand for: `created` is `createdAt`, too. */
function findOrdered(raw: RawDocument, item: FlatSchema, words: readonly string[]): string[][] {
  const plain = words.join('');
  const property = findNamed(item, [plain, `${plain}at`, `${plain}on`, `${plain}date`]);
  const schema = objectAlternative(raw, item.properties[property ?? ''] ?? {}) ?? {};
  const isOrdered = isNumber(schema) || /^date/.test(String(schema.format));
  return property !== undefined && isOrdered ? [[property]] : [];
}

/** The values that they stand for; of an object, what names it; `author_id` is that of `author`. */
function findEqual(raw: RawDocument, item: FlatSchema, words: readonly string[]): string[][] {
  const plain = words.join('');
  const property = findNamed(item, [plain, `${plain}s`, `${plain}list`, plain.replace(/s$/, '')]);
  if (property === undefined) return findInner(raw, item, words);
  const schema = objectAlternative(raw, item.properties[property] ?? {}) ?? {};
  const isArray = schema.items !== undefined;
  const held = isArray ? (objectAlternative(raw, schema.items) ?? {}) : schema;
  const inner = flatten(raw, held).properties;
  if (Object.keys(inner).length > 0)
    return identifying.filter((one) => Object.hasOwn(inner, one)).map((one) => [property, one]);
  const isOfValues = held.items === undefined && (isArray || !typesOf(schema).includes('object'));
  return isOfValues ? [[property]] : [];
}

function findInner(raw: RawDocument, item: FlatSchema, words: readonly string[]): string[][] {
  const [last = '', outer] = [words.at(-1), findNamed(item, [words.slice(0, -1).join('')])];
  const held = outer && objectAlternative(raw, item.properties[outer] ?? {});
  const inner = held && findNamed(flatten(raw, held), [last]);
  return outer && inner ? [[outer, inner]] : [];
}
