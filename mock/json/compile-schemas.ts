import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../contracts/description/document.ts';
import type { Unasked } from '../../contracts/description/marks.ts';
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
 * several of them refer to is compiled once. `unasked` frees of what schemas require. Throws what
 * Ajv throws.
 */
export function createCompileSchemas(
  raw: RawDocument,
  { isLazy, ...options }: CompileSchemasOptions,
  unasked?: Unasked,
): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020(options);
  useFastUniqueItems(ajv);
  if (isLazy) useLazyReferences(ajv, (ref) => compile(ref));
  if (unasked) freeOf(ajv, unasked);
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

/** Lets schemas require only what they are not freed of. */
function freeOf(ajv: Ajv2020, unasked: Unasked): void {
  const keyword = ajv.getKeyword('required');
  if (typeof keyword !== 'object' || !('code' in keyword)) return;
  ajv.removeKeyword('required').addKeyword({
    ...keyword,
    before: 'dependentRequired',
    code(context) {
      const names = unasked.get(context.parentSchema);
      if (names) context.schema = (context.schema as string[]).filter((name) => !names.has(name));
      keyword.code(context);
    },
  });
}
