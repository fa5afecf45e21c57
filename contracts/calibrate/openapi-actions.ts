import { planBodies } from '../cases/bodies.ts';
import { applyOverlay } from '../description/apply-overlay.ts';
import type { ApiDocument, Operation, Resource } from '../description/document.ts';
import { isObject, type RawDocument } from '../description/schema.ts';
import type { Form } from '../silences/reading.ts';
/** An action of an overlay that says a pin in OpenAPI's own words, for other tools. */
export type OpenApiAction = { target: string; 'x-silence': string; update: RawDocument };

type Found = { silence: string; answer: unknown };

/**
 * What pins say in OpenAPI's own words: defaults, bounds, further properties and responses. Only
 * what the document does not say is added.
 */
export function toOpenApiActions(document: ApiDocument, pins: readonly Found[]): OpenApiAction[] {
  const actions: OpenApiAction[] = [];
  const asked = findAsked(document);
  let { raw } = document;
  for (const { silence, answer } of pins)
    for (const { place, update } of additionsOf(silence, answer, { ...document, raw }, asked)) {
      const added = newIn(at(raw, place), update);
      if (added === undefined) continue;
      const action = { target: toPath(place), 'x-silence': silence, update: added };
      actions.push(action);
      // What several pins say is said once.
      raw = applyOverlay(raw, { file: 'pins', actions: [action] });
    }
  return actions;
}

/** The properties whose values are asked about: a text and an integer. */
type Asked = { text?: string | undefined; integer?: string | undefined };

function findAsked(document: ApiDocument): Asked {
  const [resource] = document.resources;
  if (!resource) return {};
  const { markerProperty, properties } = planBodies(document, resource);
  const integer = properties.find(({ schema }) => schema.format === 'int64')?.name;
  return { text: markerProperty, integer };
}

function additionsOf(
  silence: string,
  answer: unknown,
  { raw, resources, operations }: Pick<ApiDocument, 'raw' | 'resources' | 'operations'>,
  asked: Asked,
): Addition[] {
  const own: Partial<Resource['operations']> = resources[0]?.operations ?? {};
  const create = own.create && requestSchemaOf(raw, own.create);
  const read = own.read && responseSchemaOf(raw, own.read, '200');
  const { text, integer } = asked;
  const call = operations.find(({ kind, method }) => kind === undefined && method === 'GET');
  const described: Readonly<Record<string, () => Addition[]>> = {
    'default-status': () =>
      Object.entries(fieldsOf(answer)).flatMap(([name, value]) =>
        onProperty(raw, create, name, { default: value }),
      ),
    'empty-name': () => (formOf(answer) ? onProperty(raw, create, text, { minLength: 1 }) : []),
    'unusual-name': () => {
      const { max } = fieldsOf(answer);
      return max === undefined ? [] : onProperty(raw, create, text, { maxLength: max });
    },
    'unknown-category': () => {
      const { belowOne, belowZero } = fieldsOf(answer);
      const minimum = formOf(belowOne) ? 1 : formOf(belowZero) ? 0 : undefined;
      return minimum === undefined ? [] : onProperty(raw, create, integer, { minimum });
    },
    'further-members': () =>
      read === undefined || !isObject(answer)
        ? []
        : [{ place: read, update: { properties: toSchema(answer).properties } }],
    'orders-payload': () => onResponses(raw, call, answer),
  };
  const refused = refusing[silence];
  const operation = refused && own[refused];
  return [
    ...(described[silence]?.() ?? []),
    ...(operation ? formsIn(answer).flatMap((form) => onResponses(raw, operation, form)) : []),
  ];
}

type Addition = { place: Place; update: RawDocument };

/** The operations that refuse what a silence is about. */
const refusing: Readonly<Record<string, 'list' | 'create' | 'read'>> = {
  'limit-out-of-range': 'list',
  'unknown-status-filter': 'list',
  'unknown-query-parameter': 'list',
  'unknown-body-field': 'create',
  'unknown-category': 'create',
  'integer-range': 'create',
  'empty-name': 'create',
  'unusual-name': 'create',
  'repeated-create': 'create',
  'media-type': 'create',
  'body-size': 'create',
  'pet-id-form': 'read',
};

function fieldsOf(answer: unknown): RawDocument {
  return isObject(answer) ? answer : {};
}

function formOf(answer: unknown): Partial<Form> | undefined {
  if (typeof answer === 'number') return { status: answer };
  return isObject(answer) && typeof answer.status === 'number' ? answer : undefined;
}

/** An answer that is a form, or the forms among its parts. */
function formsIn(answer: unknown): Partial<Form>[] {
  const form = formOf(answer);
  if (form) return [form];
  const parts = Object.entries(fieldsOf(answer)).filter(([name]) => !figures.has(name));
  return parts.flatMap(([, part]) => formOf(part) ?? []);
}

/** The parts of answers that are numbers, but no statuses. */
const figures: ReadonlySet<string> = new Set(['max', 'from', 'to']);

function onResponses(
  raw: RawDocument,
  operation: Operation | undefined,
  answer: unknown,
): Addition[] {
  const form = formOf(answer);
  if (!operation || !form?.status) return [];
  const status = String(form.status);
  const place = [...placeOf(operation), 'responses'];
  const stated = at(raw, place);
  const isStated = [status, `${status[0]}XX`, 'default'].some((key) => stated?.[key] !== undefined);
  if (!isStated) return [{ place, update: { [status]: toResponse(raw, form) } }];
  const schema = responseSchemaOf(raw, operation, status);
  const isBare = schema !== undefined && Object.keys(at(raw, schema) ?? {}).every(isNoKeyword);
  return isBare && form.json !== undefined ? [{ place: schema, update: toSchema(form.json) }] : [];
}

function isNoKeyword(name: string): boolean {
  return name.startsWith('x-') || name === 'description';
}

function toResponse(
  raw: RawDocument,
  { code, message, members, json, text, mediaType, status }: Partial<Form>,
) {
  const description = 'Seen by calibrate, and not stated.';
  if (text === '') return { description };
  const type = (mediaType ?? 'application/json').replace(/;.*/s, '').trim();
  if (text !== undefined)
    return { description, content: { [type]: { schema: { type: 'string' } } } };
  const error = raw.components?.schemas?.Error
    ? { $ref: '#/components/schemas/Error' }
    : { type: 'object' };
  const isWhole = code !== undefined && message !== undefined;
  const content =
    json !== undefined
      ? { schema: toSchema(json) }
      : { schema: error, ...(isWhole && { example: { code, message, status, ...members } }) };
  return { description, content: { [type]: content } };
}

/** A schema of a property says this, if the schema around it lists the property itself. */
function onProperty(
  raw: RawDocument,
  schema: Place | undefined,
  name: string | undefined,
  update: RawDocument,
): Addition[] {
  if (schema === undefined || name === undefined) return [];
  const place = [...schema, 'properties', name];
  return at(raw, place) ? [{ place, update }] : [];
}

/** The members of an update that a node does not have; undefined where it has all of them. */
function newIn(node: RawDocument | undefined, update: RawDocument): RawDocument | undefined {
  if (!node) return undefined;
  const added = Object.entries(update).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(node, name)) return [[name, value]];
    const inner = isObject(node[name]) && isObject(value) ? newIn(node[name], value) : undefined;
    return inner === undefined ? [] : [[name, inner]];
  });
  return added.length === 0 ? undefined : Object.fromEntries(added);
}

/** The keys that lead to a node of a document. */
type Place = readonly string[];

/** The place of an operation. */
function placeOf({ path, method }: Operation): Place {
  return ['paths', path, method.toLowerCase()];
}

/** The place of the schema of an operation's JSON body. */
function requestSchemaOf(raw: RawDocument, operation: Operation): Place | undefined {
  return schemaIn(raw, follow(raw, [...placeOf(operation), 'requestBody']));
}

/** The place of the schema of a JSON response. */
function responseSchemaOf(raw: RawDocument, operation: Operation, status: string) {
  return schemaIn(raw, follow(raw, [...placeOf(operation), 'responses', status]));
}

function schemaIn(raw: RawDocument, place: Place): Place | undefined {
  const schema = [...place, 'content', 'application/json', 'schema'];
  return at(raw, schema) === undefined ? undefined : follow(raw, schema);
}

/** The place of what a `$ref` within the document leads to. */
function follow(raw: RawDocument, place: Place, left = 20): Place {
  const { $ref } = at(raw, place) ?? {};
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || left === 0) return place;
  const keys = $ref.slice(2).split('/');
  const unescaped = keys.map((key) =>
    decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  return follow(raw, unescaped, left - 1);
}

/** The object at a place, if there is one. */
function at(raw: RawDocument, place: Place): RawDocument | undefined {
  let node: unknown = raw;
  for (const key of place)
    node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return isObject(node) ? node : undefined;
}

/** A JSONPath to a place (RFC 9535). */
function toPath(place: Place): string {
  const steps = place.map((key) =>
    /^[A-Za-z_]\w*$/.test(key)
      ? `.${key}`
      : `['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`,
  );
  return `$${steps.join('')}`;
}

/** A schema that JSON of this shape keeps, and that asks for no member. */
function toSchema(value: unknown): RawDocument {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value))
    return value.length === 0
      ? { type: 'array', items: {} }
      : { type: 'array', items: toSchema(value[0]) };
  if (isObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, toSchema(member)]),
      ),
    };
  return { type: typeof value === 'bigint' ? 'integer' : typeof value };
}
