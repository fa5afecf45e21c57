import { idParameterOf, type Reference } from '../../contracts/description/collections/resource.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
  type Schema,
} from '../../contracts/description/document.ts';
import { jsonPatchType } from '../../contracts/description/operation.ts';
import {
  hasAt,
  valueAt,
  withAll,
  withAt,
  withoutAt,
} from '../../contracts/description/property-path.ts';
import { toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Store } from '../state/store.ts';
import { createWithFreshValues } from './fresh-values.ts';
import { type Fields, isFields, mapFields } from './map-fields.ts';
import { takesPatchAlone, toPatchExamples } from './patch-example.ts';
import { createToStorable } from './storable.ts';
import type { Call } from './to-curl.ts';
import { type WriteXml, writeExample } from './write-example.ts';

/**
 * A body as text, with its media type where that is not `application/json`, and with its fields
 * where it is a multipart form.
 */
export type ExampleBody = Required<Pick<Call, 'body'>> & Pick<Call, 'mediaType' | 'parts'>;

/** Undefined where the document has no body that the twin accepts, and none can be made. */
export type ToExampleBody = (
  operation: Operation,
  path: Readonly<Record<string, string>>,
) => Promise<ExampleBody | undefined>;

type ExampleBodyOptions = {
  store: Pick<Store, 'get' | 'list' | 'listSerial'>;
  compileSchema: CompileSchema;
  writeXml?: WriteXml | undefined;
  /** Makes what fits a schema, of these examples if it can be. */
  make: (schema: Schema, examples?: readonly unknown[]) => unknown;
};

/** Makes the bodies of calls that succeed: about the item in the path, and like no other item. */
export function createToExampleBody(
  document: ApiDocument,
  { store, compileSchema, writeXml, make }: ExampleBodyOptions,
): ToExampleBody {
  const toStorable = createToStorable(document, compileSchema);
  const withKnownReferences = createWithKnownReferences(document, store);
  const withFreshValues = createWithFreshValues(document, store);
  /** The first of these values that fits a schema, as JSON text. */
  const findFitting = (values: Iterable<unknown>, schema: Schema): string | undefined => {
    const validate = compileSchema(schema, 'readOnly');
    for (const value of values) {
      const text = stringifyExact(value);
      if (text !== undefined && !validate(parseExact(text).doubles)) return text;
    }
    return undefined;
  };
  /** The item that a body replaces or changes; of one without an id in its path, the first. */
  const findOwn = async (
    operation: Operation,
    resource: Resource,
    path: Readonly<Record<string, string>>,
  ): Promise<Fields | undefined> => {
    if (operation.kind !== 'replace' && operation.kind !== 'update') return undefined;
    const { name, idProperty, idSchema } = resource;
    const parameter = idParameterOf(operation);
    const id = parameter === undefined ? undefined : (path[parameter] ?? '');
    const [found] =
      id === undefined
        ? await store.list(name, { filters: {}, limit: 1 })
        : [await store.get(name, id)];
    if (found) return parseExact(toText(found)).value as Fields;
    const isText = idSchema.type === 'string' || !Number.isSafeInteger(Number(id));
    return id === undefined ? undefined : withAt({}, idProperty, isText ? id : Number(id));
  };
  type Whole = { operation: Operation; resource: Resource | undefined; own: Fields | undefined };
  /** A body that the twin takes: with the id of its item, and with what it refers to. */
  const toUsable = async (
    value: unknown,
    schema: Schema,
    { operation, resource, own }: Whole,
  ): Promise<unknown> => {
    const storable = isFields(value) ? toStorable(operation, value, schema) : value;
    if (!resource) return storable;
    const { idProperty } = resource;
    const id = valueAt(own, idProperty);
    const isNamed = idParameterOf(operation) !== undefined;
    const withId = await mapFields(document, operation, storable, async (fields) =>
      id === undefined || (isNamed && !hasAt(fields, idProperty))
        ? fields
        : withAll(fields, { [idProperty]: id }),
    );
    return withKnownReferences(operation, await withFreshValues(operation, withId, id));
  };
  const toJson = async ({ operation, resource, own }: Whole): Promise<string | undefined> => {
    const { body } = operation;
    if (!body) return undefined;
    const examples = Object.values(body.examples);
    const whole = { operation, resource, own };
    if (resource && takesPatchAlone(operation)) {
      const makeFields = (schema: Schema) => toUsable(make(schema), schema, whole);
      const patches = { shown: examples, item: own, make: makeFields };
      return findFitting(await toPatchExamples(document, resource, patches), body.schema);
    }
    const made = make(body.schema, examples);
    const values = [...examples, without(made, resource?.idProperty), made];
    const usable: unknown[] = [];
    for (const value of values) usable.push(await toUsable(value, body.schema, whole));
    return findFitting([...usable, ...values], body.schema);
  };
  return async (operation, path) => {
    const { body, otherBody } = operation;
    const resource = findResource(document, operation);
    const own = resource && (await findOwn(operation, resource, path));
    const whole = { operation, resource, own };
    const json = await toJson(whole);
    if (json !== undefined) {
      const [mediaType = 'application/json'] = body?.mediaTypes ?? [];
      if (takesPatchAlone(operation)) return { body: json, mediaType: jsonPatchType };
      const isPlain = body?.mediaTypes?.includes('application/json') ?? true;
      return isPlain ? { body: json } : { body: json, mediaType };
    }
    // A body of the first media type that it can be written in.
    for (const content of otherBody?.contents ?? []) {
      const { schema = {}, examples } = content;
      const value = await toUsable(make(schema, Object.values(examples)), schema, whole);
      const written = writeExample(content, value, writeXml);
      if (written) return written;
    }
    return undefined;
  };
}

/** A made value, or each of a made list, without the id, which the service assigns. */
function without(value: unknown, property?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, property));
  if (!isFields(value) || property === undefined) return value;
  return withoutAt(value, property);
}

/** Has the references in a body name items that the store holds. */
type WithKnownReferences = (operation: Operation, body: unknown) => Promise<unknown>;

/** Makes what puts the first item in the place of each that is not there. */
function createWithKnownReferences(
  document: ApiDocument,
  store: Pick<Store, 'get' | 'list'>,
): WithKnownReferences {
  const findFirstId = async (collection: string): Promise<unknown> => {
    const target = document.resources.find(({ name }) => name === collection);
    const [first] = await store.list(collection, { filters: {}, limit: 1 });
    const item = (first && parseExact(toText(first)).value) as Fields | undefined;
    return target && valueAt(item, target.idProperty);
  };
  return async (operation, body) => {
    const resource = findResource(document, operation);
    const references = resource ? referencesOf(resource) : [];
    if (references.length === 0) return body;
    return mapFields(document, operation, body, async (fields) => {
      const filled: Record<string, unknown> = { ...fields };
      for (const { property, collection } of references) {
        const value = filled[property];
        if (value === undefined || value === null) continue;
        if ((await store.get(collection, String(value))) !== undefined) continue;
        filled[property] = (await findFirstId(collection)) ?? value;
      }
      return filled;
    });
  };
}

/** Its references, and the properties of a nested collection that hold the ids of parents. */
function referencesOf({ references = [], scope = [] }: Resource): Reference[] {
  const parents = scope.flatMap(({ property, parent }) =>
    property !== undefined && parent !== undefined ? [{ property, collection: parent }] : [],
  );
  return [...references, ...parents];
}
