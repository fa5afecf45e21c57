import { isObject } from '../../common/json.ts';
import { each } from '../../common/words.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { toTag } from '../../openapi/values/plain-schema.ts';
import { isInt64 } from './exact-json.ts';
import { keepsFormat } from './formats.ts';

/** Whether a value fits; undefined if that is not plain to see. */
type Verdict = boolean | undefined;

type Within = {
  schema: Schema;
  look: (part: Schema, inner: unknown) => Verdict;
  isMarked: (part: Schema) => boolean;
};

/** Judges a value by a keyword of a schema. */
type Judge = (value: unknown, keyword: unknown, within: Within) => Verdict;

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
};

const isOfType = (value: unknown, type: unknown) => types[type as string]?.(value) ?? false;

const fitsAnything: Judge = () => true;

const keywords: Readonly<Record<string, Judge>> = {
  ...each('title description example examples default deprecated discriminator', fitsAnything),
  type: (value, type) => [type].flat().some((one) => isOfType(value, one)),
  format: (value, format) => {
    if (typeof value === 'number') return (format === 'int64' && isInt64(value)) || undefined;
    const keeps = typeof value === 'string' && keepsFormat(value, String(format));
    return value === null || keeps || undefined;
  },
  enum: (value, values) =>
    typeof value === 'string' ? (values as unknown[]).includes(value) : undefined,
  maxLength: (value, max) => typeof value !== 'string' || value.length <= Number(max) || undefined,
  required: (value, names, { schema: { properties = {} }, isMarked }) => {
    if (!isObject(value)) return undefined;
    const missing = (names as string[]).filter((name) => !Object.hasOwn(value, name));
    if (missing.length === 0) return true;
    // A mark may free of what is missing.
    const isAsked = (part?: Schema) => part !== undefined && !isMarked(part);
    const described = properties as Record<string, Schema>;
    return missing.some((name) => isAsked(described[name])) ? false : undefined;
  },
  properties: (value, properties, { look }) =>
    isObject(value)
      ? judgeAll(Object.entries(properties as Record<string, Schema>), ([name, part]) =>
          Object.hasOwn(value, name) ? look(part, value[name]) : true,
        )
      : undefined,
  additionalProperties: (value, others, { schema: { properties = {}, patternProperties } }) => {
    if (others === true) return true;
    if (others !== false || !isObject(value) || patternProperties !== undefined) return undefined;
    return Object.keys(value).every((name) => Object.hasOwn(properties as object, name));
  },
  items: (value, part, { look, schema: { prefixItems } }) => {
    if (!Array.isArray(value)) return undefined;
    const others = value.slice(Array.isArray(prefixItems) ? prefixItems.length : 0);
    return judgeAll(others, (item) => look(part as Schema, item));
  },
  allOf: (value, parts, { look }) => judgeAll(parts as Schema[], (part) => look(part, value)),
  anyOf: (value, parts, within) => {
    const { look, schema } = within;
    if (schema.discriminator !== undefined) return judgeNamed(value, parts as Schema[], within);
    const verdicts = (parts as Schema[]).map((part) => look(part, value));
    return verdicts.includes(true) || (verdicts.includes(undefined) ? undefined : false);
  },
  oneOf: (value, parts, within) => {
    const { look, schema } = within;
    if (schema.discriminator !== undefined) return judgeNamed(value, parts as Schema[], within);
    const verdicts = (parts as Schema[]).map((part) => look(part, value));
    const fitting = verdicts.filter((verdict) => verdict === true).length;
    if (fitting > 1) return false;
    return verdicts.includes(undefined) ? undefined : fitting === 1;
  },
};

/** Judges by the alternative that a discriminator names, which decides alone, or by the only one that fits. */
function judgeNamed(value: unknown, parts: readonly Schema[], { look, schema }: Within): Verdict {
  const named = parts.filter(({ $ref }) => {
    const tag = toTag(schema, $ref, true);
    return tag && isObject(value) && value[tag.name] === tag.value;
  });
  if (named.length > 0) return judgeAll(named, (part) => look(part, value));
  const verdicts = parts.map((part) => look(part, value));
  const fitting = verdicts.filter((verdict) => verdict === true).length;
  return verdicts.includes(undefined) || fitting > 1 ? undefined : fitting === 1;
}

function judgeAll<One>(all: readonly One[], judge: (one: One) => Verdict): Verdict {
  let verdict: Verdict = true;
  for (const one of all) {
    const own = judge(one);
    if (own === false) return false;
    if (own === undefined) verdict = undefined;
  }
  return verdict;
}

/** How deep it looks. */
const maxDepth = 10;

/**
 * Creates the judgement whether values fit a schema, without a validator: loading and compiling one
 * would delay the first answer most.
 */
export function createJudgeFit(document: Api, schema: Schema): (value: unknown) => Verdict {
  const { isMarked: isMarkedAs, resolve } = document.schemas;
  const isMarked = (part: Schema) => isMarkedAs(part, 'readOnly') || isMarkedAs(part, 'writeOnly');
  const judge = (part: Schema, value: unknown, depth: number): Verdict => {
    if (depth > maxDepth) return undefined;
    const look: Within['look'] = (inner, one) => judge(inner, one, depth + 1);
    const within: Within = { schema: part, look, isMarked };
    return judgeAll(Object.entries(part), ([name, keyword]) => {
      if (name.startsWith('x-')) return true;
      if (name === '$ref') return look(resolve({ $ref: keyword }), value);
      return keywords[name]?.(value, keyword, within);
    });
  };
  let target: Schema | undefined;
  return (value) => judge((target ??= resolve(schema)), value, target === schema ? 0 : 1);
}
