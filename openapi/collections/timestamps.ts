import { toPlainName, wordsOf } from '../../common/words.ts';
import { isMarked } from '../marks.ts';
import { typesOf } from '../model/id-form.ts';
import type { Stamp, TimeForm } from '../model/operation.ts';
import type { Resource } from '../model/resource.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { objectAlternative } from './schema-types.ts';
import { bodySchemaOf } from './success.ts';

/** A property that says when its item was created, or changed last. */
export type Timestamp = Stamp & {
  of: 'creation' | 'update';
  /** Whether the service alone sets it: no body may. */
  isOfService: boolean;
};

const creation =
  /^(date)?(created|inserted|creation|create(?=time|date))(at|on|date|time|datetime|timestamp)?$/;
const update =
  /^(date)?(last)?(updated|modified|changed|update|modification)(at|on|date|time|datetime|timestamp)?$/;

/** The properties of items of a collection that hold when they were created or changed. */
export function findTimestamps(raw: RawDocument, resource: Resource): Timestamp[] {
  const { item, operations } = resource;
  const bodies = Object.values(operations)
    .map((operation) => flatten(raw, bodySchemaOf(raw, operation)).properties)
    .filter((properties) => Object.keys(properties).length > 0);
  const isSent = (name: string) =>
    bodies.some((body) => Object.hasOwn(body, name) && !isMarked(raw, body[name], 'readOnly'));
  return Object.entries(item.properties).flatMap(([property, schema]) => {
    const of = eventOf(property);
    const form = of && timeFormOf(raw, property, schema);
    if (!form) return [];
    const isOfService =
      isMarked(raw, schema, 'readOnly') || (bodies.length > 0 && !isSent(property));
    return [{ property, of, form, isOfService }];
  });
}

function eventOf(property: string): Timestamp['of'] | undefined {
  const name = toPlainName(property);
  if (creation.test(name)) return 'creation';
  return update.test(name) ? 'update' : undefined;
}

/** How a property holds a time; undefined where it is not described as one: a number may be a count. */
export function timeFormOf(raw: RawDocument, property: string, node: Schema): TimeForm | undefined {
  const schema = objectAlternative(raw, node);
  if (!schema) return undefined;
  const [type, ...others] = typesOf(schema);
  if (others.length > 0) return undefined;
  const shown: unknown = schema.example ?? schema.examples?.[0] ?? schema.default;
  if (type === 'string') {
    if (schema.format === 'date-time' || schema.format === 'date') return schema.format;
    if (schema.format !== undefined) return undefined;
    if (typeof shown !== 'string') return textFormOf(property, schema);
    if (/^\d{4}-\d\d-\d\d$/.test(shown)) return 'date';
    return /^\d{4}-\d\d-\d\dT/.test(shown) ? 'date-time' : undefined;
  }
  return type === 'integer' || type === 'number' ? epochFormOf(property, schema, shown) : undefined;
}

/** How a text that nothing more is said of holds a time, as values are made by its name. */
function textFormOf(
  property: string,
  { enum: values, pattern }: RawDocument,
): TimeForm | undefined {
  const [first, ...words] = wordsOf(property);
  const last = words.at(-1) ?? first ?? '';
  if (values !== undefined || pattern !== undefined) return undefined;
  if (last === 'date') return 'date';
  return last === 'timestamp' || (words.length > 0 && ['at', 'on'].includes(last))
    ? 'date-time'
    : undefined;
}

/** Whether a number is a time from 2001 to 2065, as seconds since 1970. */
const isInSeconds = (value: unknown) => Number(value) >= 1e9 && Number(value) < 3e9;

/** How a number holds a time; undefined where nothing says that it does. */
export function epochFormOf(
  property: string,
  schema: RawDocument,
  shown: unknown,
): TimeForm | undefined {
  const said = `${schema.format ?? ''} ${schema.description ?? ''}`.toLowerCase();
  if (isInSeconds(shown)) return 'seconds';
  if (isInSeconds(Number(shown) / 1000) || /milli|\bms\b/.test(said)) return 'milliseconds';
  if (/unix|epoch|seconds|timestamp/.test(said)) return 'seconds';
  const last = wordsOf(property).at(-1) ?? '';
  if (!/^(\w*(creat|insert|updat|modif|chang)\w*)?(at|on|date|time|timestamp|ts)$/.test(last))
    return undefined;
  return schema.format === 'int64' ? 'milliseconds' : 'seconds';
}
