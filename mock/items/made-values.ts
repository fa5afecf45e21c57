import { isObject } from '../../common/json.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { generateNamed, generateValue } from '../../openapi/values/generate.ts';
import { ownValue } from '../../openapi/values/make-options.ts';
import { isState, statesOf } from '../../openapi/values/text.ts';
import { isAhead, isOfEnd } from '../../openapi/values/wording.ts';
import { once, oncePer } from '../json/once-per.ts';
import { fits } from '../json/validator.ts';
import type { Fields } from './stored-item.ts';

/**
 * The default or example of a schema, or where its values begin, else one that is made for it. Of
 * values one of which is called as an object that was sent, that is meant: `card` beside `{"card": {...}}`.
 */
export function makeValue(
  document: Api,
  [name, schema]: readonly [string, Schema],
  { seed, fields, isUnsent }: { seed: number; fields: Fields; isUnsent?: boolean },
): unknown {
  const resolved = document.schemas.resolve(schema);
  // Examples are of what may have come to its end.
  const own = !isOfEnd(name) && !(isAhead(name) && resolved.format !== undefined);
  const shown = 'default' in resolved ? resolved.default : own ? ownValue(resolved) : undefined;
  if (shown !== undefined && fits(document, schema, shown)) return shown;
  if (Array.isArray(resolved.enum)) {
    const isSent = (value: unknown) =>
      Object.hasOwn(fields, String(value)) && isObject(fields[String(value)]);
    return (
      resolved.enum.find(isSent) ?? firstNamed(isState(name) ? withoutEnds(resolved) : resolved)
    );
  }
  const [state] = statesOf(name, resolved);
  if (state !== undefined) return state;
  // What is new is active, and nothing has happened to it.
  if (resolved.type === 'boolean') return /^(is_?)?(active|enabled)$/i.test(name);
  const means = {
    describe: document.schemas.describeShown,
    fits: (part: Schema, value: unknown) => fits(document, part, value),
    own,
  };
  // Whoever calls is the same each time.
  if (ofCaller.test(name)) return generateValue(schema, { seed: 1, ...means, full: false });
  const made = generateNamed(name, schema, { seed, ...means });
  return isUnsent ? toBeginning(document, [name, schema], made) : made;
}

/**
 * A value that was made for what no client sends, as it is of a new item: integers that are neither
 * times nor ids, and of which the document says no value, count what has not happened yet.
 */
function toBeginning(
  document: Api,
  [name, schema]: readonly [string, Schema],
  made: unknown,
): unknown {
  const resolved = document.schemas.resolve(schema);
  const isStated = ownValue(resolved) !== undefined || resolved.enum || 'const' in resolved;
  if (isStated) return made;
  if (isObject(made)) {
    const { properties } = document.schemas.describeShown(schema);
    const inner = Object.entries(made).map(([key, value]) => [
      key,
      toBeginning(document, [key, properties[key] ?? {}], value),
    ]);
    return Object.fromEntries(inner);
  }
  const isInteger =
    Number.isInteger(made) && document.schemas.allTypesOf(schema).includes('integer');
  const isOther = document.schemas.timeFormOf(name, schema) ?? wordsOf(name).at(-1) === 'id';
  const least = [0, resolved.minimum].find((one) => fits(document, schema, one));
  return isInteger && !isOther && least !== undefined ? least : made;
}

/** Names of what a service sets to whoever creates an item. */
const ofCaller = /^(owner|author|creator|user|uploader|created_?by)$/i;

/**
 * The value of an enum that its description quotes first, as it tells states in their order where
 * the values themselves are in that of the alphabet; else the first value.
 */
const firstNamed = oncePer(({ enum: values, description }: Schema): unknown => {
  const quoted = String(description ?? '').matchAll(/[`"']([\w.-]+)[`"']/g);
  const named = [...quoted].find(([, word]) => (values as unknown[]).includes(word));
  return named ? named[1] : (values as unknown[])[0];
});

/** A schema without the values that say that something ended, unless all of its values do. */
const withoutEnds = oncePer((schema: Schema): Schema => {
  const left = (schema.enum as unknown[]).filter((one) => !isOfEnd(String(one)));
  return left.length > 0 ? { ...schema, enum: left } : schema;
});

/**
 * The defaults that schemas of properties state, but for those that do not fit their own schema;
 * undefined where none is stated. They are checked at first need.
 */
export function createStatedDefaults(
  document: Api,
  schemas: readonly (readonly [name: string, schema: Schema])[],
): (() => Fields) | undefined {
  const stated = schemas.flatMap(([name, schema]) => {
    if (document.schemas.isMarked(schema, 'writeOnly')) return [];
    const { default: value } = document.schemas.resolve(schema);
    return value === undefined ? [] : [{ name, schema, value }];
  });
  if (stated.length === 0) return undefined;
  return once(() => {
    const fitting = stated.filter(({ schema, value }) => fits(document, schema, value));
    return Object.fromEntries(fitting.map(({ name, value }) => [name, value]));
  });
}
