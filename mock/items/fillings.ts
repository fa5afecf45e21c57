import { isObject } from '../../common/json.ts';
import { once, oncePer } from '../../common/once-per.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { generateNamed, generateValue } from '../../openapi/values/generate.ts';
import { ownValue } from '../../openapi/values/make-options.ts';
import { isState, statesOf } from '../../openapi/values/text.ts';
import { isAhead, isOfEnd, isYetToCome, statedOf } from '../../openapi/values/wording.ts';
import { fits } from '../json/validator.ts';
import { type Fields, toItemId } from './stored-item.ts';

/** Holds what a value is made of: a seed, the sent fields, and the time in Unix milliseconds. */
export type FillingInput = { seed: number; fields: Fields; now: number };

/**
 * The source of a value that no client sends: the time, the default that the document states, a value
 * that is the same for all items, one of an enum that other fields choose, a counter that begins, or a
 * value made of the seed.
 */
export type Filling = {
  as: 'now' | 'default' | 'constant' | 'choice' | 'counter' | 'made';
  make(given: FillingInput): unknown;
};

/**
 * Decides where the value of a property is from: the default or example of its schema, or where its
 * values begin, else it is made. Of values one of which is called as an object that was sent, that is
 * meant: `card` beside `{"card": {...}}`. If it `isUnsent` by any client, what it counts begins.
 */
export function createFilling(
  document: Api,
  [name, schema]: readonly [string, Schema],
  { isUnsent = false } = {},
): Filling {
  const constant = (value: unknown): Filling => ({ as: 'constant', make: () => value });
  const resolved = document.schemas.resolve(schema);
  // Examples are of what may have come to its end.
  const own = !isYetToCome(name) && !(isAhead(name) && resolved.format !== undefined);
  const shown = 'default' in resolved ? resolved.default : own ? ownValue(resolved) : undefined;
  if (shown !== undefined && fits(document, schema, shown)) return constant(shown);
  const { enum: values } = resolved;
  if (Array.isArray(values)) {
    const isSent = (fields: Fields) => (value: unknown) =>
      Object.hasOwn(fields, String(value)) && isObject(fields[String(value)]);
    const first = firstNamed(isState(name) ? withoutEnds(resolved) : resolved);
    return { as: 'choice', make: ({ fields }) => values.find(isSent(fields)) ?? first };
  }
  const states = statesOf(name, resolved);
  const state = states.find((one) => !isOfEnd(one)) ?? states[0];
  if (state !== undefined) return constant(state);
  // What is new is active, and nothing has happened to it.
  if (resolved.type === 'boolean') return constant(/^(is_?)?(active|enabled)$/i.test(name));
  const means = {
    describe: document.schemas.describeShown,
    fits: (part: Schema, value: unknown) => fits(document, part, value),
    own,
  };
  // Whoever calls is the same each time.
  if (ofCaller.test(name)) {
    const caller = once(() => generateValue(schema, { seed: 1, ...means, full: false }));
    return { as: 'constant', make: caller };
  }
  const make = ({ seed }: FillingInput) => generateNamed(name, schema, { seed, ...means });
  if (!isUnsent) return { as: 'made', make };
  return {
    as: firstCount(document, [name, schema]) === undefined ? 'made' : 'counter',
    make: (given) => toBeginning(document, [name, schema], make(given)),
  };
}

/** Returns the default that the schema of a property states, if that fits it. */
export function findStatedDefault(document: Api, schema: Schema): Filling | undefined {
  if (document.schemas.isMarked(schema, 'writeOnly')) return undefined;
  const { default: value } = document.schemas.resolve(schema);
  const isStated = value !== undefined && fits(document, schema, value);
  return isStated ? { as: 'default', make: () => value } : undefined;
}

/** Makes an id that no other object of a list has; undefined if its schema does not allow such. */
export type NextId = (schema: Schema | undefined) => number | string | undefined;

/** Creates the ids of new objects of a list, counted on from the objects that were there before. */
export function createNextId(
  document: Api,
  [before, sent]: readonly [readonly unknown[], readonly unknown[]],
  idProperty = 'id',
): NextId {
  const taken = new Set(
    [...before, ...sent].map((one) => String(isObject(one) ? one[idProperty] : one)),
  );
  let number = before.length;
  return (schema) => {
    if (!schema) return undefined;
    let id: number | string;
    do id = toItemId(++number, document.schemas.resolve(schema));
    while (taken.has(String(id)));
    return fits(document, schema, id) ? id : undefined;
  };
}

/**
 * Creates the addition to new objects of a list of what a body states as default, and what answers
 * require: ids where none was sent, and counts that begin where no body sets them.
 */
export const addUnsentOf = oncePer((document: Api) =>
  oncePer((element: Schema) =>
    oncePer((sentAs: Schema) => createAddUnsent(document, element, sentAs)),
  ),
);

/** Holds the object that was there before, if any: it lacks what it lacks, but an id. */
type Addition = { own: FillingInput; nextId: NextId; known?: Fields | undefined };

function createAddUnsent(document: Api, element: Schema, sentAs: Schema) {
  const { schemas } = document;
  const { properties, required } = schemas.describeShown(element);
  const sent = Object.entries(schemas.describeSchema(sentAs).properties);
  const settable = new Map(sent.filter(([, one]) => !schemas.isMarked(one, 'readOnly')));
  const defaults = [...settable].flatMap(([name, schema]) => {
    const stated = Object.hasOwn(properties, name) && findStatedDefault(document, schema);
    return stated ? [[name, stated] as const] : [];
  });
  const unsent = (settable.size > 0 ? required : []).flatMap((name) => {
    const schema = properties[name] ?? {};
    const filling = createFilling(document, [name, schema], { isUnsent: true });
    return settable.has(name) && name !== 'id' ? [] : [[name, filling, schema] as const];
  });
  return (fields: Fields, made: Fields, { own, nextId, known }: Addition) => {
    const all: Record<string, unknown> = { ...made };
    const isLacking = (name: string) => !known && !Object.hasOwn(made, name);
    for (const [name, stated] of defaults) if (isLacking(name)) all[name] = stated.make(own);
    for (const [name, filling, schema] of unsent) {
      // An id that was made of a seed, another object may have, too.
      const isNeeded = name === 'id' && !Object.hasOwn(fields, name);
      const id = isNeeded ? (known?.id ?? nextId(schema)) : undefined;
      if (id !== undefined) all[name] = id;
      else if (isLacking(name)) all[name] = filling.make({ ...own, fields: made });
    }
    return all;
  };
}

/** A value that was made for what no client sends, as it is of a new item: what it counts begins. */
function toBeginning(
  document: Api,
  [name, schema]: readonly [string, Schema],
  made: unknown,
): unknown {
  if (isStated(document, schema)) return made;
  if (!isObject(made))
    return Number.isInteger(made) ? (firstCount(document, [name, schema]) ?? made) : made;
  const { properties } = document.schemas.describeShown(schema);
  const inner = Object.entries(made).map(([key, value]) => [
    key,
    toBeginning(document, [key, properties[key] ?? {}], value),
  ]);
  return Object.fromEntries(inner);
}

/**
 * The number that a count begins with; undefined for what is none: integers that are neither times
 * nor ids, and of which the document says no value, count what has not happened yet.
 */
function firstCount(document: Api, [name, schema]: readonly [string, Schema]): unknown {
  const isInteger = document.schemas.allTypesOf(schema).includes('integer');
  const isOther = document.schemas.timeFormOf(name, schema) ?? wordsOf(name).at(-1) === 'id';
  if (!isInteger || isOther || isStated(document, schema)) return undefined;
  const { minimum } = document.schemas.resolve(schema);
  return [0, minimum].find((one) => fits(document, schema, one));
}

/** Whether a document says which values there are. */
function isStated(document: Api, schema: Schema): boolean {
  const resolved = document.schemas.resolve(schema);
  return ownValue(resolved) !== undefined || Boolean(resolved.enum) || 'const' in resolved;
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
  return named ? named[1] : statedOf(values as unknown[])[0];
});

/** A schema without the values that say that something ended, unless all of its values do. */
const withoutEnds = oncePer((schema: Schema): Schema => {
  const left = (schema.enum as unknown[]).filter((one) => !isYetToCome(String(one)));
  return left.length > 0 ? { ...schema, enum: left } : schema;
});
