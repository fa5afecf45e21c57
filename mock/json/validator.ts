import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ApiDocument,
  DocumentError,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import {
  createFindUnasked,
  innerSchemas,
  type Mark,
  type Unasked,
} from '../../contracts/description/marks.ts';
import { findOwnCircle } from '../../contracts/description/own-circles.ts';
import { Pattern } from '../../contracts/description/pattern.ts';
import type { RawDocument } from '../../contracts/description/schema.ts';
import { formats as allFormats } from './formats.ts';
import { suitsLazyReferences, useFastUniqueItems, useLazyReferences } from './lazy-references.ts';
import { createTakeProblems, maxProblems, type Problem } from './problems.ts';

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
  const compilersFor = createChooseCompilers(document, formats);
  const plain = compilersFor();
  const compile = (schema: Schema, compileSchema: Compilers['first']): ValidateFunction => {
    try {
      return compileSchema(schema);
    } catch (error) {
      throw toDocumentError(error as Error, schema, { document, compileSchema: plain.first });
    }
  };
  const takeProblems = createTakeProblems(document);
  return (schema, mark) => {
    let compilers = plain;
    // Of a large document, few of the many schemas are ever needed.
    let validate = ((value) => {
      if (mark) compilers = compilersFor({ schema, mark });
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

/** Chooses the compilers of a schema: those that free of what its mark frees of, if anything. */
type ChooseCompilers = (marked?: { schema: Schema; mark: Mark }) => Compilers;

function createChooseCompilers(
  { raw }: ApiDocument,
  formats: NonNullable<Options['formats']>,
): ChooseCompilers {
  const isLazy = suitsLazyReferences(raw);
  const options = {
    strict: false,
    logger: false,
    verbose: true,
    validateSchema: false,
    formats,
    isLazy,
    // Optimizing the code of many schemas takes longer than it ever saves.
    code: { optimize: !isLazy && Object.keys(raw.paths ?? {}).length <= maxOptimized },
  } as const;
  const createCompilers = (unasked?: Unasked): Compilers => {
    let all: Compilers['all'] | undefined;
    return {
      first: createCompileSchemas(raw, options, unasked),
      // Most documents of most processes never meet what does not fit.
      all(schema) {
        all ??= createCompileSchemas(raw, { ...options, allErrors: true }, unasked);
        return all(schema);
      },
    };
  };
  const plain = createCompilers();
  const createMarked = (mark: Mark) => {
    const findUnasked = createFindUnasked(raw, mark);
    let compilers: Compilers | undefined;
    return (schema: Schema): Compilers => {
      const unasked = findUnasked(schema);
      if (unasked.size === 0) return plain;
      compilers ??= createCompilers(unasked);
      return compilers;
    };
  };
  const marked = { readOnly: createMarked('readOnly'), writeOnly: createMarked('writeOnly') };
  return (given) => (given ? marked[given.mark](given.schema) : plain);
}

/** What to say of a schema that cannot be compiled. */
function toDocumentError(
  error: Error,
  schema: Schema,
  { document, compileSchema }: { document: ApiDocument; compileSchema: Compilers['first'] },
): DocumentError {
  if (error instanceof RangeError) return toCircleError(document);
  const isUsable = (inner: Schema) => {
    try {
      return Boolean(compileSchema(inner));
    } catch {
      return false;
    }
  };
  const unusable = findUnusableSchema(document, schema, isUsable);
  const pointer = findPointer(document, unusable);
  const place = pointer === undefined ? '' : `, ${pointer}`;
  const reason = error.message.startsWith('type must be JSONType')
    ? `"type" must be a type of JSON Schema such as string, but is ${JSON.stringify(unusable.type)}`
    : error.message;
  return new DocumentError(
    `${document.file} contains a schema that cannot be used${place}: ${reason}.`,
  );
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

const root = 'document:/';

const regExp = Object.assign((source: string) => new Pattern(source), { code: 'new RegExp' });

type CompileSchemasOptions = Options & {
  /** Whether what a schema refers to is compiled when a value gets there, not before. */
  isLazy: boolean;
};

/**
 * Makes what compiles schemas as parts of a document, with whatever they refer to in it. What
 * several of them refer to is compiled once. `unasked` frees of what schemas require. Throws what
 * Ajv throws.
 */
function createCompileSchemas(
  raw: RawDocument,
  { isLazy, ...options }: CompileSchemasOptions,
  unasked?: Unasked,
): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ ...options, code: { ...options.code, regExp } });
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

/** The innermost schema of a schema, `$ref`s followed, that cannot be used by itself. */
function findUnusableSchema(
  document: ApiDocument,
  schema: Schema,
  isUsable: (schema: Schema) => boolean,
): Schema {
  const seen = new Set<Schema>();
  let found = schema;
  for (let next: Schema | undefined = schema; next; ) {
    found = next;
    seen.add(found);
    next = partsOf(document, found).find((inner) => !seen.has(inner) && !isUsable(inner));
  }
  return found;
}

function partsOf(document: ApiDocument, schema: Schema): Schema[] {
  const target = typeof schema.$ref === 'string' ? [resolveSchema(document, schema)] : [];
  return [...target, ...innerSchemas(schema)];
}

/** The JSON pointer of a node of a document; undefined for one that is not part of it. */
function findPointer({ raw }: ApiDocument, node: unknown): string | undefined {
  const seen = new Set<unknown>();
  const search = (place: unknown, pointer: string): string | undefined => {
    if (place === node) return pointer;
    if (typeof place !== 'object' || place === null || seen.has(place)) return undefined;
    seen.add(place);
    for (const [key, inner] of Object.entries(place)) {
      const found = search(inner, `${pointer}/${toToken(key)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(raw, '#');
}

/** A schema on the way of the search: when it was found, and the first that it leads back to. */
type Visit = { at: number; back: number; isOpen: boolean; inner: Schema[]; next: number };

/**
 * Whether a schema leads to alternatives (oneOf, anyOf) of which two lead back to them: to look for
 * all that is wrong then takes twice as long with each level of a value. Finds what leads to itself
 * as Tarjan does.
 */
function repeatsChoices(document: ApiDocument, root: Schema): boolean {
  const visits = new Map<Schema, Visit>();
  const stack: Schema[] = [];
  const path: Schema[] = [];
  const enter = (schema: Schema) => {
    const at = visits.size;
    visits.set(schema, { at, back: at, isOpen: true, inner: partsOf(document, schema), next: 0 });
    stack.push(schema);
    path.push(schema);
  };
  enter(root);
  for (let schema = path.at(-1); schema; schema = path.at(-1)) {
    const visit = visits.get(schema) as Visit;
    const inner = visit.inner[visit.next++];
    if (inner) {
      const known = visits.get(inner);
      if (!known) enter(inner);
      else if (known.isOpen) visit.back = Math.min(visit.back, known.at);
      continue;
    }
    path.pop();
    const above = visits.get(path.at(-1) as Schema);
    if (above) above.back = Math.min(above.back, visit.back);
    if (visit.back < visit.at) continue;
    const circle = new Set(stack.splice(stack.indexOf(schema)));
    for (const one of circle) (visits.get(one) as Visit).isOpen = false;
    for (const { oneOf, anyOf } of circle)
      for (const alternatives of [oneOf, anyOf])
        if (Array.isArray(alternatives) && alternatives.filter((one) => circle.has(one)).length > 1)
          return true;
  }
  return false;
}
