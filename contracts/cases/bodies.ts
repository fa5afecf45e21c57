import type { Content } from '../description/content.ts';
import type { ApiDocument, Operation, Resource, Schema } from '../description/document.ts';
import { describeSchema, resolveSchema } from '../description/document.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { membersOf, toJson } from '../json.ts';
import { type BodyParts, type Fields, toBodyParts } from './body-parts.ts';
import { exampleValue, withAlternative } from './example-value.ts';

/** How the bodies of a resource are made: the values of each property. */
export type BodyPlan = {
  resource: string;
  properties: { name: string; schema: Schema; required: boolean; made: unknown }[];
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
    }))
    .filter(({ name, schema }) => name !== idProperty && schema.readOnly !== true);
  const marker = properties.find(
    ({ schema }) =>
      schema.type === 'string' &&
      !schema.enum &&
      !schema.format &&
      !schema.pattern &&
      !schema.maxLength,
  );
  return {
    resource,
    properties,
    parts,
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

/**
 * The fields of a valid body: the required properties, then `extra`. Values that a deployment may
 * know or not (a category) are those of an animal that it lists, or the example's.
 */
export function validFields(plan: BodyPlan, marker: string, extra: Fields = {}): Fields {
  const fields: Record<string, unknown> = {};
  const [example = {}] = Object.values(plan.examples);
  for (const { name, schema, required, made } of plan.properties) {
    if (name === plan.markerProperty) fields[name] = marker;
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
 * JSON text of a body with the fields, in which `{{known...}}` stands unquoted, so that any JSON
 * value can take its place.
 */
export function toBodyText({ parts: { wrapper } }: BodyPlan, fields: Fields): string {
  const inner = toObjectText(fields);
  if (!wrapper) return inner;
  const besides = toObjectText(wrapper.besides).slice(1, -1);
  return `{${besides === '' ? '' : `${besides},`}${JSON.stringify(wrapper.property)}:${inner}}`;
}

function toObjectText(fields: Fields): string {
  const members = Object.entries(fields).map(([name, value]) => {
    const isPlaceholder = typeof value === 'string' && value.startsWith('{{known.');
    return `${JSON.stringify(name)}:${isPlaceholder ? value : toJson(value)}`;
  });
  return `{${members.join(',')}}`;
}

/** No form has an empty list. */
function withItem(document: ApiDocument, schema: Schema): Schema {
  const resolved = resolveSchema(document, schema);
  return resolved.type === 'array' ? { minItems: 1, ...resolved } : schema;
}

/** Whether a form says clearly what a value is: of lists and objects by the document's encoding. */
export function isClearIn({ encoding }: Content, name: string, value: unknown): boolean {
  if (typeof value !== 'object') return true;
  const isFilled = value !== null && Object.keys(value).length > 0;
  return isFilled && encoding[name]?.style !== undefined;
}

/** A value of each kind, with the types that it fits. */
const samples: [what: string, value: unknown, fits: string[]][] = [
  ['a text', 'no-such-value', ['string']],
  ['an empty text', '', ['string']],
  ['a number in quotes', '7', ['string']],
  ['a number', 7, ['integer', 'number']],
  ['a padded number in quotes', ' 7 ', ['string']],
  ['zero', 0, ['integer', 'number']],
  ['a fraction', 1.5, ['number']],
  ['true', true, ['boolean']],
  ['false', false, ['boolean']],
  ['null', null, ['null']],
  ['an array', [], ['array']],
  ['an object', {}, ['object']],
];

/**
 * Ways to break a property's schema: a name for each, and the value. In a form each value is a text,
 * which only what is read as something else is not.
 */
export function wrongValues(
  schema: Schema,
  { form }: Pick<BodyPlan, 'form'>,
): [what: string, value: unknown][] {
  const wrong = wrongJsonValues(schema);
  const types = [schema.type].flat();
  const mayBeText = ['array', 'object', 'null'].some((type) => types.includes(type));
  if (!form) return wrong;
  return mayBeText ? [] : wrong.filter(([what]) => what === 'a text');
}

function wrongJsonValues({ type, enum: values }: Schema): [what: string, value: unknown][] {
  if (Array.isArray(values)) {
    const spellings: [string, unknown][] = [
      ['in upper case', String(values[0]).toUpperCase()],
      ['with a capital', String(values[0]).replace(/^./, (letter) => letter.toUpperCase())],
      ['padded', ` ${values[0]} `],
      ['in an array', [values[0]]],
    ];
    return [
      ...samples.map(([what, value]): [string, unknown] => [what, value]),
      ...spellings,
    ].filter(([, value]) => !values.includes(value));
  }
  const types = [type].flat() as string[];
  return types.includes(undefined as never)
    ? []
    : samples
        .filter(([, , fits]) => !fits.some((one) => types.includes(one)))
        .map(([what, value]) => [what, value]);
}

/** A valid body changed so that it is not a JSON object, or not JSON. */
export type WrongBody = {
  what: string;
  /** What it breaks: the presence of a body, its required members, its type, or JSON itself. */
  breaks: 'presence' | 'required' | 'type' | 'json';
  make: (valid: string) => string;
};

const wrongBodies: readonly WrongBody[] = [
  { what: 'an empty object', breaks: 'required', make: () => '{}' },
  { what: 'an array', breaks: 'type', make: () => '[]' },
  { what: 'an array of one', breaks: 'type', make: (valid) => `[${valid}]` },
  { what: 'a text', breaks: 'type', make: () => '"animal"' },
  { what: 'a number', breaks: 'type', make: () => '42' },
  { what: 'true', breaks: 'type', make: () => 'true' },
  { what: 'null', breaks: 'type', make: () => 'null' },
  { what: 'empty', breaks: 'presence', make: () => '' },
  { what: 'cut off', breaks: 'json', make: (valid) => valid.slice(0, -1) },
  { what: 'with a comma too many', breaks: 'json', make: (valid) => `${valid.slice(0, -1)},}` },
  { what: 'with more behind it', breaks: 'json', make: (valid) => `${valid} more` },
  { what: 'not JSON', breaks: 'json', make: () => 'name=Rex' },
];

/**
 * The wrong bodies for a create: those that are not JSON always break it, the others only as far as
 * its schema says.
 */
export function wrongBodiesFor(document: ApiDocument, { body }: Operation): WrongBody[] {
  const schema = body?.schema ?? {};
  const isAsked: Record<WrongBody['breaks'], boolean> = {
    presence: body?.required === true,
    required: describeSchema(document, schema).required.length > 0,
    type: asksForObject(document, schema),
    json: true,
  };
  return wrongBodies.filter(({ breaks }) => isAsked[breaks]);
}

function asksForObject(document: ApiDocument, schema: Schema): boolean {
  const { type, allOf } = resolveSchema(document, schema);
  return (
    type === 'object' ||
    (Array.isArray(allOf) && allOf.some((part) => asksForObject(document, part)))
  );
}

/** The placeholder for the value that a listed item has for a property, or the fallback. */
function knownValue(name: string, fallback: unknown): string {
  return `{{known.${name}|${encodeURIComponent(JSON.stringify(fallback))}}}`;
}

function defaultValue({ type, minimum = 1 }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'text';
}
