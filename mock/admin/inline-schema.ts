import {
  type ApiDocument,
  describeSchema,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';

/** How deep properties and alternatives are shown, and how many schemas in all. */
const bounds = { depth: 4, schemas: 500 };

/**
 * A schema that stands for itself: what its `$ref`s and its `allOf` lead to is in their places. What
 * is too deep, or too much, is the schema that any value fits.
 */
export function inlineSchema(document: ApiDocument, schema: Schema): Schema {
  let left = bounds.schemas;
  const inline = (node: unknown, depth: number): unknown => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
    if (depth > bounds.depth || --left < 0) return {};
    const { $ref, allOf, properties, required, ...plain } = {
      ...resolveSchema(document, node as Schema),
    };
    const flat = describeSchema(document, node as Schema);
    const next = (value: unknown) => inline(value, depth + 1);
    const shown = Object.entries(plain).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword.startsWith('x-') || keyword.startsWith('$')) return [];
      if (single.has(keyword)) return [[keyword, next(value)]];
      if (several.has(keyword) && Array.isArray(value)) return [[keyword, value.map(next)]];
      return nested.has(keyword) ? [] : [[keyword, value]];
    });
    const names = Object.entries(flat.properties);
    return {
      ...Object.fromEntries(shown),
      ...(names.length > 0 && {
        properties: Object.fromEntries(names.map(([name, value]) => [name, next(value)])),
      }),
      ...(flat.required.length > 0 && { required: [...new Set(flat.required)] }),
    };
  };
  return inline(schema, 0) as Schema;
}

const single = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames']);
const several = new Set(['oneOf', 'anyOf', 'prefixItems']);

/** Keywords with schemas that a form has no use for. */
const nested = new Set([
  'patternProperties',
  'dependentSchemas',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
