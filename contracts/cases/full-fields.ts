import type { Api } from '../../openapi/index.ts';
import { type BodyPlan, isClearIn, validFields } from './bodies.ts';
import type { Fields } from './body-parts.ts';
import { exampleValue, flagOf, isFlag, withItem } from './example-value.ts';
import { holdsNumber, partValue } from './fresh-value.ts';
import { isSecret } from './made-secrets.ts';
import { withOwnItems } from './references.ts';

type Property = BodyPlan['properties'][number];

/** Names of properties that may hide an item or prevent its changes. */
export const harmful = /archiv|ban|close|delet|disabl|final|hid|inactiv|lock|remov|suspen/i;

/**
 * Bodies of a create: one with as many fields as can be set, and for a deployment that refuses one the
 * next: without the lists and objects, which may name what is not there, and what is required alone.
 */
export function fullBodies(document: Api, plan: BodyPlan, marker: string): Fields[] {
  const required = validFields(plan, marker);
  const optional = plan.properties.filter(({ name }) => !(name in required));
  const more = optional
    .map((one) => [one.name, optionalValue(document, plan, one, marker)] as const)
    .filter(([, value]) => value !== undefined);
  const flat = more.filter(([, value]) => typeof value !== 'object');
  return [more, flat, []]
    .filter(({ length }, index, all) => length !== all[index - 1]?.length)
    .map((fields) => ({ ...required, ...Object.fromEntries(fields) }));
}

/** A value of an optional property that differs from its default; undefined where none is known. */
function optionalValue(
  document: Api,
  plan: BodyPlan,
  { name, schema, isNaming }: Property,
  marker: string,
): unknown {
  const { type, enum: values, default: byDefault, format, pattern, maxLength } = schema;
  if (schema.deprecated === true || harmful.test(name)) return undefined;
  // An item of others would be named.
  if (isNaming) return undefined;
  const isHarmless = (value: unknown) => value !== byDefault && !harmful.test(String(value));
  if (isFlag(schema)) return byDefault === undefined ? flagOf(schema) : undefined;
  if (Array.isArray(values))
    return values.find((value) => value !== null && value !== '' && isHarmless(value));
  const [example = {}] = Object.values(plan.examples);
  const shown = example[name] ?? exampleValue(document, withItem(document, schema), name);
  const value = withOwnItems(document, undefined, { schema, value: shown, name });
  // A whole number may name an item of others; none has the id 0, which servers may read here.
  const isWhole = typeof value === 'bigint' || Number.isInteger(value) || holdsNumber(value);
  if (isWhole) return shown === 0 ? shown : partValue(schema);
  if (typeof value === 'object') return isSendable(plan, name, value) ? value : undefined;
  const isText = type === 'string' && !format && !pattern;
  const isRoomy = Number(maxLength ?? Number.POSITIVE_INFINITY) >= name.length + 60;
  return isText && isRoomy && !isSecret(name, schema) ? `${name} of ${marker}` : value;
}

/** A list or an object with something in it: an empty one is like none. */
function isSendable({ form }: BodyPlan, name: string, value: unknown): boolean {
  const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isFilled && (!form || isClearIn(form, name, value));
}
