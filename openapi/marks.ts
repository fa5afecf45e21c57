import {
  type FlatSchema,
  flatten,
  type RawDocument,
  resolve,
  type Schema,
  schemaKeywords,
} from './schema.ts';

/** Whether a property is only in answers (`readOnly`) or only in requests (`writeOnly`). */
export type Mark = 'readOnly' | 'writeOnly';

/** The properties that a schema requires only of the other direction, by the schema. */
export type Unasked = ReadonlyMap<unknown, ReadonlySet<string>>;

/** Whether a property has a mark, itself or by what it refers to. */
export function isMarked(raw: RawDocument, property: Schema | undefined, mark: Mark): boolean {
  if (typeof property !== 'object' || property === null) return false;
  return property[mark] === true || (resolve(raw, property) as Schema | undefined)?.[mark] === true;
}

/** Properties without those that have a mark. */
function without(mark: Mark, raw: RawDocument, { properties, required }: FlatSchema): FlatSchema {
  const isLeft = (name: string) => !isMarked(raw, properties[name], mark);
  if (Object.keys(properties).every(isLeft)) return { properties, required };
  const left = Object.entries(properties).filter(([name]) => isLeft(name));
  return { properties: Object.fromEntries(left), required: required.filter(isLeft) };
}

/** What answers may show of the properties of an item. */
export function shownOf(raw: RawDocument, schema: FlatSchema): FlatSchema {
  return without('writeOnly', raw, schema);
}

type Described = FlatSchema & { schema: Schema };

/** A schema, its `$ref` followed, beside its properties. */
export function describeSchema(raw: RawDocument, schema: Schema): Described {
  return { schema: resolve(raw, schema), ...flatten(raw, schema) };
}

/** The same beside the properties that answers may show. */
export function describeShown(raw: RawDocument, schema: Schema): Described {
  return { schema: resolve(raw, schema), ...shownOf(raw, flatten(raw, schema)) };
}

/** The same beside the properties that requests may set. */
export function describeSent(raw: RawDocument, schema: Schema): Described {
  return { schema: resolve(raw, schema), ...without('readOnly', raw, flatten(raw, schema)) };
}

const writeOnly = new WeakMap<Schema, boolean>();

/** Whether the schema of an answer, or one that it leads to, marks a property as `writeOnly`. */
export function showsWriteOnly(raw: RawDocument, schema: Schema): boolean {
  const known = writeOnly.get(schema);
  if (known !== undefined) return known;
  const seen = new Set<Schema>();
  const left: Schema[] = [schema];
  for (let node = left.pop(); node; node = left.pop()) {
    if (typeof node !== 'object' || seen.has(node)) continue;
    seen.add(node);
    if (typeof node.$ref === 'string') left.push(resolve(raw, node));
    left.push(...innerSchemas(node));
  }
  const isMarking = [...seen].some((node) => node.writeOnly === true);
  writeOnly.set(schema, isMarking);
  return isMarking;
}

/**
 * Makes what finds what the schemas that a schema leads to require, and a mark frees of: `readOnly`
 * for requests, `writeOnly` for answers. What was found of other schemas is in it too, so that
 * schemas that share much are gone through once.
 */
export function createFindUnasked(raw: RawDocument, mark: Mark): (schema: Schema) => Unasked {
  const unasked = new Map<unknown, ReadonlySet<string>>();
  const seen = new Set<unknown>();
  const free = (node: RawDocument, names: ReadonlySet<string>) => {
    if (names.size === 0) return;
    const freed = names.intersection(new Set(node.required));
    if (freed.size > 0) unasked.set(node, freed.union(unasked.get(node) ?? new Set()));
    // A part of allOf may require what another part describes.
    for (const part of node.allOf ?? []) free(resolve(raw, part), names);
  };
  const visit = (node: Schema): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (typeof node.$ref === 'string') visit(resolve(raw, node));
    if (node.allOf !== undefined || (node.properties && node.required)) {
      const described = Object.entries(flatten(raw, node).properties);
      const marked = described.filter(([, property]) => isMarked(raw, property, mark));
      free(node, new Set(marked.map(([name]) => name)));
    }
    for (const inner of innerSchemas(node)) visit(inner);
  };
  return (schema) => {
    visit(schema);
    return unasked;
  };
}

/** A schema without what it requires and is freed of; its `$ref`s lead where they did. */
export function withoutUnasked(schema: Schema, unasked: Unasked): Schema {
  const names = unasked.get(schema);
  const copy: Record<string, unknown> = { ...schema };
  if (names && Array.isArray(schema.required))
    copy.required = schema.required.filter((name) => !names.has(name));
  const strip = (inner: unknown) =>
    typeof inner === 'object' && inner !== null ? withoutUnasked(inner as Schema, unasked) : inner;
  for (const keyword of schemaKeywords.one)
    if (keyword in schema) copy[keyword] = strip(schema[keyword]);
  for (const keyword of schemaKeywords.list)
    if (Array.isArray(schema[keyword])) copy[keyword] = schema[keyword].map(strip);
  for (const keyword of schemaKeywords.map)
    if (typeof schema[keyword] === 'object' && schema[keyword] !== null)
      copy[keyword] = Object.fromEntries(
        Object.entries(schema[keyword]).map(([name, inner]) => [name, strip(inner)]),
      );
  return copy;
}

/** The schemas that a schema is made of, without those that it refers to. */
function innerSchemas(schema: Schema): Schema[] {
  const { one, list, map } = schemaKeywords;
  const values = (keyword: string) => Object.values((schema[keyword] ?? {}) as object);
  const inner = [...one.map((keyword) => schema[keyword]), ...[...list, ...map].flatMap(values)];
  return inner.filter((each): each is Schema => typeof each === 'object' && each !== null);
}
