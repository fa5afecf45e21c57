import { lastWordOf } from '../../common/path-template.ts';
import { toNoun, toPlainName } from '../../common/words.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { objectAlternative } from './schema-types.ts';

/** The schema of an item that another object holds, and where: in a property, or alone in an array there. */
export type WrappedItem = { pointer: readonly string[]; schema: Schema };

/** Properties that hold an item, whatever it is called. */
const generic = new Set('data result item record resource entity payload'.split(' '));

/** Whether a property may hold the item that an answer shows, whatever it is called. */
export function mayHoldItem(name: string): boolean {
  return generic.has(toPlainName(name));
}

/** Keywords beside such a property, if the object has no properties of its own. */
const besides = new Set(
  (
    'success ok status statuscode code message messages error errors meta metadata links link ' +
    'included jsonapi requestid timestamp warnings version'
  ).split(' '),
);

/** Whether a property says something of an answer, not of the item that it holds. */
export function isBesideItem(name: string): boolean {
  return besides.has(toPlainName(name));
}

/**
 * The item in an object that only holds it, such as `{"article": {...}}` at `/articles`, or
 * `{"data": {...}, "success": true}`; undefined where the object is the item itself.
 */
export function findWrappedItem(
  raw: RawDocument,
  schema: Schema | undefined,
  { path, at }: { path: string; at?: readonly string[] | undefined },
): WrappedItem | undefined {
  const outer = objectAlternative(raw, schema);
  if (!outer) return undefined;
  const { properties } = flatten(raw, outer);
  if (at) {
    const found = at.reduce<Schema | undefined>((held, key) => partOf(raw, held, key), outer);
    return found && { pointer: at, schema: found };
  }
  const names = Object.keys(properties);
  let apart = 0;
  if (names.some((name) => !isBesideItem(name) && ++apart > 1)) return undefined;
  const noun = toNoun(lastWordOf(path));
  const isNoun = (name: string) => toPlainName(name) === noun;
  const property = names.find(isNoun) ?? names.find(mayHoldItem);
  if (property === undefined) return undefined;
  if (!names.every((name) => name === property || isBesideItem(name))) return undefined;
  const inner = objectAlternative(raw, properties[property] as Schema);
  if (!inner || inner.items !== undefined) return undefined;
  const isObject = Object.keys(flatten(raw, inner).properties).length > 0;
  return isObject ? { pointer: [property], schema: properties[property] as Schema } : undefined;
}

/** Returns the schema of a property of an object, or of the items of an array. */
function partOf(raw: RawDocument, held: Schema | undefined, key: string): Schema | undefined {
  const whole = objectAlternative(raw, held);
  return whole?.items ?? flatten(raw, whole).properties[key];
}
