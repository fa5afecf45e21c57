import { DocumentError } from '../../../common/cli/usage-error.ts';
import { fromFragmentToken } from '../../../common/json-pointer.ts';
import type { Api, Schema } from '../../../openapi/index.ts';

/**
 * A schema that a value is validated against, with its outermost name and the section that states
 * it, if any.
 */
export type SchemaNode = { schema: Schema; name?: string; source?: string };

/** Keywords whose value is a map or a list of schemas. */
const maps = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** Keywords that apply to a nested value. */
const inwards = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
];

/**
 * Returns the node that a keyword's location leads to, such as
 * `#/$ref/items/$ref/allOf/0/required`.
 */
export function nodeOf(
  document: Pick<Api, 'schemas'>,
  root: Schema,
  keywordLocation: string,
): SchemaNode {
  const tokens = keywordLocation.split('/').slice(1, -1).map(fromFragmentToken);
  let node = begin(root);
  for (let at = 0; at < tokens.length; at += 1) {
    const keyword = tokens[at] as string;
    if (keyword === '$ref') {
      node = follow(document, node);
      continue;
    }
    const value = node.schema[keyword];
    const isNested = maps.includes(keyword) || lists.includes(keyword);
    if (isNested) at += 1;
    const inner = isNested ? (value as Schema | undefined)?.[tokens[at] as string] : value;
    // Not a schema, but a value such as the list of a `required`.
    if (typeof inner !== 'object' || inner === null) return node;
    node = enter(node, inner as Schema, inwards.includes(keyword));
  }
  return node;
}

function begin(schema: Schema): SchemaNode {
  return enter({ schema }, schema, true);
}

/**
 * The node of a schema below another: what states the outer states the inner, unless that says
 * otherwise.
 */
function enter(outer: SchemaNode, schema: Schema, isOtherValue: boolean): SchemaNode {
  const source = sourceOf(schema, outer.source);
  return {
    schema,
    ...(!isOtherValue && outer.name !== undefined && { name: outer.name }),
    ...(source !== undefined && { source }),
  };
}

function sourceOf(
  { 'x-source': own, 'x-assumed': assumed }: Schema,
  inherited: string | undefined,
): string | undefined {
  if (typeof own === 'string') return own;
  return assumed === undefined ? inherited : undefined;
}

function follow(document: Pick<Api, 'schemas'>, node: SchemaNode): SchemaNode {
  const { $ref } = node.schema;
  if (typeof $ref !== 'string') return node;
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? [];
  try {
    const next = enter(node, document.schemas.resolve({ $ref }), false);
    return next.name === undefined && name !== undefined
      ? { ...next, name: fromFragmentToken(name) }
      : next;
  } catch (error) {
    // A $ref may lead to an $id or an $anchor, which only the validator follows.
    if (error instanceof DocumentError) return node;
    throw error;
  }
}
