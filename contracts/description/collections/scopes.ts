import { partsOf } from '../property-path.ts';
import { type FlatSchema, type RawDocument, resolve, type Schema } from '../schema.ts';
import { idFormOfText } from './id-form.ts';
import { lastWordOf, shapeOf, withoutSlash } from './places.ts';
import { toPlainName } from './plain-name.ts';
import type { Resource, Scope } from './resource.ts';
import { singular } from './words.ts';

/** What is known of a collection before its scopes. */
type Scoped = Pick<Resource, 'item' | 'idProperty' | 'idHolder' | 'operations'>;

/** Finds the collection that a path names an item of. */
export type FindParent = (itemPath: string) => Resource | undefined;

/** Makes what finds collections by the paths of their items. */
export function createFindParent(resources: readonly Resource[]): FindParent {
  const byShape = new Map<string, Resource>();
  const note = (path: string, resource: Resource) => {
    const shape = shapeOf(path);
    if (!byShape.has(shape)) byShape.set(shape, resource);
  };
  for (const resource of resources)
    for (const { path } of Object.values(resource.operations))
      if (withoutSlash(path).endsWith('}')) note(path, resource);
  for (const resource of resources) note(`${resource.path}/{}`, resource);
  return (itemPath) => byShape.get(shapeOf(itemPath));
}

/** What the parameters of a path of a collection name, outermost first. */
export function toScopes(
  raw: RawDocument,
  resource: Scoped,
  path: string,
  findParent: FindParent = () => undefined,
): Scope[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(({ 0: inBraces, 1: parameter = '', index }) => {
    const prefix = path.slice(0, index + inBraces.length);
    const parent = findParent(prefix);
    const property = propertyOf(raw, resource, {
      parameter,
      noun: lastWordOf(path.slice(0, index)),
    });
    return {
      parameter,
      ...(parent ? { parent: parent.name } : { example: exampleOf(raw, resource, parameter) }),
      ...(property !== undefined && { property }),
    };
  });
}

/** The example that the document shows of a parameter, or else a value that its schema allows. */
function exampleOf(raw: RawDocument, { operations }: Scoped, name: string): string {
  const described = Object.values(operations).flatMap(({ parameters }) =>
    parameters.filter((one) => one.in === 'path' && one.name === name),
  );
  const schemas = described.map(({ schema }) => resolve(raw, schema));
  const shown = [
    ...described.flatMap(({ examples }) => Object.values(examples)),
    ...schemas.flatMap(({ example, examples, default: byDefault, enum: values }) =>
      [example, examples, byDefault, values].flat(),
    ),
  ];
  const [value] = shown.filter((one) => ['string', 'number', 'boolean'].includes(typeof one));
  if (value !== undefined) return String(value);
  const [{ type, format, pattern, minimum = 1 } = {} as RawDocument] = schemas;
  if (type === 'integer' || type === 'number') return String(Math.max(1, minimum));
  if (format === undefined && pattern === undefined) return 'demo';
  return idFormOfText({ format, pattern })?.toText(1) ?? 'demo';
}

/** The property of an item that holds the id of its parent: `userId`, `user_id` or `user`. */
function propertyOf(
  raw: RawDocument,
  { item: { properties }, idProperty, idHolder }: Scoped,
  { parameter, noun }: { parameter: string; noun: string },
): string | undefined {
  const word = singular(noun);
  const isGeneric = /^(id|uuid|guid|uid|key|slug|name|code|number)$/i.test(parameter);
  const wanted = isGeneric ? [word + parameter] : [parameter, `${word}id`, `${parameter}id`];
  const findIn = (described: FlatSchema['properties'], ownId: string) =>
    Object.keys(described).find(
      (name) =>
        name !== ownId &&
        wanted.some((one) => toPlainName(one) === toPlainName(name)) &&
        isScalar(resolve(raw, described[name] as Schema)),
    );
  const own = findIn(properties, idProperty);
  const parts = partsOf(idProperty);
  if (own !== undefined || !parts || !idHolder) return own;
  const held = findIn(idHolder.properties, parts.inner);
  return held && `${parts.outer}.${held}`;
}

function isScalar({ type, properties, items, oneOf, anyOf, allOf }: RawDocument): boolean {
  const types: unknown[] = [type ?? []].flat();
  if (types.length > 0)
    return types.some((one) => ['string', 'integer', 'number'].includes(String(one)));
  return !properties && !items && !oneOf && !anyOf && !allOf;
}
