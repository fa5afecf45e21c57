import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ApiDocument,
  DocumentError,
  type Schema,
} from '../../contracts/description/document.ts';
import { fromToken, toToken } from '../../contracts/description/json-pointer.ts';
import { createFindUnasked, type Mark, type Unasked } from '../../contracts/description/marks.ts';
import { findOwnCircle } from '../../contracts/description/own-circles.ts';
import { createCompileSchemas } from './compile-schemas.ts';
import { findPointer, findUnusableSchema } from './find-unusable-schema.ts';
import { formats as allFormats, describeFormat } from './formats.ts';
import { suitsLazyReferences } from './lazy-references.ts';
import { quote } from './quote.ts';
import { describeRequirement } from './requirements.ts';

/** What is wrong at a place of a value: a JSON pointer (RFC 6901) and a sentence. */
export type Problem = { pointer: string; problem: string };

/**
 * Says what is wrong with a value, or undefined when it fits: the first {@link maxProblems}
 * problems of a value whose JSON is small, and the first one alone of a larger one, or where
 * `bytes` (the length of that JSON) is not given. `at` is where the value itself is, as a pointer.
 */
export type Validate = (value: unknown, bytes?: number, at?: string) => Problem[] | undefined;

/**
 * Compiles schemas of the document, each when it is needed first. That throws a DocumentError where
 * one cannot be compiled, which no schema of a document that was read does. A mark frees of what has
 * it: `readOnly` properties are not required of a request, and `writeOnly` ones not of an answer.
 */
export type CompileSchema = (schema: Schema, mark?: Mark) => Validate;

/** The maximum number of problems listed of one value. */
export const maxProblems = 100;

/**
 * The longest JSON in which all problems are looked for, in bytes, as that may take the square of
 * its length.
 */
const smallJson = 4 * 1024;

/**
 * The maximum number of Ajv errors that problems are made of; each alternative that does not fit
 * gives some.
 */
const maxErrors = 1000;

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
  return (schema, mark) => {
    let compilers = plain;
    // Of a large document, few of the many schemas are ever needed.
    let validate = ((value) => {
      if (mark) compilers = marked[mark](schema);
      validate = compile(schema, compilers.first);
      return validate(value);
    }) as ValidateFunction;
    let validateAll: ValidateFunction | undefined;
    return (value, bytes = Number.POSITIVE_INFINITY, at = '') => {
      if (validate(value)) return undefined;
      if (bytes > smallJson) return takeProblems(validate, value, at);
      validateAll ??= compile(schema, compilers.all);
      validateAll(value);
      return takeProblems(validateAll, value, at);
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

/** The problems that a validator has found in a value, which it refers to no longer. */
function takeProblems(validate: ValidateFunction, value: unknown, at: string): Problem[] {
  const { errors } = validate;
  validate.errors = null;
  const problems = new Map<string, Problem>();
  for (const error of chooseAlternatives(errors?.slice(0, maxErrors) ?? [])) {
    const problem = toSentence(error, value, at);
    if (!problems.has(problem)) problems.set(problem, { pointer: at + pointerOf(error), problem });
    if (problems.size === maxProblems) break;
  }
  return [...problems.values()];
}

/**
 * Of alternatives (oneOf, anyOf) tells what keeps the one from fitting that has the given type or,
 * where none has it, the alternatives themselves. Their errors come right before that of the
 * choice.
 */
function chooseAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const chosen: ErrorObject[] = [];
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (keyword !== 'oneOf' && keyword !== 'anyOf') {
      chosen.push(error);
      continue;
    }
    const isWithin = (other?: ErrorObject) =>
      other !== undefined &&
      (other.instancePath === instancePath || other.instancePath.startsWith(`${instancePath}/`));
    const isOtherType = (other: ErrorObject) =>
      other.instancePath === instancePath && ['type', 'const', 'enum'].includes(other.keyword);
    let from = chosen.length;
    while (isWithin(chosen[from - 1])) from -= 1;
    const within = chosen.splice(from);
    const expected = within.map(expectedBy).join(' or ');
    chosen.push(...within.filter((inner) => !isOtherType(inner)));
    if (within.length === 0) chosen.push(error);
    else if (within.every(isOtherType))
      chosen.push({ ...error, keyword: 'alternatives', message: `must be ${expected}` });
  }
  return chosen;
}

/** What a type, a constant or a list of values lets through, in words. */
function expectedBy({ keyword, params }: ErrorObject): string {
  if (keyword === 'type') return [params.type].flat().map(withArticle).join(' or ');
  if (keyword === 'const') return describeValue(params.allowedValue);
  return keyword === 'enum' ? `one of ${params.allowedValues.map(describeValue).join(', ')}` : '';
}

/**
 * Where a problem is: at the property that is missing or unknown, else at the value that does not
 * fit.
 */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const property: unknown = params.missingProperty ?? params.additionalProperty;
  return property === undefined ? instancePath : `${instancePath}/${toToken(String(property))}`;
}

function toSentence(error: ErrorObject, root: unknown, at: string): string {
  const { keyword, instancePath, params, parentSchema } = error;
  const requirement = describeRequirement(error);
  const place = at + instancePath;
  const where = place === '' ? 'It' : `"${place.slice(1)}"`;
  const got = `but is ${describeValue(valueAt(root, instancePath))}`;
  const known = Object.keys(parentSchema?.properties ?? {});
  switch (keyword) {
    case 'required':
      return `"${`${place}/${params.missingProperty}`.slice(1)}" is required.`;
    case 'additionalProperties':
      return `"${`${place}/${params.additionalProperty}`.slice(1)}" is unknown. Known are ${known.join(', ')}.`;
    case 'minProperties':
      if (parentSchema?.additionalProperties !== false) return `${where} ${requirement}.`;
      return `${where} must have at least ${params.limit} of ${known.join(', ')}.`;
    case 'type':
    case 'const':
    case 'enum':
      return `${where} must be ${expectedBy(error)}, ${got}.`;
    case 'format':
      return `${where} must be ${describeFormat(params.format)}, ${got}.`;
    default:
      return `${where} ${requirement}, ${got}.`;
  }
}

function valueAt(root: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1).map(fromToken);
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
}

/** A value in a few words, for a message. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number' && Math.abs(value) >= 2 ** 53) return 'a number beyond its range';
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

function withArticle(type: string): string {
  return type === 'null' ? 'null' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
