import { objectAlternative } from '../../contracts/description/collections/schema-types.ts';
import type { ApiDocument, Schema } from '../../contracts/description/document.ts';
import { flatten, isObject, type RawDocument } from '../../contracts/description/schema.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import { type ByteText, parseExact, toByteText } from '../json/exact-json.ts';
import { makerOf } from '../json/make-fitting.ts';

type Fields = Record<string, unknown>;

/** What stands in an answer for the items that it holds, until these are known. */
export const held = '{items}';

/** Makes what puts the JSON of items into an answer in which `held` stands for them. */
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

/** The members of an object that its schema describes; its examples may have others, such as old names. */
export function asDescribed(raw: RawDocument, schema: Schema, value: unknown): Fields {
  const { properties } = flatten(raw, objectAlternative(raw, schema));
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(members.filter(([name]) => Object.hasOwn(properties, name)));
}

/** A value that an answer shows, as like its examples as the schema allows. */
export function makeShown(
  document: ApiDocument,
  schema: Schema,
  examples: readonly unknown[] = [],
): unknown {
  const made = makerOf(document)(schema, { seed: 1, examples, full: false });
  return made && parseExact(made.text).value;
}
