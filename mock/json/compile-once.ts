import type { ApiDocument, Schema } from '../../contracts/description/document.ts';
import type { Mark } from '../../contracts/description/marks.ts';
import { oncePer } from './once-per.ts';
import { type CompileSchema, createSchemaCompiler, type Validate } from './validator.ts';

/**
 * The compiler of a document: the same one for all twins of a process that serve it, as tests start
 * one after another.
 */
export const compilerOf = oncePer((document: ApiDocument) =>
  compileOnce(createSchemaCompiler(document)),
);

/**
 * Compiles each schema once, also one that cannot be compiled: the validator library retains
 * whatever it compiles, so pages that are visited again and again would take ever more memory.
 */
export function compileOnce(compileSchema: CompileSchema): CompileSchema {
  const createCompiled = (mark?: Mark) =>
    oncePer((schema: Schema): { validate: Validate } | { error: unknown } => {
      try {
        return { validate: compileSchema(schema, mark) };
      } catch (error) {
        return { error };
      }
    });
  const plain = createCompiled();
  const marked = { readOnly: createCompiled('readOnly'), writeOnly: createCompiled('writeOnly') };
  return (schema, mark) => {
    const result = (mark ? marked[mark] : plain)(schema);
    if ('error' in result) throw result.error;
    return result.validate;
  };
}
