import type { ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ApiDocument,
  DocumentError,
  type Schema,
} from '../../contracts/description/document.ts';
import { createFindUnasked, type Mark, type Unasked } from '../../contracts/description/marks.ts';
import { findOwnCircle } from '../../contracts/description/own-circles.ts';
import { createCompileSchemas } from './compile-schemas.ts';
import { findPointer, findUnusableSchema } from './find-unusable-schema.ts';
import { formats as allFormats } from './formats.ts';
import { suitsLazyReferences } from './lazy-references.ts';
import { createTakeProblems, maxProblems, type Problem } from './problems.ts';
import { repeatsChoices } from './repeated-choices.ts';

export type { Problem } from './problems.ts';

/**
 * Says what is wrong with a value, or undefined when it fits: the first {@link maxProblems}
 * problems of a value whose JSON is small, and the first one alone of a larger one, where `bytes` (the
 * length of that JSON) is not given, or where alternatives lead to themselves. `at` is where the value itself is, as a pointer.
 */
export type Validate = (value: unknown, bytes?: number, at?: string) => Problem[] | undefined;

/**
 * Compiles schemas of the document, each when it is needed first. That throws a DocumentError where
 * one cannot be compiled, which no schema of a document that was read does. A mark frees of what has
 * it: `readOnly` properties are not required of a request, and `writeOnly` ones not of an answer.
 */
export type CompileSchema = (schema: Schema, mark?: Mark) => Validate;

/**
 * The longest JSON in which all problems are looked for, in bytes, as that may take the square of
 * its length.
 */
const smallJson = 4 * 1024;

const problemsShown = 5;

/** Up to how many paths a document is compiled with optimization, which takes as long again. */
const maxOptimized = 100;

/** What compiles schemas to find the first problem, and all of them. */
type Compilers = Record<'first' | 'all', (schema: Schema) => ValidateFunction>;

/** The sentences of problems, the first few of them. */
export function toSentences(problems: readonly Problem[]): string {
  const sentences = problems.slice(0, problemsShown).map(({ problem }) => problem);
  const more = problems.length - problemsShown;
  const count = problems.length < maxProblems ? more : `at least ${more}`;
  if (more === 1) sentences.push('There is 1 more problem.');
  if (more > 1) sentences.push(`There are ${count} more problems.`);
  return sentences.join(' ');
}

/** Makes what compiles the schemas of a document; formats of other names are ignored. */
export function createSchemaCompiler(
  document: ApiDocument,
  { formats = allFormats } = {},
): CompileSchema {
  const isLazy = suitsLazyReferences(document.raw);
  const options = {
    strict: false,
    logger: false,
    verbose: true,
    validateSchema: false,
    formats,
    isLazy,
    // Optimizing the code of many schemas takes longer than it ever saves.
    code: { optimize: !isLazy && Object.keys(document.raw.paths ?? {}).length <= maxOptimized },
  } as const;
  const createCompilers = (unasked?: Unasked): Compilers => {
    let all: Compilers['all'] | undefined;
    return {
      first: createCompileSchemas(document.raw, options, unasked),
      // Most documents of most processes never meet what does not fit.
      all(schema) {
        all ??= createCompileSchemas(document.raw, { ...options, allErrors: true }, unasked);
        return all(schema);
      },
    };
  };
  const plain = createCompilers();
  const createMarked = (mark: Mark) => {
    const findUnasked = createFindUnasked(document.raw, mark);
    let compilers: Compilers | undefined;
    return (schema: Schema): Compilers => {
      const unasked = findUnasked(schema);
      if (unasked.size === 0) return plain;
      compilers ??= createCompilers(unasked);
      return compilers;
    };
  };
  const marked = { readOnly: createMarked('readOnly'), writeOnly: createMarked('writeOnly') };
  const compile = (
    schema: Schema,
    compileSchema: Compilers['first'] = plain.first,
  ): ValidateFunction => {
    try {
      return compileSchema(schema);
    } catch (error) {
      throw toDocumentError(error as Error, schema);
    }
  };
  const isUsable = (schema: Schema) => {
    try {
      return Boolean(plain.first(schema));
    } catch {
      return false;
    }
  };
  const toDocumentError = (error: Error, schema: Schema) => {
    const { message } = error;
    if (error instanceof RangeError) return toCircleError(document);
    const unusable = findUnusableSchema(document, schema, isUsable);
    const pointer = findPointer(document, unusable);
    const place = pointer === undefined ? '' : `, ${pointer}`;
    const reason = message.startsWith('type must be JSONType')
      ? `"type" must be a type of JSON Schema such as string, but is ${JSON.stringify(unusable.type)}`
      : message;
    return new DocumentError(
      `${document.file} contains a schema that cannot be used${place}: ${reason}.`,
    );
  };
  const takeProblems = createTakeProblems(document);
  return (schema, mark) => {
    let compilers = plain;
    // Of a large document, few of the many schemas are ever needed.
    let validate = ((value) => {
      if (mark) compilers = marked[mark](schema);
      validate = compile(schema, compilers.first);
      return validate(value);
    }) as ValidateFunction;
    let validateAll: ValidateFunction | undefined;
    let isCostly: boolean | undefined;
    return (value, bytes = Number.POSITIVE_INFINITY, at = '') => {
      if (validate(value)) return undefined;
      const isSmall = bytes <= smallJson;
      if (isSmall) isCostly ??= repeatsChoices(document, schema);
      if (!isSmall || isCostly)
        return takeProblems(validate, value, { at, compile: compilers.first });
      validateAll ??= compile(schema, compilers.all);
      validateAll(value);
      return takeProblems(validateAll, value, { at, compile: compilers.all });
    };
  };
}

/** The error of a document that is followed without end, or further than the stack goes. */
function toCircleError({ file, raw }: ApiDocument): DocumentError {
  const pointer = findOwnCircle(raw);
  return new DocumentError(
    pointer === undefined
      ? `${file} is nested too deeply to be used.`
      : `${file} contains itself at #${pointer}, by a YAML alias. Refer to a schema with $ref instead.`,
  );
}
