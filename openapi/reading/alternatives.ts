import { isObject, isText } from '../../common/json.ts';
import { asksNothing, follow, type RawDocument, saysMore, schemaKeywords } from '../schema.ts';
import { isIgnoredPattern } from './patterns.ts';

/** Returns the discriminator of a base that all alternatives extend, which tells them apart. */
export function findSharedDiscriminator(
  { oneOf, anyOf = oneOf, discriminator }: RawDocument,
  root: RawDocument,
): RawDocument | undefined {
  if (!Array.isArray(anyOf) || anyOf.length < 2 || discriminator !== undefined) return undefined;
  const basesOf = (one: unknown, depth = 0): unknown[] => {
    const parts = isObject(one) && depth <= maxDepth ? [one.allOf ?? []].flat() : [];
    const bases = parts.filter((part) => isText(part?.$ref)).map(({ $ref }) => follow(root, $ref));
    return bases.flatMap((base) => [base, ...basesOf(base, depth + 1)]);
  };
  const [first = [], ...others] = anyOf.map((one) =>
    isText(one?.$ref) ? basesOf(follow(root, one.$ref)) : [],
  );
  const shared = first.filter((base) => others.every((bases) => bases.includes(base)));
  return shared.filter(isObject).find((base) => isObject(base.discriminator))?.discriminator;
}

/**
 * The index of an alternative of which a value never fits it alone; -1 where there is none, or where
 * a discriminator says which one is meant.
 */
export function findSameAlternative(
  { oneOf, anyOf, discriminator }: RawDocument,
  root: RawDocument,
): number {
  if (!Array.isArray(oneOf) || anyOf !== undefined || discriminator !== undefined) return -1;
  const all = oneOf.map((one) =>
    isText(one?.$ref) && !saysMore(one) ? follow(root, one.$ref) : one,
  );
  const loose = all.map((one) => looseOf(one, root));
  const isSame = (index: number) => (left: unknown, at: number) =>
    asksSame(left, all[index]) ||
    isWithin(loose[at], loose[index], root) ||
    isWithin(loose[index], loose[at], root);
  return all.findIndex((_, index) => all.slice(0, index).some(isSame(index)));
}

/** How deep schemas are compared. */
const maxDepth = 5;

/** Whether values of one schema with no other properties than it describes fit another one, too. */
function fitsToo(one: unknown, other: unknown, root: RawDocument, depth: number): boolean {
  if (asksSame(one, other)) return true;
  return depth <= maxDepth && isWithin(looseOf(one, root), looseOf(other, root), root, depth);
}

/** Whether values that meet some demands meet others, too. */
function isWithin(
  from: Loose | undefined,
  to: Loose | undefined,
  root: RawDocument,
  depth = 0,
): boolean {
  if (from?.items && to?.items) return fitsToo(from.items, to.items, root, depth + 1);
  if (!from?.properties || !to?.properties) return false;
  const { properties, required, minProperties = 0 } = from;
  return (
    (to.minProperties ?? 0) <= Math.max(minProperties, required.length) &&
    to.required.every((name) => from.required.includes(name)) &&
    Object.entries(to.properties).every(
      ([name, asked]) =>
        !Object.hasOwn(properties, name) || fitsToo(properties[name], asked, root, depth + 1),
    )
  );
}

/** The only demands of a schema on values: what lists hold, or which properties objects have. */
type Loose = {
  items?: unknown;
  properties?: RawDocument;
  required: readonly unknown[];
  minProperties?: number;
};

/** Returns what a schema asks of lists or objects; undefined if it asks for more, or nothing. */
function looseOf(node: unknown, root: RawDocument, depth = 0): Loose | undefined {
  if (!isObject(node) || depth > maxDepth) return undefined;
  if (isText(node.$ref) && !saysMore(node))
    return looseOf(follow(root, node.$ref), root, depth + 1);
  const { type = 'object', items, properties = {}, required = [], ...more } = node;
  const { allOf = [], minProperties = 0, ...others } = more;
  if (askingIn(others).length > 0 || (type !== 'object' && type !== 'array')) return undefined;
  if (type === 'array') return { items, required };
  const parts = [allOf].flat().map((one) => looseOf(one, root, depth + 1));
  const all = [...parts, { properties, required, minProperties }];
  if (!all.every((one) => isObject(one?.properties) && Array.isArray(one.required)))
    return undefined;
  const merged: RawDocument = Object.assign({}, ...all.map((one) => one?.properties));
  if (Object.keys(merged).length === 0) return undefined;
  return {
    properties: merged,
    required: all.flatMap((one) => one?.required ?? []),
    minProperties: Math.max(...all.map((one) => one?.minProperties ?? 0)),
  };
}

/** Keywords that hold schemas by names, which are no keywords. */
const named = new Set<string>(schemaKeywords.map);

/** Whether two schemas ask the same of a value, whatever else they say. */
function asksSame(one: unknown, other: unknown, areNames = false): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => asksSame(item, other[at]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = areNames ? Object.keys(one) : askingIn(one);
  const others = areNames ? Object.keys(other) : askingIn(other);
  return (
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) && asksSame(one[key], other[key], !areNames && named.has(key)),
    )
  );
}

/** The keywords of a schema that ask something of a value. */
function askingIn(schema: RawDocument): string[] {
  return Object.keys(schema).filter(
    (key) => !asksNothing(key) && (key !== 'pattern' || !isIgnoredPattern(schema.pattern, schema)),
  );
}
