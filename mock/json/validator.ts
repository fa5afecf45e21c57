import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import { DocumentError } from '../../common/cli/usage-error.ts';
import { once, oncePer } from '../../common/once-per.ts';
import { Pattern } from '../../common/pattern.ts';
import type { Api, Mark, Schema, UnaskedProperties } from '../../openapi/index.ts';
import { toDoubles } from './exact-json.ts';
import { formats as allFormats } from './formats.ts';
import { createJudgeFit } from './judge-fit.ts';
import { useOwnKeywords, useShapesAlone } from './own-keywords.ts';
import { maxErrors, maxProblems, type Problem, takeProblems } from './problems.ts';

export type { Problem } from './problems.ts';

// Loaded when the first schema is compiled.
const require = createRequire(import.meta.url);

/**
 * Says what is wrong with a value, or undefined when it fits: the first {@link maxProblems}
 * problems of a value whose JSON is small and not deep, and the first one alone of another, or where
 * `bytes` (the length of that JSON) is not given. `at` is where the value itself is, as a pointer.
 */
export type Validate = (value: unknown, bytes?: number, at?: string) => Problem[] | undefined;

/**
 * Compiles schemas of the document, each when it is needed first. That throws a DocumentError where
 * one cannot be compiled, which no schema of a document that was read does. A mark frees of what has
 * it: `readOnly` properties are not required of a request, and `writeOnly` ones not of an answer.
 */
export type CompileSchema = (schema: Schema, mark?: Mark) => Validate;

/**
 * The longest JSON in which all problems are looked for, in bytes, and how deep it may be: that may
 * take the square of its length, and twice as long with each level of alternatives.
 */
const smallJson = 4 * 1024;
const smallDepth = 10;

const problemsShown = 5;

/** The number of fitting values that are checked before their schema is compiled. */
const maxUncompiled = 200;

/** Up to how many paths a document is compiled with optimization, which takes as long again. */
const maxOptimized = 100;

/**
 * Compiles schemas: `first` validators stop at the first problem, `all` validators find all
 * problems.
 */
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

/**
 * The compiler of a document: the same one for all twins of a process that serve it, as tests start
 * one after another.
 */
export const compilerOf = oncePer((document: Api) => createSchemaCompiler(document));

/** The compiler of a document that judges types and members, and not the bounds of values. */
export const looseCompilerOf = oncePer((document: Api) =>
  createSchemaCompiler(document, { hasBounds: false }),
);

/**
 * Whether a value fits a schema of answers, or one with another mark; true for values that cannot
 * be checked.
 */
export function fits(document: Api, schema: Schema, value: unknown, mark?: Mark): boolean {
  return createFits(document, schema, mark)(value);
}

/** Creates the check of {@link fits} for one schema, which is compiled at first need. */
export function createFits(document: Api, schema: Schema, mark: Mark = 'writeOnly') {
  const judge = createJudgeFit(document, schema);
  let validate: Validate | undefined;
  let judged = 0;
  return (value: unknown = null): boolean => {
    try {
      const verdict = judged++ < maxUncompiled ? judge(toDoubles(value)) : undefined;
      if (verdict !== undefined) return verdict;
      validate ??= compilerOf(document)(schema, mark);
      return !validate(value);
    } catch {
      return true;
    }
  };
}

/**
 * Creates a compiler of the document's schemas, each compiled once. Unknown formats are ignored, and
 * all bounds of values unless the compiler `hasBounds`.
 */
export function createSchemaCompiler(
  document: Api,
  { formats = allFormats, hasBounds = true } = {},
): CompileSchema {
  const compilersFor = createChooseCompilers(document, { formats, hasBounds });
  const plain = compilersFor();
  const compile = (schema: Schema, compileSchema: Compilers['first']): ValidateFunction => {
    try {
      return compileSchema(schema);
    } catch (error) {
      throw new DocumentError(
        `${document.file} contains a schema that cannot be used: ${(error as Error).message}.`,
      );
    }
  };
  const createValidate = (schema: Schema, mark?: Mark): Validate => {
    let compilers = plain;
    const judge = createJudgeFit(document, schema);
    let seen = 0;
    // Of a large document, few of the many schemas are ever needed.
    let validate = ((value) => {
      if (seen++ < maxUncompiled && judge(value)) return true;
      if (mark) compilers = compilersFor({ schema, mark });
      validate = compile(schema, compilers.first);
      return validate(value);
    }) as ValidateFunction;
    const all = once(() => compile(schema, compilers.all));
    return (exact, bytes = Number.POSITIVE_INFINITY, at = '') => {
      const value = toDoubles(exact);
      if (validate(value)) return undefined;
      if (bytes > smallJson || !isWithin(value, smallDepth))
        return takeProblems(validate, value, at);
      all()(value);
      return takeProblems(all(), value, at);
    };
  };
  const plainly = oncePer((schema: Schema) => createValidate(schema));
  const marked = {
    readOnly: oncePer((schema: Schema) => createValidate(schema, 'readOnly')),
    writeOnly: oncePer((schema: Schema) => createValidate(schema, 'writeOnly')),
  };
  return (schema, mark) => (mark ? marked[mark] : plainly)(schema);
}

/** Chooses the compilers of a schema: those that free of what its mark frees of, if anything. */
type ChooseCompilers = (marked?: { schema: Schema; mark: Mark }) => Compilers;

const fixed = {
  strict: false,
  logger: false,
  verbose: true,
  validateSchema: false,
  // Else every object has a "constructor".
  ownProperties: true,
} as const;

function createChooseCompilers(
  document: Api,
  own: Pick<CompileSchemasOptions, 'hasBounds'> & { formats: NonNullable<Options['formats']> },
): ChooseCompilers {
  const { schemas, asOpenApi, suitsLazyReferences: isLazy } = document;
  const toOptions = once(() => {
    // Optimizing the code of many schemas takes longer than it ever saves.
    const optimize = !isLazy && Object.keys(asOpenApi().paths ?? {}).length <= maxOptimized;
    return { ...fixed, ...own, isLazy, code: { optimize } };
  });
  const createLate = (
    unasked: UnaskedProperties | undefined,
    others: Options,
  ): Compilers['first'] => {
    const compile = once(() =>
      createCompileSchemas(document, { ...toOptions(), ...others }, unasked),
    );
    return (schema) => compile()(schema);
  };
  const createCompilers = (unasked?: UnaskedProperties): Compilers => ({
    first: createLate(unasked, {}),
    all: createLate(unasked, { allErrors: true }),
  });
  const plain = createCompilers();
  const createMarked = (mark: Mark) => {
    const findUnasked = schemas.createFindUnasked(mark);
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

const root = 'document:/';

const regExp = Object.assign((source: string) => new Pattern(source), { code: 'new RegExp' });

type CompileSchemasOptions = Options & {
  /** Whether references of schemas are compiled at first use. */
  isLazy: boolean;
  /** Whether values are held to their bounds, and to one alternative alone. */
  hasBounds: boolean;
};

/**
 * Creates a compiler of schemas as parts of the document, so that references work. Schemas that
 * several refer to are compiled once. `unasked` names properties that are not required. Throws the
 * errors of Ajv.
 */
function createCompileSchemas(
  document: Api,
  { isLazy, hasBounds, ...options }: CompileSchemasOptions,
  unasked?: UnaskedProperties,
): (schema: Schema) => ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ ...options, code: { ...options.code, regExp } });
  const { exact, asOpenApi } = document;
  useOwnKeywords(ajv, exact.of);
  if (!hasBounds) useShapesAlone(ajv);
  if (isLazy) useLazyReferences(ajv, (ref) => compile(ref));
  if (unasked) freeOf(ajv, unasked);
  const given: Schema[] = [];
  // Ajv looks for ids in every enumerable part of what is added, which takes seconds in a large
  // document, and takes an "$id" inside an example for one.
  const hidden = Object.entries({ ...asOpenApi(), given }).map(([key, value]) => [key, { value }]);
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
function freeOf(ajv: Ajv2020, unasked: UnaskedProperties): void {
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

/** Whether arrays and objects lie at most some levels deep in a value. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

/**
 * Makes Ajv compile a referenced schema when a value first reaches it. Each part of a value is
 * validated once, as shared alternatives would multiply with each level.
 */
function useLazyReferences(
  ajv: Ajv2020,
  compileReference: ($ref: string) => ValidateFunction,
): void {
  const known = new Map<string, ValidateFunction>();
  const found = new Map<string, { value: unknown; errors: readonly ErrorObject[] }>();
  let depth = 0;
  ajv.removeKeyword('$ref');
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    compile($ref: string) {
      const look = (value: unknown, place?: DataValidationCxt): readonly ErrorObject[] => {
        const validate = known.get($ref) ?? compileReference($ref);
        known.set($ref, validate);
        depth += 1;
        try {
          return validate(value, place) ? [] : (validate.errors ?? []).slice(0, maxErrors);
        } finally {
          depth -= 1;
        }
      };
      const followed: DataValidateFunction = (value: unknown, place?: DataValidationCxt) => {
        const at = `${$ref} ${place?.instancePath}`;
        const before = found.get(at);
        // The names of properties have the place of their object.
        const errors = before && before.value === value ? before.errors : look(value, place);
        found.set(at, { value, errors });
        if (depth === 0) found.clear();
        followed.errors = [...errors];
        return errors.length === 0;
      };
      return followed;
    },
  });
}
