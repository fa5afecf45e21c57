import { membersOf, toJson } from '../../common/json.ts';
import { partsOf, withoutAt } from '../../common/property-path.ts';
import type { Api, Content, Resource, Schema } from '../../openapi/index.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { isInProse } from '../document/stated.ts';
import { type BodyParts, bodyPartsOf, type Fields } from './body-parts.ts';
import { exampleValue, secretFor, toPlainObject, variedText, withItem } from './example-value.ts';
import { freshText, freshValue } from './fresh-value.ts';
import { holdsSecret, isSecret, takesAnyText } from './made-secrets.ts';
import { hasPlaceholder } from './placeholders.ts';
import { type BodyValue, namedIn, withOwnItems } from './references.ts';

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
    /** Whether it names an item of another collection. */
    isReference: boolean;
    /** Whether it names any other item, itself or within. */
    isNaming: boolean;
    /** The values in it that name other items, where a body needs it. */
    named: readonly BodyValue[];
    /** Whether a body needs it, and no value is known that names no item of others. */
    isUnmet: boolean;
    /** Of the object that has the id: the property there, and its value where a body needs one. */
    id?: { inner: string; fresh: string | undefined };
  }[];
  parts: BodyParts;
  /** Whether a value that bodies need is a guess, unless a list shows one. */
  isGuessed: boolean;
  /** Whether an interface in prose states clauses of the document. */
  isWorded: boolean;
  /** The form that bodies are sent as, in which each value is a text. */
  form?: Content;
  /** A property that may have any text, by which an animal can be recognized. */
  markerProperty?: string;
  /**
   * Without a `markerProperty`, a property whose value identifies the request: a code, a number, a
   * date.
   */
  tokenProperty?: string;
  /** The fields that the document's examples show, by the names of these. */
  examples: Readonly<Record<string, Fields>>;
};

/** Reads from the document how a resource's bodies are made. */
export function planBodies(document: Api, resource: Resource): BodyPlan {
  const { idProperty, givenId, references } = resource;
  const { create } = resource.operations;
  const { examples = {}, form } = (create && sendableBodyOf(create)) ?? {};
  const parts = bodyPartsOf(document, create);
  const describe = document.schemas.describeSchema;
  const described = toPlainObject(document, parts.schema, { describe });
  const place = partsOf(idProperty);
  const shownFields = Object.entries(examples).flatMap(([name, example]) => {
    const shown = membersOf(example);
    const fields = parts.wrapper ? membersOf(shown?.[parts.wrapper.property]) : shown;
    return fields ? [[name, fields] as const] : [];
  });
  const properties = Object.entries(described.properties)
    .map(([name, node]) => {
      const schema = document.schemas.resolve(node);
      const required = described.required.includes(name);
      const isFilled = form || (required && holdsObjects(document, node));
      const made = exampleValue(document, isFilled ? withItem(document, node) : node, name);
      const value = shownFields[0]?.[1][name] ?? made ?? (schema.type === 'string' ? '' : made);
      const field = { schema: node, value, name };
      const named = namedIn(document, resource, field);
      const filled = withOwnItems(
        document,
        resource,
        named.length > 0 ? field : { ...field, value: made },
      );
      const isFree = ({ value: own, beside }: BodyValue) => beside || hasPlaceholder(String(own));
      const isKnown = references?.some(({ property }) => property === name) === true;
      return {
        name,
        schema,
        made: filled,
        isUnmet:
          required && !namedIn(document, resource, { ...field, value: filled }).every(isFree),
        required,
        isUnique: name === idProperty || document.schemas.isMarked(schema, 'x-unique'),
        isReference: isKnown || (named.length > 0 && typeof value !== 'object'),
        isNaming: isKnown || named.length > 0,
        named: required ? named : [],
        ...(name === place?.outer && {
          id: toHeldId(document, node, { inner: place.inner, givenId }),
        }),
      };
    })
    .filter(({ name, required }) => name !== idProperty || required)
    .filter(({ schema }) => schema.readOnly !== true);
  const marker = properties.find(
    ({ name, schema, isReference }) =>
      name !== idProperty && !isReference && takesAnyText(name, schema),
  );
  const token = properties
    .toSorted((left, right) => Number(right.required) - Number(left.required))
    .find(
      ({ name, schema, isReference }) =>
        name !== idProperty &&
        !isReference &&
        !isSecret(name, schema) &&
        schema.writeOnly !== true &&
        freshValue(schema) !== undefined,
    );
  // Where nothing else would show whose the item is, a list of texts does: names of what is made.
  const bearer = marker || token ? undefined : properties.find(bearsMark);
  return {
    resource: resource.name,
    properties: properties.map((one) =>
      one === bearer ? { ...one, required: true, made: [freshText] } : one,
    ),
    parts: { ...parts, isOpen: parts.isOpen || properties.some(isUnsure) },
    isGuessed: properties.some(isGuessed),
    isWorded: isInProse(document),
    ...(form && { form }),
    ...(marker && { markerProperty: marker.name }),
    ...(!marker && token && { tokenProperty: token.name }),
    examples: Object.fromEntries(
      shownFields.map(([name, { [idProperty]: _, ...fields }]) => [
        name,
        withOwnItems(document, resource, { schema: parts.schema, value: fields }) as Fields,
      ]),
    ),
  };
}

/** Whether a property is a list of free texts that name no other item. */
function bearsMark({ schema, required, isNaming }: BodyPlan['properties'][number]): boolean {
  const { type, items } = schema;
  const isList = type === 'array' && !required && !isNaming;
  return isList && takesAnyText('', { ...(items as Schema | undefined) });
}

function toHeldId(
  document: Api,
  holder: Schema,
  { inner, givenId }: { inner: string; givenId: Resource['givenId'] },
) {
  const { properties, required } = document.schemas.describeSent(holder);
  const schema = document.schemas.resolve(properties[inner] ?? {});
  // Who may give a name often must, whatever the schema says.
  const isGiven = required.includes(inner) || givenId === 'sometimes';
  return { inner, fresh: isGiven ? freshValue(schema) : undefined };
}

/** The object that has the id, with another id in each request, or with none. */
function toHolder(
  { inner, fresh }: { inner: string; fresh: string | undefined },
  made: unknown,
): Fields {
  const others = withoutAt(membersOf(made) ?? {}, inner);
  return fresh === undefined ? others : { ...others, [inner]: fresh };
}

/** Whether a body needs a value that another item may have. */
function isUnsure({ required, isUnique, schema }: BodyPlan['properties'][number]): boolean {
  return required && isUnique && freshValue(schema) === undefined;
}

/** Whether a body needs a value of a form that none is known for. */
function isGuessed({ required, made, schema }: BodyPlan['properties'][number]): boolean {
  const { type, pattern } = schema;
  const isAny = typeof pattern !== 'string' && type !== 'array' && type !== 'object';
  return required && made === undefined && !isAny;
}

/**
 * Returns the fields of a valid body: the required properties, then `extra`. A value that the
 * deployment must know comes from a listed item or the example. Texts and unique values are new, so
 * that no create returns an item of others.
 */
export function validFields(plan: BodyPlan, marker: string, extra: Fields = {}): Fields {
  const fields: Record<string, unknown> = {};
  const [example = {}] = Object.values(plan.examples);
  for (const property of plan.properties) {
    const { name, schema, required, made, isUnique, isReference, isNaming, id } = property;
    // An interface in prose says which numbers a deployment knows.
    const isPlain = schema.type === 'string' || (schema.type === 'integer' && !plan.isWorded);
    const isOwn = isUnique || (isPlain && !isReference);
    const secret = (isNaming ? undefined : secretFor(name, schema)) ?? made;
    const free = isOwn ? freshValue(schema) : undefined;
    const fresh = required ? (free ?? (isUnique ? variedText(schema) : undefined)) : undefined;
    if (name === plan.markerProperty) fields[name] = marker;
    else if (name === plan.tokenProperty) fields[name] = freshValue(schema);
    else if (required && holdsSecret(secret)) fields[name] = secret;
    else if (required && ((isNaming && made !== undefined) || typeof made === 'boolean'))
      fields[name] = made;
    else if (fresh !== undefined) {
      // Times that are made here are in order; one of another item may not fit in.
      const isNew = isUnique || schema.format === 'date-time';
      fields[name] = isNew ? fresh : knownValue(`${plan.resource}.${name}`, fresh);
    } else if (id && (required || id.fresh)) fields[name] = toHolder(id, made);
    else if (required)
      fields[name] = Array.isArray(schema.enum)
        ? schema.enum[0]
        : 'const' in schema
          ? schema.const
          : plan.form && typeof made === 'object'
            ? (example[name] ?? made)
            : knownValue(`${plan.resource}.${name}`, example[name] ?? made ?? defaultValue(schema));
  }
  return { ...fields, ...extra };
}

/** Whether a valid body takes a value from an item that a list shows. */
export function takesListedValue(plan: BodyPlan): boolean {
  return Object.values(validFields(plan, '')).some(isPlaceholder);
}

/**
 * JSON text of a body with the fields, in which `{{known...}}` and `{{number}}` stand unquoted,
 * so that any JSON value can take their place.
 */
export function toBodyText({ parts: { wrapper } }: BodyPlan, fields: Fields): string {
  const inner = toValueText(fields);
  if (!wrapper) return inner;
  const besides = toValueText(wrapper.besides).slice(1, -1);
  return `{${besides === '' ? '' : `${besides},`}${JSON.stringify(wrapper.property)}:${inner}}`;
}

/** JSON text of a value, in which placeholders for JSON values stand unquoted. */
export function toValueText(value: unknown): string {
  return toJson(value).replace(/"(\{\{(?:known\.[^"\\]*|number)\}\}(?:\.5)?)"/g, '$1');
}

function isPlaceholder(value: unknown): boolean {
  return toValueText(value) !== toJson(value);
}

/** Whether a value is a list of objects: one that is required is rarely meant to be empty. */
function holdsObjects(document: Api, schema: Schema): boolean {
  const { type, items } = document.schemas.resolve(schema);
  return type === 'array' && document.schemas.resolve((items ?? {}) as Schema).type === 'object';
}

/** Whether a form says clearly what a value is: of lists and objects by the document's encoding. */
export function isClearIn({ encoding }: Content, name: string, value: unknown): boolean {
  if (typeof value !== 'object') return true;
  const isFilled = value !== null && Object.keys(value).length > 0;
  return isFilled && encoding[name]?.style !== undefined;
}

/** The placeholder for the value that a listed item has for a property, or the fallback. */
function knownValue(name: string, fallback: unknown): string {
  return `{{known.${name}|${encodeURIComponent(toValueText(fallback))}}}`;
}

function defaultValue({ type, minimum = 1 }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'text';
}
