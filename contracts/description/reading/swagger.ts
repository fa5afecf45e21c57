import { toToken } from '../json-pointer.ts';
import { follow, isObject, type RawDocument } from '../schema.ts';
import { type Undo, undo } from './moves.ts';
import { methods, walkDocument } from './parts.ts';

/** Sections of Swagger 2.0, and where OpenAPI 3 has them. */
const sections = [
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
  ['securityDefinitions', 'securitySchemes'],
] as const;

/** What operations send and take where they do not say it, and where their parameters were. */
type Context = {
  consumes: readonly string[];
  produces: readonly string[];
  /** What a parameter is, its reference followed. */
  resolve: (parameter: unknown) => RawDocument;
  moves: Map<string, string>;
};

/** A parameter, and its pointer. */
type Placed = { parameter: RawDocument; place: string };

/** Makes a Swagger 2.0 document one of OpenAPI 3.0, in place. */
export function convertSwagger(document: RawDocument): Undo {
  const given = { parameters: { ...document.parameters } };
  const context: Context = {
    consumes: listOf(document.consumes, ['application/json']),
    produces: listOf(document.produces, ['application/json']),
    resolve(parameter) {
      if (!isObject(parameter)) return {};
      const target = typeof parameter.$ref === 'string' && follow(given, parameter.$ref);
      return isObject(target) ? target : parameter;
    },
    moves: new Map(sections.map(([before, after]) => [`/components/${after}`, `/${before}`])),
  };
  document.openapi = '3.0.4';
  document.servers = toServers(document);
  document.components = {};
  for (const [before, after] of sections)
    if (document[before] !== undefined) document.components[after] = document[before];
  convertComponents(document.components, context);
  for (const [path, item] of Object.entries(document.paths ?? {}))
    if (isObject(item) && !path.startsWith('x-'))
      convertPathItem(item, `/paths/${toToken(path)}`, context);
  for (const [before] of sections) delete document[before];
  for (const name of ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces'])
    delete document[name];
  walkDocument(document, (part, { kind }) => {
    if (!isObject(part)) return;
    if (typeof part.$ref === 'string') part.$ref = toNewReference(part.$ref);
    if (kind === 'schema') convertSchema(part);
  });
  return (pointer) =>
    undo(pointer.replace(/(\/(?:parameters|headers)\/[^/]+)\/schema/, '$1'), context.moves).replace(
      /\/content\/[^/]+(?=\/schema)/,
      '',
    );
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
    else if (isObject(parameter)) parameters[name] = toParameter(parameter);
}

function isBody(parameter: unknown): boolean {
  return isObject(parameter) && (parameter.in === 'body' || parameter.in === 'formData');
}

function convertPathItem(item: RawDocument, pointer: string, context: Context): void {
  const shared = placedOf(item, pointer);
  for (const method of methods)
    if (isObject(item[method]))
      convertOperation(item[method], `${pointer}/${method}`, { shared, context });
  convertParameters(item, pointer, context);
}

/** The parameters of a path or of an operation. */
function placedOf({ parameters }: RawDocument, pointer: string): Placed[] {
  const list: RawDocument[] = Array.isArray(parameters) ? parameters : [];
  return list.map((parameter, index) => ({ parameter, place: `${pointer}/parameters/${index}` }));
}

/** Leaves those that are no body, at their new places. */
function convertParameters(holder: RawDocument, pointer: string, context: Context): void {
  if (!Array.isArray(holder.parameters)) return;
  const kept = placedOf(holder, pointer).filter(
    ({ parameter }) => !isBody(context.resolve(parameter)),
  );
  for (const [index, { place }] of kept.entries())
    context.moves.set(`${pointer}/parameters/${index}`, place);
  holder.parameters = kept.map(({ parameter }) =>
    isObject(parameter) ? toParameter(parameter) : parameter,
  );
}

function convertOperation(
  operation: RawDocument,
  pointer: string,
  { context, shared }: { context: Context; shared: readonly Placed[] },
): void {
  const own = {
    ...context,
    consumes: listOf(operation.consumes, context.consumes),
    produces: listOf(operation.produces, context.produces),
  };
  const bodies = [placedOf(operation, pointer), shared]
    .map((placed) => placed.filter(({ parameter }) => isBody(context.resolve(parameter))))
    .find(({ length }) => length > 0);
  if (bodies) operation.requestBody = toRequestBody(bodies, `${pointer}/requestBody`, own);
  convertParameters(operation, pointer, own);
  for (const response of Object.values(operation.responses ?? {}))
    if (isObject(response)) convertResponse(response, own);
  for (const name of ['consumes', 'produces', 'schemes']) delete operation[name];
}

function convertResponse(response: RawDocument, { produces }: Context): void {
  const { schema, examples, headers } = response;
  const shown: RawDocument = isObject(examples) ? examples : {};
  const types = new Set([...(schema === undefined ? [] : produces), ...Object.keys(shown)]);
  if (types.size > 0) response.content = {};
  for (const type of types)
    response.content[type] = {
      ...(schema !== undefined && { schema }),
      ...(shown[type] !== undefined && { example: shown[type] }),
    };
  delete response.schema;
  delete response.examples;
  if (!isObject(headers)) return;
  for (const [name, header] of Object.entries(headers))
    if (isObject(header)) headers[name] = toParameter(header);
}

/** Keywords that a parameter of Swagger 2.0 has itself, and one of OpenAPI 3 in its schema. */
const schemaKeywords = [
  ...['type', 'format', 'items', 'default', 'enum', 'pattern', 'uniqueItems', 'multipleOf'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength'],
  ...['maxItems', 'minItems', 'x-nullable'],
];

/** How lists were written, and the style that says the same. */
const styles: Readonly<Record<string, RawDocument>> = {
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};

/** A parameter or a header of OpenAPI 3. */
function toParameter(parameter: RawDocument): RawDocument {
  if (parameter.$ref !== undefined) return parameter;
  const { collectionFormat, ...others } = parameter;
  const kept = Object.entries(others).filter(([name]) => !schemaKeywords.includes(name));
  const converted = { ...Object.fromEntries(kept), schema: toSchema(parameter) };
  if (parameter.type !== 'array') return converted;
  const byDefault = parameter.in === 'query' && { style: 'form', explode: false };
  return { ...converted, ...(styles[collectionFormat] ?? byDefault) };
}

function toSchema(parameter: RawDocument): RawDocument {
  const schema: RawDocument = {};
  for (const keyword of schemaKeywords)
    if (parameter[keyword] !== undefined) schema[keyword] = parameter[keyword];
  if (isObject(schema.items)) schema.items = toSchema(schema.items);
  return schema;
}

const forms = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** The body that parameters `in: body` or `in: formData` describe. */
function toRequestBody(
  placed: readonly Placed[],
  pointer: string,
  { consumes, resolve, moves }: Context,
): RawDocument {
  const parts = placed.map(({ parameter, place }) => ({ ...resolve(parameter), place }));
  const body: RawDocument | undefined = parts.find((part: RawDocument) => part.in === 'body');
  if (body) {
    const { schema = {}, required, description, place } = body;
    moves.set(pointer, place);
    return {
      ...(description !== undefined && { description }),
      content: Object.fromEntries(consumes.map((type) => [type, { schema }])),
      ...(required === true && { required }),
    };
  }
  const fields: RawDocument[] = parts.filter(({ name }: RawDocument) => typeof name === 'string');
  const types = consumes.filter((type) => forms.includes(type));
  const byDefault = forms[fields.some(({ type }) => type === 'file') ? 0 : 1] as string;
  const sent = types.length > 0 ? types : [byDefault];
  for (const { name, place } of fields)
    for (const type of sent)
      moves.set(`${pointer}/content/${toToken(type)}/schema/properties/${toToken(name)}`, place);
  const properties = fields.map(({ name, description, ...part }) => [
    name,
    { ...toSchema(part), ...(description !== undefined && { description }) },
  ]);
  const required = fields.filter((part) => part.required === true).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  return {
    content: Object.fromEntries(sent.map((type) => [type, { schema }])),
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
  return { ...others, type, flows: { [flows[flow] ?? String(flow)]: { ...urls, scopes } } };
}
