import { isObject, type RawDocument, resolve, type Schema } from '../schema.ts';
import { type IdHints, isNaturalKey } from './id-property.ts';
import { singular } from './words.ts';

/** What the ids of a collection are described by, besides their schema. */
export type IdDescription = IdHints & { idProperty: string };

/**
 * The schema of ids, of one type, with an example of one where the document shows one somewhere.
 * Names that people choose are made with the noun of the collection: `user-1`.
 */
export function toIdSchema(raw: RawDocument, property: Schema, description: IdDescription): Schema {
  const { parameter, idProperty, noun } = description;
  const shown = ofOneType(raw, property);
  // Items may show as any text what a path takes in one form.
  const { format } = parameter ? ofOneType(raw, parameter.schema) : {};
  const isAny = [shown.format, shown.pattern, shown.enum].every((one) => one === undefined);
  const schema = isAny && typeof format === 'string' ? { ...shown, format } : shown;
  const isText = schema.type === 'string';
  if (!isText || schema.example !== undefined || schema.examples !== undefined) return schema;
  const examples = parameter && [
    ...Object.values(parameter.examples),
    resolve(raw, parameter.schema).example,
  ];
  const example = examples?.find((one) => typeof one === 'string');
  if (example !== undefined) return { ...schema, examples: [example] };
  return isNaturalKey(idProperty) ? { ...schema, examples: [`${singular(noun)}-1`] } : schema;
}

/** The schema itself, without null, its `allOf` folded, and of alternatives the first for ids. */
function ofOneType(raw: RawDocument, property: Schema): Schema {
  const schema = withParts(raw, resolve(raw, property));
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []]
    .flat()
    .map((one) => ofOneType(raw, one));
  const chosen = alternatives.find(({ type }) => type === 'integer' || type === 'string');
  if (schema.type === undefined && chosen) return chosen;
  if (!Array.isArray(schema.type)) return schema;
  const types: unknown[] = schema.type.filter((type) => type !== 'null');
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

/** A schema without a type of its own, beside what the parts of its `allOf` say. */
function withParts(raw: RawDocument, schema: RawDocument): RawDocument {
  // `true` says nothing of a value.
  if (!isObject(schema)) return {};
  const { allOf, ...own } = schema;
  if (schema.type !== undefined || !Array.isArray(allOf)) return schema;
  const parts = allOf.map((part) => withParts(raw, resolve(raw, part)));
  return Object.assign({}, ...parts, own);
}
