import { isObject, isSame, typeOf } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import type { Schema } from '../schema.ts';
import type { Make } from './make-options.ts';

/** The bound beyond each: what has no length up to 4 has one from 5 on. */
const beyond: Readonly<Record<string, readonly [keyword: string, step: number]>> = {
  maximum: ['exclusiveMinimum', 0],
  minimum: ['exclusiveMaximum', 0],
  exclusiveMaximum: ['minimum', 0],
  exclusiveMinimum: ['maximum', 0],
  ...Object.fromEntries(
    ['Length', 'Items', 'Properties'].flatMap((of) => [
      [`max${of}`, [`min${of}`, 1]],
      [`min${of}`, [`max${of}`, -1]],
    ]),
  ),
};

/** Returns a schema with the bound that values have if `not` excludes those within another one. */
export function withExcludedBound(schema: Schema): Schema {
  const excluded = isObject(schema.not) ? Object.entries(schema.not) : [];
  const [[name = '', value] = [], ...others] = excluded.filter(([keyword]) => keyword !== 'type');
  const [keyword, step] = beyond[name] ?? [];
  if (!keyword || others.length > 0 || typeof value !== 'number') return schema;
  const choose = /min/i.test(keyword) ? Math.max : Math.min;
  const bound = value + Number(step);
  return { ...schema, [keyword]: choose(bound, Number(schema[keyword] ?? bound)) };
}

/** How often another value is made in the place of one that `not` excludes. */
const maxTries = 50;

/** Creates a maker of values that `not` does not exclude, as far as they are no objects and lists. */
export function withoutExcluded(make: Make, not: unknown): Make {
  if (!isObject(not)) return make;
  return (faker) => {
    let value = make(faker);
    for (let times = 0; times < maxTries && isWithin(not, value); times++) value = make(faker);
    return value;
  };
}

/** Whether a value is known to fit a schema. */
export function isWithin(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([keyword, asked]) => tests[keyword]?.(value, asked));
}

type Test = (value: unknown, asked: unknown) => boolean;

const ofNumbers =
  (test: (value: number, asked: number) => boolean): Test =>
  (value, asked) =>
    typeof value !== 'number' || test(value, Number(asked));

const ofTexts =
  (test: (value: string, asked: string | number) => boolean): Test =>
  (value, asked) =>
    typeof value !== 'string' || test(value, asked as string | number);

const tests: Readonly<Record<string, Test>> = {
  const: isSame,
  enum: (value, asked) => [asked].flat().some((one) => isSame(one, value)),
  type: (value, asked) => [asked].flat().some((one) => isOfType(value, one)),
  anyOf: (value, asked) => [asked].flat().some((one) => isWithin(one, value)),
  allOf: (value, asked) => [asked].flat().every((one) => isWithin(one, value)),
  maximum: ofNumbers((value, asked) => value <= asked),
  minimum: ofNumbers((value, asked) => value >= asked),
  exclusiveMaximum: ofNumbers((value, asked) => value < asked),
  exclusiveMinimum: ofNumbers((value, asked) => value > asked),
  multipleOf: ofNumbers((value, asked) => Number.isInteger(value / asked)),
  maxLength: ofTexts((value, asked) => value.length <= Number(asked)),
  minLength: ofTexts((value, asked) => value.length >= Number(asked)),
  pattern: ofTexts((value, asked) => new Pattern(String(asked)).test(value)),
};

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}
