import { isObject, stringifyExact } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { formTypes, isYamlMedia, jsonPatchType } from '../../common/media-type.ts';
import { withAt, withoutAt } from '../../common/property-path.ts';
import type { Content, Operation, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { toFormParts, writeBody } from '../../openapi/model/write-body.ts';
import type { Call } from '../curl/to-curl.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { fits } from '../json/validator.ts';
import { type BodySources, type ExampleSources, toUsable } from './example-fields.ts';

/** Writes a value as XML in the form that a schema gives it. */
export type WriteXml = (schema: Schema, value: unknown) => string;

/**
 * A body as text, with its media type unless that is `application/json`, and the fields of a
 * multipart form.
 */
export type ExampleBody = Required<Pick<Call, 'body'>> & Pick<Call, 'mediaType' | 'parts'>;

/**
 * The body of a call that succeeds: about the item in the path, and like no other item. Undefined
 * where the document has no body that the twin accepts, and none can be made.
 */
export async function toExampleBody(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  sources: ExampleSources & { writeXml: WriteXml | undefined },
): Promise<ExampleBody | undefined> {
  const { body, otherBody, readAs: read = operation } = operation;
  const resource = findResource(sources.document, read);
  const own = resource && (await findOwn(read, resource, path, sources));
  const ofItem = resource && { ...sources, operation: read, resource, own };
  const withIds = createWithIds(operation, path, sources);
  const json = body && (await toJson(body, sources, { ofItem, withIds }));
  if (json !== undefined) {
    const types = body?.mediaTypes ?? ['application/json'];
    const [mediaType = 'application/json'] = types;
    return types.includes('application/json') ? { body: json } : { body: json, mediaType };
  }
  // A body of the first media type that it can be written in.
  for (const content of otherBody?.contents ?? []) {
    const { schema = {}, examples } = content;
    const made = sources.make(schema, Object.values(examples));
    const value = withIds(ofItem ? await toUsable(made, schema, ofItem) : made, schema);
    const written = writeExample(content, value, sources.writeXml);
    if (written) return written;
  }
  return undefined;
}

/**
 * Creates a step that adds the ids that a body has in place of the path to an example of it, and leaves
 * out the cursors of pages, which no example knows.
 */
function createWithIds(
  { readAs }: Operation,
  path: Readonly<Record<string, string>>,
  { document }: ExampleSources,
) {
  const cursors = (readAs ? listRulesOf(readAs).paging : []).flatMap(
    ({ style, parameter, before }) => (style === 'cursor' ? [parameter, before] : []),
  );
  return (value: unknown, schema: Schema): unknown => {
    if (!readAs || !isObject(value)) return value;
    const { properties, required } = document.schemas.flatten(schema);
    const isCursor = ([name]: [string, unknown]) =>
      cursors.includes(name) && !required.includes(name);
    const own = Object.entries(value).filter((entry) => !isCursor(entry));
    const ids = Object.entries(path).flatMap(([name, text]) =>
      [text, Number(text)]
        .filter(
          (one) => Object.hasOwn(properties, name) && fits(document, properties[name] ?? {}, one),
        )
        .map((one) => [name, one] as const),
    );
    return { ...Object.fromEntries(own), ...Object.fromEntries(ids) };
  };
}

/** The item that a body replaces or changes; of one without an id in its path, the first. */
async function findOwn(
  operation: Operation,
  { name, idProperty, idSchema }: Resource,
  path: Readonly<Record<string, string>>,
  { store }: ExampleSources,
): Promise<Fields | undefined> {
  if (operation.kind !== 'replace' && operation.kind !== 'update') return undefined;
  const parameter = idParameterOf(operation);
  if (parameter === undefined) {
    const [first] = await store.list(name, { limit: 1 });
    return first && fieldsOf(first);
  }
  const id = path[parameter] ?? '';
  const found = await store.get(name, id);
  if (found) return fieldsOf(found);
  const isText = idSchema.type === 'string' || !Number.isSafeInteger(Number(id));
  return withAt({}, idProperty, isText ? id : Number(id));
}

/** The first that fits of the examples and of what is made, as JSON text. */
async function toJson(
  body: NonNullable<Operation['body']>,
  sources: ExampleSources,
  {
    ofItem,
    withIds,
  }: { ofItem: BodySources | undefined; withIds: ReturnType<typeof createWithIds> },
): Promise<string | undefined> {
  const examples = Object.values(body.examples);
  const { jsonPatch, mediaTypes: [firstType] = [] } = body;
  const isPatch = jsonPatch && (jsonPatch === body.schema || firstType === jsonPatchType);
  const schema = isPatch ? jsonPatch : body.schema;
  const made = sources.make(schema, examples);
  const patches = isPatch && ofItem ? toPatches(schema, ofItem) : [];
  const values = [...examples, ...patches, without(made, ofItem?.resource.idProperty), made];
  const usable: unknown[] = [];
  if (ofItem) for (const value of values) usable.push(await toUsable(value, schema, ofItem));
  const fitting = [...usable, ...values]
    .map((value) => withIds(value, schema))
    .find((value) => value !== undefined && fits(sources.document, schema, value, 'readOnly'));
  return stringifyExact(fitting);
}

/** JSON Patches that set one property of an item, each as the document spells what they do, and one of none. */
function toPatches(
  schema: Schema,
  { document: { schemas }, make, resource, own }: BodySources,
): unknown[] {
  const { items = {} } = schemas.resolve(schema) as { items?: Schema };
  const { enum: spelled = [] } = schemas.resolve(schemas.flatten(items).properties.op ?? {});
  const sets = Object.entries(resource.item.properties).flatMap(([name, property]) => {
    const value = own?.[name] ?? make(property);
    const wanted = own?.[name] === undefined ? 'add' : 'replace';
    const op = spelled.find((one: unknown) => String(one).toLowerCase() === wanted) ?? wanted;
    const isFixed = name === resource.idProperty || schemas.resolve(property).readOnly === true;
    return isFixed || value === undefined ? [] : [[{ op, path: `/${toToken(name)}`, value }]];
  });
  return [...sets, []];
}

/** A made value, or each of a made list, without the id, which the service assigns. */
function without(value: unknown, property?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, property));
  if (!isObject(value) || property === undefined) return value;
  return withoutAt(value, property);
}

/**
 * Writes an example as XML by its schema or as the document shows it. For a form or an unreadable
 * type without an example, writes a field or a word.
 */
function writeExample(
  content: Content,
  value: unknown,
  writeXml: WriteXml | undefined,
): ExampleBody | undefined {
  const { mediaType, schema, examples, isXml } = content;
  const [shown] = Object.values(examples);
  if ((isXml || isYamlMedia(mediaType)) && typeof shown === 'string')
    return { mediaType, body: shown };
  if (isXml) {
    const isWritable = schema !== undefined && typeof value === 'object' && value !== null;
    if (!isWritable || !writeXml) return undefined;
    return { mediaType, body: writeXml(schema, value).replace(/^<\?xml[^>]*\?>\s*/, '') };
  }
  const written = value === undefined ? undefined : writeBody(content, value);
  if (written && mediaType === 'multipart/form-data' && isObject(value)) {
    const parts = toFormParts(content, value).map((part) =>
      part.type !== undefined ? { ...part, isFile: true } : part,
    );
    return parts.length > 0 ? { ...written, parts } : written;
  }
  if (written) return written;
  if (formTypes.includes(mediaType))
    return schema === undefined ? writeBody(content, { name: 'value' }) : undefined;
  return { mediaType, body: typeof shown === 'string' ? shown : 'example' };
}
