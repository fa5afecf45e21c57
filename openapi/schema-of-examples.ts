import { isObject } from '../common/json.ts';
import { asksNothing, type RawDocument, resolve, type Schema } from './schema.ts';

/**
 * Returns the schema that examples of a response show, if its own schema says no more than that it
 * is JSON, an object, a list, or an object with a list of anything; undefined if it says more, or no
 * example is an object or a list.
 */
export function schemaOfExamples(
  raw: RawDocument,
  schema: Schema,
  examples: readonly unknown[],
): Schema | undefined {
  const own = resolve(raw, schema) ?? {};
  const shown = [...examples, ...(own.examples ?? []), own.example].filter(
    (one) => typeof one === 'object' && one !== null,
  );
  if (shown.length === 0) return undefined;
  if (saysNothing(own)) return describeAll(shown);
  for (const [name, property] of Object.entries<Schema>(own.properties ?? {})) {
    const { type, items = {} } = resolve(raw, property) ?? {};
    const held: unknown[] = shown.flatMap((one) => one[name] ?? []);
    if (type !== 'array' || !saysNothing(resolve(raw, items)) || !held.some(isObject)) continue;
    const list = { ...property, items: describeAll(held) };
    return { ...own, properties: { ...own.properties, [name]: list } };
  }
  return undefined;
}

/** Whether a schema allows anything, or any object or list. */
function saysNothing({ type = 'object', ...others }: RawDocument = {}): boolean {
  return Object.keys(others).every(asksNothing) && ['object', 'array'].includes(type);
}

/** A schema of values that are one kind of thing: objects with the properties of all of them. */
function describeAll(values: readonly unknown[]): Schema {
  const stated = values.filter((one) => one !== null);
  const [first] = stated;
  const nullable = stated.length < values.length;
  if (stated.every(isObject) && first !== undefined) {
    const names = new Set(stated.flatMap((one) => Object.keys(one)));
    const properties = [...names].map((name): [string, Schema] => [
      name,
      describeAll(stated.flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : []))),
    ]);
    return { type: typeOf('object', nullable), properties: Object.fromEntries(properties) };
  }
  if (stated.every(Array.isArray) && first !== undefined)
    return { type: typeOf('array', nullable), items: describeAll(stated.flat()) };
  const types = new Set(stated.map((one) => typeof one));
  const [type = ''] = types;
  if (types.size !== 1 || !['string', 'number', 'boolean'].includes(type)) return {};
  const isWhole = type === 'number' && stated.every(Number.isInteger);
  return { type: typeOf(isWhole ? 'integer' : type, nullable), example: first };
}

function typeOf(type: string, nullable: boolean): string | string[] {
  return nullable ? [type, 'null'] : type;
}
