import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { fromToken, toToken } from '../../common/json-pointer.ts';
import { toTag } from '../../openapi/values/plain-schema.ts';
import { describeFormat } from './formats.ts';
import { quote } from './quote.ts';

/** Describes a problem of a value: a JSON pointer (RFC 6901) to the part, and a sentence. */
export type Problem = { pointer: string; problem: string };

/** The maximum number of problems listed of one value. */
export const maxProblems = 100;

/**
 * The maximum number of Ajv errors that problems are made of; each alternative that does not fit
 * gives some.
 */
export const maxErrors = 1000;

/**
 * Takes the problems that a validator has found in a value, which it refers to no longer. `at` is
 * where the value is, as a pointer.
 */
export function takeProblems(validate: ValidateFunction, value: unknown, at: string): Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of chooseAlternatives(takeErrors(validate))) {
    const problem = toSentence(error, value, at);
    if (problems.size < maxProblems && !problems.has(problem))
      problems.set(problem, { pointer: at + pointerOf(error), problem });
  }
  return [...problems.values()];
}

function takeErrors(validate: ValidateFunction): ErrorObject[] {
  const { errors } = validate;
  validate.errors = null;
  return errors?.slice(0, maxErrors) ?? [];
}

/** Whether another error is about the value of an error, or a part of that value. */
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
    // The errors of its branch come before it.
    if (error.keyword === 'if' || error.keyword === 'discriminator') continue;
    if (error.keyword !== 'oneOf' && error.keyword !== 'anyOf') {
      chosen.push(error);
      continue;
    }
    const isOtherType = (other: ErrorObject) =>
      other.instancePath === instancePath && ['type', 'const', 'enum'].includes(other.keyword);
    let from = chosen.length;
    while (isWithin(error, chosen[from - 1])) from -= 1;
    const within = withoutRuledOut(withoutOthers(chosen.splice(from), error), instancePath);
    const expected = [...new Set(within.map(expectedBy))].join(' or ');
    chosen.push(...within.filter((inner) => !isOtherType(inner)));
    if (within.length === 0) chosen.push(error);
    else if (within.every(isOtherType))
      chosen.push({ ...error, keyword: 'alternatives', message: `must be ${expected}` });
  }
  return chosen;
}

/** Leaves out the errors of alternatives that the discriminator of a choice does not name. */
function withoutOthers(
  within: ErrorObject[],
  { keyword, schemaPath: path, parentSchema = {}, data }: ErrorObject,
): ErrorObject[] {
  const refs: string[] = parentSchema[keyword].map((one: { $ref?: string }) => one.$ref ?? 'none');
  const isNamed = (ref: string) => {
    const tag = toTag(parentSchema, ref, true);
    return tag !== undefined && (data as Record<string, unknown> | null)?.[tag.name] === tag.value;
  };
  if (refs.filter(isNamed).length !== 1) return within;
  const isOfOther = ({ schemaPath: at }: ErrorObject) =>
    refs.some(
      (ref, index) =>
        !isNamed(ref) && (at.includes(`${ref}/`) || at.startsWith(`${path}/${index}/`)),
    );
  return within.filter((one) => !isOfOther(one));
}

/**
 * Leaves out the errors of alternatives that a constant member of the value rules out, such as its
 * kind. Where that rules out all of them, the member alone is wrong.
 */
function withoutRuledOut(within: ErrorObject[], instancePath: string): ErrorObject[] {
  const isNaming = ({ keyword, params, instancePath: at }: ErrorObject) =>
    at.slice(0, at.lastIndexOf('/')) === instancePath &&
    at !== instancePath &&
    (keyword === 'const' || (keyword === 'enum' && params.allowedValues.length === 1));
  const naming = within.filter(isNaming);
  const [first] = naming;
  const roots = naming.map(({ schemaPath }) =>
    schemaPath.replace(/(\/allOf\/\d+)*\/properties\/[^/]+\/(const|enum)$/, '/'),
  );
  const rest = within.filter(
    ({ schemaPath }) => !roots.some((root) => schemaPath.startsWith(root)),
  );
  if (!first || rest.length > 0) return rest;
  if (naming.some((one) => one.instancePath !== first.instancePath)) return within;
  const expected = [...new Set(naming.map(expectedBy))].join(' or ');
  return [{ ...first, keyword: 'alternatives', message: `must be ${expected}` }];
}

/** Returns the values that a type, a constant or an enum allows, in words. */
function expectedBy({ keyword, params }: ErrorObject): string {
  if (keyword === 'type') return [params.type].flat().map(withArticle).join(' or ');
  if (keyword === 'const') return describeValue(params.allowedValue);
  return keyword === 'enum' ? `one of ${params.allowedValues.map(describeValue).join(', ')}` : '';
}

/** Returns the pointer of a problem: to the missing or unknown property, else to the value. */
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

/** Returns the requirement of a keyword that a value breaks, in words. */
function describeRequirement({ keyword, params, message, schema }: ErrorObject): string {
  const { limit } = params;
  const count = (noun: string, plural = `${noun}s`) => `${limit} ${limit === 1 ? noun : plural}`;
  switch (keyword) {
    case 'minLength':
      return `must have at least ${count('character')}`;
    case 'maxLength':
      return `must have at most ${count('character')}`;
    case 'minItems':
      return `must have at least ${count('item')}`;
    case 'maxItems':
      return `must have at most ${count('item')}`;
    case 'minProperties':
      return `must have at least ${count('property', 'properties')}`;
    case 'maxProperties':
      return `must have at most ${count('property', 'properties')}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${schema}`;
    case 'pattern':
      return `must match the pattern ${params.pattern}`;
    case 'unevaluatedProperties':
      return `must not have the property "${params.unevaluatedProperty}"`;
    default:
      return message ?? `must match "${keyword}"`;
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
