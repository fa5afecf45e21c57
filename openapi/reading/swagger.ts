import { isObject } from '../../common/json.ts';
import { toEssence } from '../../common/media-type.ts';
import { textOf } from '../../common/text-of.ts';
import { follow, type RawDocument, resolveQuietly } from '../schema.ts';
import { isReference, methods, type Place } from './parts.ts';
import type { Below, Places } from './places.ts';

/** Sections of Swagger 2.0, and where OpenAPI 3 has them. */
const sections = [
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
  ['securityDefinitions', 'securitySchemes'],
] as const;

/** The media types that operations send and take by default. */
type Context = {
  consumes: readonly string[];
  produces: readonly string[];
  /** Returns a parameter with its reference followed. */
  resolve: (parameter: unknown) => RawDocument;
  places: Places;
  /** Converted parameters, and responses by the media types that they got: operations may share one. */
  made: {
    parameters: Map<RawDocument, RawDocument>;
    responses: Map<RawDocument, Map<string, RawDocument>>;
    done: Set<RawDocument>;
  };
};

/** Makes a Swagger 2.0 document one of OpenAPI 3.0, in place. `places` gets where its parts were. */
export function convertSwagger(document: RawDocument, places: Places): void {
  const given = { parameters: { ...document.parameters } };
  const context: Context = {
    consumes: listOf(document.consumes, ['application/json']),
    produces: listOf(document.produces, ['application/json']),
    resolve(parameter) {
      if (!isObject(parameter)) return {};
      const target = typeof parameter.$ref === 'string' && follow(given, parameter.$ref);
      return isObject(target) ? target : parameter;
    },
    places,
    made: { parameters: new Map(), responses: new Map(), done: new Set() },
  };
  document.openapi = '3.0.4';
  document.servers = toServers(document);
  document.components = isObject(document.components) ? document.components : {};
  for (const [before, after] of sections) {
    if (document[before] === undefined) continue;
    document.components[after] = document[before];
    places.note(document[before], `/${before}`);
  }
  const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    isObject(item) && !path.startsWith('x-') ? [item] : [],
  );
  const items = new Set(described);
  for (const item of items) copyResponses(item, document, context);
  convertComponents(document.components, context);
  for (const item of items) convertPathItem(item, context);
  for (const [before] of sections) delete document[before];
  for (const name of ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces'])
    delete document[name];
}

/** Makes a reference, or a schema, of Swagger 2.0 one of OpenAPI 3.0, in place. */
export function convertPart(part: unknown, { kind }: Place): void {
  if (!isObject(part)) return;
  if (typeof part.$ref === 'string') part.$ref = toNewReference(part.$ref);
  if (kind === 'schema') convertSchema(part);
}

function toServers({ host, basePath, schemes }: RawDocument): RawDocument[] {
  const path = typeof basePath === 'string' ? basePath : '/';
  if (typeof host !== 'string') return [{ url: path }];
  return listOf(schemes, ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

function convertComponents(components: RawDocument, context: Context): void {
  const { parameters = {}, responses = {}, securitySchemes = {} } = components;
  for (const [name, scheme] of Object.entries(securitySchemes))
    if (isObject(scheme)) securitySchemes[name] = toSecurityScheme(scheme);
  for (const response of Object.values(responses))
    if (isObject(response)) convertResponse(response, context);
  // Those of a body are taken in where they are used.
  for (const [name, parameter] of Object.entries<RawDocument>(parameters))
    if (isBody(parameter)) delete parameters[name];
    else if (isObject(parameter)) parameters[name] = toParameter(parameter, context);
}

function isBody(parameter: unknown): boolean {
  return isObject(parameter) && (parameter.in === 'body' || parameter.in === 'formData');
}

/**
 * Gives operations responses of their own, in place, as they get their media types. References to
 * `#/responses/` stay where these are those of the document.
 */
function copyResponses(item: RawDocument, document: RawDocument, context: Context) {
  const { places, made } = context;
  for (const method of methods) {
    const operation: RawDocument | undefined = item[method];
    if (!isObject(operation?.responses)) continue;
    const produces = listOf(operation.produces, context.produces);
    const isUsual = produces === context.produces;
    const key = produces.join();
    const toOwn = (response: RawDocument): RawDocument => {
      const isKept = isUsual && textOf(response?.$ref).startsWith('#/responses/');
      const target = isKept ? undefined : resolveQuietly(document, response);
      if (!isObject(target)) return response;
      const copies = made.responses.get(target) ?? new Map<string, RawDocument>();
      made.responses.set(target, copies);
      const known = copies.get(key);
      if (known) return known;
      const own = isObject(target.headers) ? { headers: { ...target.headers } } : {};
      const copy = { ...target, ...own };
      copies.set(key, copy);
      places.move(target, copy);
      for (let from: unknown = response; isReference(from); from = follow(document, from.$ref))
        if (follow(document, from.$ref) === target) places.note(copy, toPointer(from));
      return copy;
    };
    const responses = Object.entries<RawDocument>(operation.responses);
    operation.responses = Object.fromEntries(
      responses.map(([status, response]) => [status, toOwn(response)]),
    );
  }
}

/** Returns the place that a reference leads to. */
function toPointer({ $ref }: RawDocument): string {
  return decodeURIComponent(textOf($ref).slice(1));
}

function convertPathItem(item: RawDocument, context: Context): void {
  const shared = parametersOf(item);
  for (const method of methods)
    if (isObject(item[method])) convertOperation(item[method], shared, context);
  convertParameters(item, context);
}

function parametersOf({ parameters }: RawDocument): unknown[] {
  return Array.isArray(parameters) ? parameters : [];
}

/** Leaves the parameters that are no body. */
function convertParameters(holder: RawDocument, context: Context): void {
  if (!Array.isArray(holder.parameters)) return;
  const left = Symbol('a body');
  const written = holder.parameters.map((parameter) => {
    if (isBody(context.resolve(parameter))) return left;
    return isObject(parameter) ? toParameter(parameter, context) : parameter;
  });
  holder.parameters = written.filter((one) => one !== left);
  context.places.noteOrder(holder.parameters, written);
}

/** A parameter that describes a body, or a part of one, and where it is seen from its operation. */
type BodyPart = { part: RawDocument; placeIn: (depth: number) => string | Below };

/** Returns the parameters of a body in a list, so many levels above what the operation holds. */
function bodyPartsIn(list: readonly unknown[], up: number, { resolve }: Context): BodyPart[] {
  return list.flatMap((parameter, index) => {
    const part = resolve(parameter);
    if (!isBody(part)) return [];
    const placeIn = (depth: number): string | Below =>
      part === parameter
        ? { up: up + depth, below: `/parameters/${index}` }
        : toPointer(parameter as RawDocument);
    return { part, placeIn };
  });
}

function convertOperation(
  operation: RawDocument,
  shared: readonly unknown[],
  context: Context,
): void {
  const own = {
    ...context,
    consumes: listOf(operation.consumes, context.consumes),
    produces: listOf(operation.produces, context.produces),
  };
  const ownBodies = bodyPartsIn(parametersOf(operation), 1, context);
  const bodies = ownBodies.length > 0 ? ownBodies : bodyPartsIn(shared, 2, context);
  if (bodies.length > 0) operation.requestBody = toRequestBody(bodies, own);
  convertParameters(operation, own);
  for (const response of Object.values(operation.responses ?? {}))
    if (isObject(response)) convertResponse(response, own);
  for (const name of ['consumes', 'produces', 'schemes']) delete operation[name];
}

function convertResponse(response: RawDocument, context: Context): void {
  if (context.made.done.has(response)) return;
  context.made.done.add(response);
  const { schema, examples, headers } = response;
  const shown: RawDocument = isObject(examples) ? examples : {};
  const produced = schema === undefined ? [] : context.produces;
  const essences = Object.groupBy(Object.keys(shown), toEssence);
  const exampleOf = (type: string) => shown[type] ?? shown[essences[toEssence(type)]?.[0] ?? ''];
  const known = new Set(produced.map(toEssence));
  const others = Object.keys(shown).filter((type) => !known.has(toEssence(type)));
  const types = [...produced, ...others];
  if (types.length > 0) response.content = {};
  for (const type of types) {
    const example = exampleOf(type);
    response.content[type] = {
      ...(schema !== undefined && { schema }),
      ...(example !== undefined && { example }),
    };
  }
  context.places.note(schema, { up: 3, below: '/schema' });
  delete response.schema;
  delete response.examples;
  if (!isObject(headers)) return;
  for (const [name, header] of Object.entries(headers))
    if (isObject(header)) headers[name] = toParameter(header, context);
}

/** Keywords that a parameter of Swagger 2.0 has itself, and one of OpenAPI 3 in its schema. */
export const parameterKeywords = [
  ...['type', 'format', 'items', 'default', 'enum', 'pattern', 'uniqueItems', 'multipleOf'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength'],
  ...['maxItems', 'minItems', 'x-nullable'],
];

/** How lists were written, and the style that says the same. */
const styles: Readonly<Record<string, RawDocument>> = {
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};

/** Returns how a list is written, with commas by default; nothing of other values and of files. */
function styleOf({ in: place, type, items, collectionFormat }: RawDocument): RawDocument {
  if (type !== 'array' || items?.type === 'file') return {};
  const isForm = place === 'query' || place === 'formData';
  return styles[collectionFormat] ?? (isForm ? { style: 'form', explode: false } : {});
}

function toParameter(parameter: RawDocument, { places, made }: Context): RawDocument {
  if (parameter.$ref !== undefined) return parameter;
  const known = made.parameters.get(parameter);
  if (known) return known;
  const { collectionFormat: _, ...others } = parameter;
  const kept = Object.entries(others).filter(([name]) => !parameterKeywords.includes(name));
  const schema = toSchema(parameter);
  const converted = { ...Object.fromEntries(kept), schema, ...styleOf(parameter) };
  made.parameters.set(parameter, converted);
  places.move(parameter, converted);
  places.note(schema, { up: 1, below: '' });
  return converted;
}

function toSchema(parameter: RawDocument): RawDocument {
  // One of OpenAPI 3 may stand in a document of 2.0.
  const schema: RawDocument = { ...(isObject(parameter.schema) && parameter.schema) };
  for (const keyword of parameterKeywords)
    if (parameter[keyword] !== undefined) schema[keyword] = parameter[keyword];
  if (isObject(schema.items)) schema.items = toSchema(schema.items);
  return schema;
}

const forms = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** The body that parameters `in: body` or `in: formData` describe. */
function toRequestBody(parts: readonly BodyPart[], { consumes, places }: Context): RawDocument {
  const body = parts.find(({ part }) => part.in === 'body');
  if (body) {
    const { schema = {}, required, description } = body.part;
    const converted = {
      ...(description !== undefined && { description }),
      content: Object.fromEntries(consumes.map((type) => [type, { schema }])),
      ...(required === true && { required }),
    };
    places.move(body.part, converted);
    places.note(converted, body.placeIn(0));
    places.note(schema, { up: 3, below: '/schema' });
    return converted;
  }
  const written = parts.filter(({ part }) => typeof part.name === 'string');
  const fields = written.map(({ part }) => part);
  const types = consumes.filter((type) => forms.includes(type));
  const byDefault = forms[fields.some(({ type }) => type === 'file') ? 0 : 1] as string;
  const properties = written.map(({ part, placeIn }) => {
    const { name, description } = part;
    const schema = toSchema(part);
    places.move(part, schema);
    places.note(schema, placeIn(5));
    return [name, Object.assign(schema, description !== undefined && { description })];
  });
  const required = fields.filter((field) => field.required === true).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const sent = types.length > 0 ? types : [byDefault];
  const encoding = Object.fromEntries(
    fields.map((field) => [field.name, styleOf(field)]).filter(([, { style }]) => style),
  );
  return {
    content: Object.fromEntries(sent.map((type) => [type, { schema, encoding }])),
    ...(required.length > 0 && { required: true }),
  };
}

function listOf(value: unknown, otherwise: readonly string[]): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return texts.length > 0 ? texts : otherwise;
}

function convertSchema(schema: RawDocument): void {
  const { 'x-nullable': nullable, discriminator, type } = schema;
  if (nullable === true) schema.nullable = true;
  if (typeof discriminator === 'string') schema.discriminator = { propertyName: discriminator };
  if (type === 'file') Object.assign(schema, { type: 'string', format: 'binary' });
}

function toNewReference($ref: string): string {
  for (const [before, after] of sections)
    if ($ref.startsWith(`#/${before}/`))
      return `#/components/${after}/${$ref.slice(before.length + 3)}`;
  return $ref;
}

const flows: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

function toSecurityScheme(scheme: RawDocument): RawDocument {
  const { type, flow, authorizationUrl, tokenUrl, scopes = {}, ...others } = scheme;
  if (type === 'basic') return { ...others, type: 'http', scheme: 'basic' };
  if (type !== 'oauth2') return scheme;
  const urls = {
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(tokenUrl !== undefined && { tokenUrl }),
  };
  return { ...others, type, flows: { [flows[flow] ?? textOf(flow)]: { ...urls, scopes } } };
}
