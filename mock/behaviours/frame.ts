import { isObject, stringifyExact } from '../../common/json.ts';
import type { Api, ResponseDescription, Schema, Schemas } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { ownValue } from '../../openapi/values/make-options.ts';
import { saysType } from '../../openapi/values/text.ts';
import { type ByteText, parseExact, toByteText } from '../json/exact-json.ts';
import { makerOf } from '../json/make-fitting.ts';

type Fields = Record<string, unknown>;

/** Names of flags that say that all is well. */
const saysWell = /^(success|ok|succeeded)$/i;

/** Marks the place of the items in a frame. */
export const held = '{items}';

/** Creates a function that puts the JSON of items into an answer, in the place of `held`. */
export function createFrame(answer: unknown): (items: ByteText) => ByteText {
  const text = toByteText(stringifyExact(answer) ?? 'null');
  return (items) => text.replace(JSON.stringify(held), () => items) as ByteText;
}

/** Sets a value in objects within objects, which are made where they lack; undefined removes it. */
export function setAt(target: Fields, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length > 0) {
    if (!isObject(target[key])) target[key] = {};
    setAt(target[key] as Fields, rest, value);
  } else if (value === undefined) delete target[key];
  else target[key] = value;
}

/** Describes the value at a path: its schema, and whether it is required and nullable. */
export function describeAt(schemas: Schemas, schema: Schema, path: readonly string[]) {
  let [node, isRequired] = [schema, true];
  for (const key of path) {
    const { properties, required } = schemas.flatten(schemas.objectAlternative(node));
    isRequired = required.includes(key);
    node = properties[key] ?? {};
  }
  const described: Schema = schemas.objectAlternative(node) ?? {};
  return { schema: described, isRequired, isNullable: schemas.isNullable(node) };
}

/**
 * Makes an answer around the values at some paths, with the objects that hold them. Members are
 * those of the example that the schema describes, or made; of optional ones those that have a stated
 * value or say that all is well.
 */
export function makeAround(
  document: Api,
  response: ResponseDescription,
  paths: readonly (readonly string[])[],
): Fields {
  const { schemas } = document;
  const schema = heldSchemaOf(response) ?? {};
  const examples = Object.values(response.examples);
  const { properties } = schemas.flatten(schemas.objectAlternative(schema));
  const stated = Object.entries(properties).flatMap(([name, one]) => {
    const own = schemas.resolve(one);
    if (own.type === 'boolean' && saysWell.test(name)) return [[name, ownValue(own) ?? true]];
    const [only = own.const, ...others] = (own.enum as unknown[] | undefined) ?? [];
    const said = saysType(own) ? ownValue(own) : own.default;
    const value = only === undefined || others.length > 0 ? said : only;
    return value === undefined || value === null ? [] : [[name, value]];
  });
  const made = makeShown(document, schema, examples);
  const members = Object.entries(isObject(made) ? made : {});
  const base: Fields = Object.fromEntries([
    ...(examples.length > 0 ? [] : stated),
    ...members.filter(([name]) => Object.hasOwn(properties, name)),
  ]);
  // Flags that are made up say that all is well.
  for (const [name, value] of Object.entries(base)) {
    const described = describeAt(schemas, schema, [name]).schema;
    const isStated = ['const', 'enum', 'default', 'example'].some((one) => one in described);
    if (typeof value === 'boolean' && !isStated && examples.length === 0)
      base[name] = saysWell.test(name);
  }
  for (const path of paths)
    for (let depth = 1; depth < path.length; depth++) {
      const at = path.slice(0, depth);
      const held = at.reduce<unknown>((one, key) => (isObject(one) ? one[key] : undefined), base);
      if (!isObject(held))
        setAt(base, at, makeShown(document, describeAt(schemas, schema, at).schema));
    }
  return base;
}

/** A value that an answer shows, as like its examples as the schema allows. */
export function makeShown(
  document: Api,
  schema: Schema,
  examples: readonly unknown[] = [],
): unknown {
  const made = makerOf(document)(schema, { seed: 1, examples, full: false });
  return made && parseExact(made.text);
}
