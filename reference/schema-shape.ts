import { isObject, type JsonObject } from '../common/json.ts';
import { fromFragmentToken } from '../common/json-pointer.ts';
import type { Schemas } from '../openapi/index.ts';
import { toPlainText } from './json-view.ts';

/** An `allOf` within an `allOf` is followed so often. */
const maxDepth = 50;

/** Schemas of which one, some, all or none hold. */
export type SchemaGroup = { title: string; schemas: readonly unknown[] };

/** A schema as a reader sees it: its `$ref` followed, and what `allOf` adds put together. */
export type SchemaShape = {
  /** The schema itself, and what its `$ref` leads to; these are one node of the document. */
  own: readonly JsonObject[];
  /** These, and the parts of their `allOf`. */
  layers: readonly JsonObject[];
  fields: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  groups: readonly SchemaGroup[];
};

/** The name of a schema below `components` that a schema refers to, alone in an `allOf` too. */
export function nameOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') {
    const [, token] = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref) ?? [];
    return token === undefined ? undefined : fromFragmentToken(token);
  }
  const { allOf } = schema;
  return Array.isArray(allOf) && allOf.length === 1 ? nameOf(allOf[0]) : undefined;
}

/** Reads a schema; whatever is no object has no keywords. */
export function toShape(schemas: Schemas, schema: unknown): SchemaShape {
  const layers = new Set<JsonObject>();
  const fields = new Map<string, unknown>();
  const required = new Set<string>();
  const groups: SchemaGroup[] = [];
  const add = (part: unknown, depth: number) => {
    for (const layer of chainOf(schemas, part)) {
      if (layers.has(layer)) continue;
      layers.add(layer);
      for (const [name, field] of Object.entries(objectOf(layer.properties)))
        if (!fields.has(name)) fields.set(name, field);
      for (const name of listOf(layer.required)) required.add(toPlainText(name));
      groups.push(...groupsOf(layer));
      if (depth < maxDepth) for (const inner of listOf(layer.allOf)) add(inner, depth + 1);
    }
  };
  add(schema, 0);
  return { own: chainOf(schemas, schema), layers: [...layers], fields, required, groups };
}

function groupsOf({ oneOf, anyOf, not, if: condition, then, else: otherwise }: JsonObject) {
  const groups: SchemaGroup[] = [
    { title: 'One of', schemas: listOf(oneOf) },
    { title: 'Any of', schemas: listOf(anyOf) },
    { title: 'Not', schemas: not === undefined ? [] : [not] },
    { title: 'If', schemas: condition === undefined ? [] : [condition] },
    { title: 'Then', schemas: then === undefined ? [] : [then] },
    { title: 'Else', schemas: otherwise === undefined ? [] : [otherwise] },
  ];
  return groups.filter(({ schemas }) => schemas.length > 0);
}

/** A schema and what its `$ref` leads to, beside which it may say more. */
function chainOf(schemas: Schemas, schema: unknown): JsonObject[] {
  if (!isObject(schema)) return [];
  const target = schemas.resolve(schema);
  return target === schema || !isObject(target) ? [schema] : [schema, target];
}

/** Returns a value as an object; empty if it is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns a value as a list; empty if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
