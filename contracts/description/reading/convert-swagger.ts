import { toToken } from '../json-pointer.ts';
import { follow, type RawDocument } from '../schema.ts';
import type { Conversion } from './conversion.ts';
import type { Moves } from './moves.ts';
import { methods } from './parts.ts';
import { toParameter, toRequestBody } from './swagger-parameters.ts';
import { isRecord, walkDocument } from './walk.ts';

const json = ['application/json'];

/** Sections of Swagger 2.0, and where OpenAPI 3 has them. */
const sections = [
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
  ['securityDefinitions', 'securitySchemes'],
] as const;

/** Makes a Swagger 2.0 document one of OpenAPI 3.0, in place. Gives what was moved. */
export function convertSwagger(document: RawDocument): Moves {
  const moves = new Map<string, string>();
  const root = { parameters: { ...document.parameters } };
  const conversion: Conversion = {
    moves,
    consumes: listOf(document.consumes, json),
    produces: listOf(document.produces, json),
    follow: (part) => followIn(root, part),
  };
  document.openapi = '3.0.4';
  document.servers = toServers(document);
  document.components = {};
  for (const [before, after] of sections) {
    if (document[before] === undefined) continue;
    document.components[after] = document[before];
    moves.set(`/components/${after}`, `/${before}`);
  }
  convertComponents(document.components, conversion);
  for (const [path, item] of Object.entries(document.paths ?? {}))
    if (isRecord(item) && !path.startsWith('x-'))
      convertPathItem(item, `/paths/${toToken(path)}`, conversion);
  for (const name of [...sections.map(([before]) => before), 'swagger', 'host', 'basePath'])
    delete document[name];
  for (const name of ['schemes', 'consumes', 'produces']) delete document[name];
  walkDocument(document, (part, { kind }) => {
    if (!isRecord(part)) return;
    if (typeof part.$ref === 'string') part.$ref = toNewReference(part.$ref);
    if (kind === 'schema') convertSchema(part);
  });
  return moves;
}

function toServers({ host, basePath, schemes }: RawDocument): RawDocument[] {
  const path = typeof basePath === 'string' ? basePath : '/';
  if (typeof host !== 'string') return [{ url: path }];
  return listOf(schemes, ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

function convertComponents(components: RawDocument, conversion: Conversion): void {
  const { parameters = {}, responses = {}, securitySchemes = {} } = components;
  for (const [name, scheme] of Object.entries(securitySchemes))
    if (isRecord(scheme)) securitySchemes[name] = toSecurityScheme(scheme);
  for (const [name, response] of Object.entries(responses))
    if (isRecord(response))
      convertResponse(response, `/components/responses/${toToken(name)}`, conversion);
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!isRecord(parameter)) continue;
    // Those of a body are taken in where they are used.
    if (parameter.in === 'body' || parameter.in === 'formData') delete parameters[name];
    else
      parameters[name] = toParameter(
        parameter,
        `/components/parameters/${toToken(name)}`,
        conversion,
      );
  }
}

function convertPathItem(item: RawDocument, pointer: string, conversion: Conversion): void {
  const shared: unknown[] = Array.isArray(item.parameters) ? item.parameters : [];
  const places = shared.map((_, index) => `${pointer}/parameters/${index}`);
  for (const method of methods)
    if (isRecord(item[method]))
      convertOperation(item[method], `${pointer}/${method}`, {
        conversion,
        shared: shared.map((parameter, index) => ({ parameter, place: places[index] as string })),
      });
  if (!Array.isArray(item.parameters)) return;
  const kept = shared.flatMap((parameter, index) => {
    if (!isRecord(parameter)) return [{ parameter, place: places[index] as string }];
    const { in: where } = conversion.follow(parameter);
    return where === 'body' || where === 'formData'
      ? []
      : [{ parameter, place: places[index] as string }];
  });
  item.parameters = convertParameters(kept, `${pointer}/parameters`, conversion);
}

type Placed = { parameter: unknown; place: string };

/** Those that are no body, at their new places. */
function convertParameters(kept: readonly Placed[], pointer: string, conversion: Conversion) {
  return kept.map(({ parameter, place }, index) => {
    const at = `${pointer}/${index}`;
    if (at !== place) conversion.moves.set(at, place);
    if (!isRecord(parameter) || typeof parameter.$ref === 'string') return parameter;
    return toParameter(parameter, at, conversion);
  });
}

function convertOperation(
  operation: RawDocument,
  pointer: string,
  { conversion, shared }: { conversion: Conversion; shared: readonly Placed[] },
): void {
  const own = {
    ...conversion,
    consumes: listOf(operation.consumes, conversion.consumes),
    produces: listOf(operation.produces, conversion.produces),
  };
  const listed: unknown[] = Array.isArray(operation.parameters) ? operation.parameters : [];
  const placed = listed.map((parameter, index) => ({
    parameter,
    place: `${pointer}/parameters/${index}`,
  }));
  const whereOf = ({ parameter }: Placed) =>
    isRecord(parameter) ? conversion.follow(parameter).in : undefined;
  const isBody = (one: Placed) => ['body', 'formData'].includes(whereOf(one));
  const inherited = placed.some(isBody) ? [] : shared.filter(isBody);
  const ofBody = [...placed, ...inherited].filter(isBody);
  if (ofBody.length > 0)
    operation.requestBody = toRequestBody(ofBody, `${pointer}/requestBody`, own);
  if (Array.isArray(operation.parameters))
    operation.parameters = convertParameters(
      placed.filter((one) => !isBody(one)),
      `${pointer}/parameters`,
      own,
    );
  for (const [status, response] of Object.entries(operation.responses ?? {}))
    if (isRecord(response))
      convertResponse(response, `${pointer}/responses/${toToken(status)}`, own);
  for (const name of ['consumes', 'produces', 'schemes']) delete operation[name];
}

function convertResponse(response: RawDocument, pointer: string, conversion: Conversion): void {
  const { schema, examples, headers } = response;
  const types = new Set(schema === undefined ? [] : conversion.produces);
  if (isRecord(examples)) for (const type of Object.keys(examples)) types.add(type);
  if (types.size > 0) response.content = {};
  for (const type of types) {
    const at = `${pointer}/content/${toToken(type)}`;
    const example = isRecord(examples) ? examples[type] : undefined;
    response.content[type] = {
      ...(schema !== undefined && { schema }),
      ...(example !== undefined && { example }),
    };
    conversion.moves.set(`${at}/schema`, `${pointer}/schema`);
    conversion.moves.set(`${at}/example`, `${pointer}/examples/${toToken(type)}`);
  }
  delete response.schema;
  delete response.examples;
  if (!isRecord(headers)) return;
  for (const [name, header] of Object.entries(headers))
    if (isRecord(header))
      headers[name] = toParameter(header, `${pointer}/headers/${toToken(name)}`, conversion);
}

function listOf(value: unknown, otherwise: readonly string[]): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return texts.length > 0 ? texts : otherwise;
}

function followIn(root: RawDocument, part: RawDocument): RawDocument {
  if (typeof part.$ref !== 'string') return part;
  const target = follow(root, part.$ref);
  return isRecord(target) ? target : part;
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
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...others } = scheme;
  if (type === 'basic') return { ...others, type: 'http', scheme: 'basic' };
  if (type !== 'oauth2') return scheme;
  return {
    ...others,
    type,
    flows: {
      [flows[flow] ?? String(flow)]: {
        ...(authorizationUrl !== undefined && { authorizationUrl }),
        ...(tokenUrl !== undefined && { tokenUrl }),
        scopes: scopes ?? {},
      },
    },
  };
}
