import type { Schema } from '../../contracts/description/document.ts';
import type { CompileSchema, Validate } from '../json/validator.ts';

/**
 * Compiles each schema once, also one that cannot be compiled: the validator library retains
 * whatever it compiles, so pages that are visited again and again would take ever more memory.
 */
export function compileOnce(compileSchema: CompileSchema): CompileSchema {
  const compiled = new WeakMap<Schema, { validate: Validate } | { error: unknown }>();
  const compile = (schema: Schema) => {
    try {
      return { validate: compileSchema(schema) };
    } catch (error) {
      return { error };
    }
  };
  return (schema) => {
    let result = compiled.get(schema);
    if (!result) compiled.set(schema, (result = compile(schema)));
    if ('error' in result) throw result.error;
    return result.validate;
  };
}
