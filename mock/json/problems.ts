import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ApiDocument,
  describeSchema,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';
import { fromToken, toToken } from '../../contracts/description/json-pointer.ts';
import { describeFormat } from './formats.ts';
import { oncePer } from './once-per.ts';
import { quote } from './quote.ts';
import { describeRequirement } from './requirements.ts';

/** What is wrong at a place of a value: a JSON pointer (RFC 6901) and a sentence. */
export type Problem = { pointer: string; problem: string };

/** The maximum number of problems listed of one value. */
export const maxProblems = 100;

/**
 * The maximum number of Ajv errors that problems are made of; each alternative that does not fit
 * gives some.
 */
const maxErrors = 1000;

type Compile = (schema: Schema) => ValidateFunction;

/**
 * Takes the problems that a validator has found in a value, which it refers to no longer. `at` is
 * where the value is, as a pointer, and `compile` what compiled its schema.
 */
type TakeProblems = (
  validate: ValidateFunction,
  value: unknown,
  options: { at: string; compile: Compile },
) => Problem[];

/** Makes what takes the problems that validators of a document have found. */
export function createTakeProblems(document: ApiDocument): TakeProblems {
  const discriminatorOf = oncePer((schema: Schema) => readDiscriminator(document, schema));
  const compiledBy = oncePer((compile: Compile) => oncePer(compile));
  const takeProblems: TakeProblems = (validate, value, { at, compile }) => {
    /** The problems of the alternative that an object names, and the sentences about any of them. */
    const judge: JudgeNamed = ({ instancePath, parentSchema }) => {
      const found = parentSchema && discriminatorOf(parentSchema);
      const inner = found && valueAt(value, instancePath);
      if (!found || typeof inner !== 'object' || inner === null || Array.isArray(inner))
        return undefined;
      const { property, alternatives } = found;
      const place = at + instancePath;
      const name = (inner as Readonly<Record<string, unknown>>)[property];
      const meant = alternatives.filter(({ names }) => names.includes(name));
      const told = new Set<string>();
      let problems: Problem[] = [];
      for (const { schema, names } of alternatives) {
        const validateOne = compiledBy(compile)(schema);
        if (validateOne(inner)) continue;
        for (const error of takeErrors(validateOne)) told.add(toSentence(error, inner, place));
        if (meant.length !== 1 || !names.includes(name)) continue;
        validateOne(inner);
        problems = takeProblems(validateOne, inner, { at: place, compile });
      }
      if (meant.length === 0) {
        const known = alternatives.flatMap(({ names }) => names).map(describeValue);
        const pointer = `${place}/${toToken(property)}`;
        const expected = `must be one of ${known.join(', ')}, but is ${describeValue(name)}`;
        problems = [{ pointer, problem: `"${pointer.slice(1)}" ${expected}.` }];
      }
      return problems.length > 0 ? { problems, told } : undefined;
    };
    const errors = chooseNamed(takeErrors(validate), judge, (error) =>
      toSentence(error, value, at),
    );
    const problems = new Map<string, Problem>();
    for (const error of chooseAlternatives(errors)) {
      const own = { pointer: at + pointerOf(error), problem: '' };
      const found: Problem[] =
        error.keyword === named
          ? error.params.problems
          : [{ ...own, problem: toSentence(error, value, at) }];
      for (const one of found)
        if (problems.size < maxProblems && !problems.has(one.problem))
          problems.set(one.problem, one);
    }
    return [...problems.values()];
  };
  return takeProblems;
}

function takeErrors(validate: ValidateFunction): ErrorObject[] {
  const { errors } = validate;
  validate.errors = null;
  return errors?.slice(0, maxErrors) ?? [];
}

/** What is put in the place of the errors of alternatives of which an object names one. */
const named = 'named alternative';

type JudgeNamed = (
  error: ErrorObject,
) => { problems: Problem[]; told: ReadonlySet<string> } | undefined;

/**
 * Puts the problems of the alternative that an object names, by its discriminator, in the place of
 * those of all. The outermost comes first, so that nothing is gone through for each level again.
 */
function chooseNamed(
  errors: readonly ErrorObject[],
  judge: JudgeNamed,
  toSentence: (error: ErrorObject) => string,
): ErrorObject[] {
  const chosen: ErrorObject[] = [];
  for (let last = errors.length - 1; last >= 0; last--) {
    const error = errors[last] as ErrorObject;
    const judged = isChoice(error) ? judge(error) : undefined;
    chosen.unshift(
      judged ? { ...error, keyword: named, params: { problems: judged.problems } } : error,
    );
    for (; judged && isWithin(error, errors[last - 1]); last--) {
      const other = errors[last - 1] as ErrorObject;
      if (!judged.told.has(toSentence(other))) chosen.unshift(other);
    }
  }
  return chosen;
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf';
}

/** Whether an error is about the value that another is about, or about a part of it. */
function isWithin({ instancePath }: ErrorObject, other?: ErrorObject): boolean {
  return (
    other !== undefined &&
    (other.instancePath === instancePath || other.instancePath.startsWith(`${instancePath}/`))
  );
}

/**
 * Of alternatives (oneOf, anyOf) tells what keeps the one from fitting that has the given type or,
 * where none has it, the alternatives themselves. Their errors come right before that of the
 * choice.
 */
function chooseAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const chosen: ErrorObject[] = [];
  for (const error of errors) {
    const { instancePath } = error;
    if (!isChoice(error)) {
      chosen.push(error);
      continue;
    }
    const isOtherType = (other: ErrorObject) =>
      other.instancePath === instancePath && ['type', 'const', 'enum'].includes(other.keyword);
    let from = chosen.length;
    while (isWithin(error, chosen[from - 1])) from -= 1;
    const within = chosen.splice(from);
    const expected = [...new Set(within.map(expectedBy))].join(' or ');
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

/** The property of an object that names the one of several schemas that it is meant for. */
type Discriminator = {
  property: string;
  alternatives: readonly { schema: Schema; names: readonly unknown[] }[];
};

/** The discriminator of a schema with alternatives (oneOf, anyOf); undefined where it has none. */
function readDiscriminator(
  document: ApiDocument,
  { discriminator, oneOf, anyOf = oneOf }: Schema,
): Discriminator | undefined {
  const { propertyName, mapping = {} } = (discriminator ?? {}) as Schema;
  if (typeof propertyName !== 'string' || !Array.isArray(anyOf)) return undefined;
  const alternatives = anyOf.map((schema: Schema) => ({
    schema,
    names: namesOf(document, schema, { propertyName, mapping: (mapping ?? {}) as Schema }),
  }));
  return { property: propertyName, alternatives };
}

/** The values that stand for an alternative: those that it takes, else what the document calls it. */
function namesOf(
  document: ApiDocument,
  schema: Schema,
  { propertyName, mapping }: { propertyName: string; mapping: Schema },
): unknown[] {
  const property = describeSchema(document, schema).properties[propertyName];
  const { const: only, enum: several } = property ? resolveSchema(document, property) : {};
  if (only !== undefined) return [only];
  if (Array.isArray(several)) return several;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return [];
  const last = $ref.split('/').at(-1);
  const mapped = Object.keys(mapping).filter((name) =>
    [$ref, last].includes(mapping[name] as string),
  );
  return mapped.length > 0 ? mapped : [last];
}
