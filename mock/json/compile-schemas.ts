import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../contracts/description/document.ts';
import type { RawDocument } from '../../contracts/description/schema.ts';
import { useLazyReferences } from './lazy-references.ts';
import { useFastUniqueItems } from './unique-items.ts';

const root = 'document:/';

export type CompileSchemasOptions = Options & {
  /** Whether what a schema refers to is compiled when a value gets there, not before. */
  isLazy: boolean;
};

/**
 * Makes what compiles schemas as parts of a document, with whatever they refer to in it. What
 * several of them refer to is compiled once. Throws what Ajv throws.
 */
export function createCompileSchemas(
  raw: RawDocument,
  { isLazy, ...options }: CompileSchemasOptions,
): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020(options);
  useFastUniqueItems(ajv);
  if (isLazy) useLazyReferences(ajv, (ref) => compile(ref));
  const given: Schema[] = [];
  // Ajv looks for ids in every enumerable part of what is added, which takes seconds in a large
  // document, and takes an "$id" inside an example for one.
  const hidden = Object.entries({ ...raw, given }).map(([key, value]) => [key, { value }]);
  ajv.addSchema(Object.defineProperties({}, Object.fromEntries(hidden)), root);
  const pointerOf = (schema: Schema): string => {
    const { $ref, ...others } = schema;
    if (typeof $ref === 'string' && Object.keys(others).length === 0) return $ref;
    return `#/given/${given.push(schema) - 1}`;
  };
  const compile = (pointer: string): ValidateFunction => {
    const validate = ajv.getSchema(root + pointer);
    if (!validate) throw new Error(`can't resolve reference ${pointer}`);
    return validate as ValidateFunction;
  };
  return (schema) => compile(pointerOf(schema));
}
