import { isUnique } from '../description/collections/unique-properties.ts';
import type { Content } from '../description/content.ts';
import type { ApiDocument, Resource, Schema } from '../description/document.ts';
import { describeSchema, resolveSchema } from '../description/document.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { membersOf, toJson } from '../json.ts';
import { type BodyParts, type Fields, toBodyParts } from './body-parts.ts';
import { exampleValue, withAlternative } from './example-value.ts';
import { freshValue } from './fresh-value.ts';

/** How the bodies of a resource are made: the values of each property. */
export type BodyPlan = {
  resource: string;
  properties: {
    name: string;
    schema: Schema;
    required: boolean;
    made: unknown;
    /** Whether no two items have the same value, as with an id. */
    isUnique: boolean;
  }[];
  parts: BodyParts;
  /** The form that bodies are sent as, in which each value is a text. */
  form?: Content;
  /** A property that may have any text, by which an animal can be recognized. */
  markerProperty?: string;
  /** The fields that the document's examples show, by the names of these. */
  examples: Readonly<Record<string, Fields>>;
};

/** Reads from the document how a resource's bodies are made. */
export function planBodies(
  document: ApiDocument,
  { name: resource, idProperty, operations: { create }, bodyForm }: Resource,
): BodyPlan {
  const { schema = {}, examples = {}, form } = (create && sendableBodyOf(create)) ?? {};
  const parts = toBodyParts(document, schema, bodyForm?.create);
  const described = describeSchema(document, withAlternative(document, parts.schema));
  const properties = Object.entries(described.properties)
    .map(([name, schema]) => ({
      name,
      schema: resolveSchema(document, schema),
      made: exampleValue(document, form ? withItem(document, schema) : schema),
      required: described.required.includes(name),
      isUnique: name === idProperty || isUnique(document.raw, schema),
    }))
    .filter(({ name, required }) => name !== idProperty || required)
    .filter(({ schema }) => schema.readOnly !== true);
  const marker = properties.find(
    ({ name, schema }) =>
      name !== idProperty &&
      schema.type === 'string' &&
      !schema.enum &&
      !schema.format &&
      !schema.pattern &&
      !schema.contentMediaType &&
      !schema.maxLength,
  );
  return {
    resource,
    properties,
    parts: { ...parts, isOpen: parts.isOpen || properties.some(isUnsure) },
    ...(form && { form }),
    ...(marker && { markerProperty: marker.name }),
    examples: Object.fromEntries(
      Object.entries(examples).flatMap(([name, example]) => {
        const shown = membersOf(example);
        const fields = parts.wrapper ? membersOf(shown?.[parts.wrapper.property]) : shown;
        return fields ? [[name, fields] as const] : [];
      }),
    ),
  };
}

/** Whether a body needs a value that another item may have. */
function isUnsure({ required, isUnique, schema }: BodyPlan['properties'][number]): boolean {
  return required && isUnique && freshValue(schema) === undefined;
}

/**
 * The fields of a valid body: the required properties, then `extra`. Values that a deployment may
 * know or not (a category) are those of an animal that it lists, or the example's; those that no two
 * items have alike are fresh.
 */
export function validFields(plan: BodyPlan, marker: string, extra: Fields = {}): Fields {
  const fields: Record<string, unknown> = {};
  const [example = {}] = Object.values(plan.examples);
  for (const { name, schema, required, made, isUnique } of plan.properties) {
    const fresh = required && isUnique ? freshValue(schema) : undefined;
    if (name === plan.markerProperty) fields[name] = marker;
    else if (fresh !== undefined) fields[name] = fresh;
    else if (required)
      fields[name] = Array.isArray(schema.enum)
        ? schema.enum[0]
        : plan.form && typeof made === 'object'
          ? (example[name] ?? made)
          : knownValue(`${plan.resource}.${name}`, example[name] ?? made ?? defaultValue(schema));
  }
  return { ...fields, ...extra };
}

/**
 * JSON text of a body with the fields, in which `{{known...}}` and `{{number}}` stand unquoted,
 * so that any JSON value can take their place.
 */
export function toBodyText({ parts: { wrapper } }: BodyPlan, fields: Fields): string {
  const inner = toObjectText(fields);
  if (!wrapper) return inner;
  const besides = toObjectText(wrapper.besides).slice(1, -1);
  return `{${besides === '' ? '' : `${besides},`}${JSON.stringify(wrapper.property)}:${inner}}`;
}

function toObjectText(fields: Fields): string {
  const members = Object.entries(fields).map(([name, value]) => {
    const isPlaceholder = typeof value === 'string' && /^\{\{(known\.|number\}\})/.test(value);
    return `${JSON.stringify(name)}:${isPlaceholder ? value : toJson(value)}`;
  });
  return `{${members.join(',')}}`;
}

/** A schema whose lists have an item: no form has an empty list. */
export function withItem(document: ApiDocument, schema: Schema): Schema {
  const resolved = resolveSchema(document, schema);
  return resolved.type === 'array' ? { minItems: 1, ...resolved } : schema;
}

/** Whether a form says clearly what a value is: of lists and objects by the document's encoding. */
export function isClearIn({ encoding }: Content, name: string, value: unknown): boolean {
  if (typeof value !== 'object') return true;
  const isFilled = value !== null && Object.keys(value).length > 0;
  return isFilled && encoding[name]?.style !== undefined;
}

/** The placeholder for the value that a listed item has for a property, or the fallback. */
export function knownValue(name: string, fallback: unknown): string {
  return `{{known.${name}|${encodeURIComponent(JSON.stringify(fallback))}}}`;
}

function defaultValue({ type, minimum = 1 }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'text';
}
