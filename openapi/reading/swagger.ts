import { isObject } from '../../common/json.ts';
import { toEssence } from '../../common/media-type.ts';
import { textOf } from '../../common/text-of.ts';
import { follow, type RawDocument, resolveQuietly } from '../schema.ts';
import { methods, type Part, type Place, walkDocument } from './parts.ts';
import type { Places } from './places.ts';

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
};

/**
 * Makes a Swagger 2.0 document one of OpenAPI 3.0, in place. `places` gets where its parts were, all of
 * which are given.
 */
export function convertSwagger(
  document: RawDocument,
  places: Places,
  parts: readonly Part[],
): void {
  for (const one of parts) notePlaces(one, places);
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
  };
  document.openapi = '3.0.4';
  document.servers = toServers(document);
  document.components = isObject(document.components) ? document.components : {};
  for (const [before, after] of sections)
    if (document[before] !== undefined) document.components[after] = document[before];
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
  walkDocument(document, (part, { kind }) => {
    if (!isObject(part)) return;
    if (typeof part.$ref === 'string') part.$ref = toNewReference(part.$ref);
    if (kind === 'schema') convertSchema(part);
  });
}

/** Notes where a part is, and the schemas in it that OpenAPI 3 has elsewhere. */
function notePlaces({ part, place }: Part, places: Places): void {
  places.note(part, place);
  if (!isObject(part) || place.kind === 'schema') return;
  const within = (key: string, at: Pick<Place, 'pointer'>, inner: unknown) => {
    if (!isObject(inner)) return;
    const own = {
      get pointer() {
        return `${at.pointer}/${key}`;
      },
    };
    places.note(inner, own);
    if (key === 'items') within(key, own, inner.items);
  };
  if (place.kind === 'response') within('schema', place, part.schema);
  if (place.kind === 'parameter' || place.kind === 'header') within('items', place, part.items);
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
 * Gives each operation responses of its own, in place, as they get its media types. References to
 * `#/responses/` stay where these are those of the document.
 */
function copyResponses(item: RawDocument, document: RawDocument, { places, produces }: Context) {
  for (const method of methods) {
    const operation: RawDocument | undefined = item[method];
    if (!isObject(operation?.responses)) continue;
    const isUsual = listOf(operation.produces, produces) === produces;
    const toOwn = (response: RawDocument): RawDocument => {
      const target = resolveQuietly(document, response);
      const isKept = isUsual && textOf(response?.$ref).startsWith('#/responses/');
      if (!isObject(target) || isKept) return response;
      const own = isObject(target.headers) ? { headers: { ...target.headers } } : {};
      const copy = { ...target, ...own };
      places.move(target, copy);
      return copy;
    };
    const responses = Object.entries<RawDocument>(operation.responses);
    operation.responses = Object.fromEntries(
      responses.map(([status, response]) => [status, toOwn(response)]),
    );
  }
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
  holder.parameters = holder.parameters
    .filter((parameter) => !isBody(context.resolve(parameter)))
    .map((parameter) => (isObject(parameter) ? toParameter(parameter, context) : parameter));
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
  const bodies = [parametersOf(operation), shared]
    .map((parameters) => parameters.map(context.resolve).filter(isBody))
    .find(({ length }) => length > 0);
  if (bodies) operation.requestBody = toRequestBody(bodies, own);
  convertParameters(operation, own);
  for (const response of Object.values(operation.responses ?? {}))
    if (isObject(response)) convertResponse(response, own);
  for (const name of ['consumes', 'produces', 'schemes']) delete operation[name];
}

function convertResponse(response: RawDocument, context: Context): void {
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

/** A parameter or a header of OpenAPI 3. */
function toParameter(parameter: RawDocument, { places }: Context): RawDocument {
  if (parameter.$ref !== undefined) return parameter;
  const { collectionFormat: _, ...others } = parameter;
  const kept = Object.entries(others).filter(([name]) => !parameterKeywords.includes(name));
  const schema = toSchema(parameter, places);
  const converted = { ...Object.fromEntries(kept), schema, ...styleOf(parameter) };
  places.move(parameter, converted);
  return converted;
}

function toSchema(parameter: RawDocument, places: Places): RawDocument {
  // One of OpenAPI 3 may stand in a document of 2.0.
  const schema: RawDocument = { ...(isObject(parameter.schema) && parameter.schema) };
  places.move(parameter, schema);
  for (const keyword of parameterKeywords)
    if (parameter[keyword] !== undefined) schema[keyword] = parameter[keyword];
  if (isObject(schema.items)) schema.items = toSchema(schema.items, places);
  return schema;
}

const forms = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** The body that parameters `in: body` or `in: formData` describe. */
function toRequestBody(parts: readonly RawDocument[], { consumes, places }: Context): RawDocument {
  const body = parts.find((part) => part.in === 'body');
  if (body) {
    const { schema = {}, required, description } = body;
    const converted = {
      ...(description !== undefined && { description }),
      content: Object.fromEntries(consumes.map((type) => [type, { schema }])),
      ...(required === true && { required }),
    };
    places.move(body, converted);
    return converted;
  }
  const fields = parts.filter(({ name }) => typeof name === 'string');
  const types = consumes.filter((type) => forms.includes(type));
  const byDefault = forms[fields.some(({ type }) => type === 'file') ? 0 : 1] as string;
  const properties = fields.map((field) => {
    const { name, description } = field;
    const schema = toSchema(field, places);
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

/** A security scheme of OpenAPI 3. */
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
