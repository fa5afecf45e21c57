import { defined } from '../common/defined.ts';
import { isJsonMedia, isRange, sequenceMarkOf, toEssence } from '../common/media-type.ts';
import { isSuccess } from '../common/success.ts';
import { textOf } from '../common/text-of.ts';
import { isPagingName } from './collections/list-parameters.ts';
import {
  contentsOf,
  examplesOf,
  holdsJson,
  isListOfChanges,
  jsonContentOf,
  patchContent,
  patchTypesOf,
  variantsOf,
} from './content.ts';
import { toHint } from './hint.ts';
import {
  type Content,
  isJsonContent,
  textExampleOf,
  toSentType,
  withoutContent,
} from './model/content.ts';
import type { Operation, Parameter, Provenance, ResponseDescription } from './model/operation.ts';
import type { Security } from './model/security.ts';
import { methods } from './reading/parts.ts';
import { createCache, flatten, type RawDocument, resolve, type Schema } from './schema.ts';
import { schemaOfExamples } from './schema-of-examples.ts';
import { securityOf } from './security.ts';
import { basePathsOf } from './servers.ts';

/** All operations of a document, in its order. */
export function toOperations(raw: RawDocument): Operation[] {
  const operations: Operation[] = [];
  const basePaths = basePathsOf(raw);
  const ids = new Set<string>();
  const add = (place: Omit<Place, 'basePaths'>) => {
    const operation = toOperation(raw, { ...place, basePaths });
    const { method, path } = operation;
    // Two paths may refer to the same operations.
    const id = ids.has(operation.id) ? `${method} ${path}` : operation.id;
    ids.add(id);
    operations.push({ ...operation, id });
  };
  for (const [path, node] of Object.entries<RawDocument>(raw.paths ?? {})) {
    if (path.startsWith('x-')) continue;
    const item = resolve(raw, node) ?? {};
    const others = Object.keys(item.additionalOperations ?? {});
    for (const method of methods) if (item[method]) add({ path, method, item, node: item[method] });
    for (const method of others)
      add({ path, method, item, node: item.additionalOperations[method] });
  }
  return operations;
}

type Place = {
  path: string;
  method: string;
  item: RawDocument;
  node: RawDocument;
  basePaths: readonly string[];
};

function toOperation(
  raw: RawDocument,
  { path, method, item, node: operation, basePaths: [basePath = '', ...otherPaths] }: Place,
): Operation {
  const [ownParameters, sharedParameters] = [operation, item].map(
    ({ parameters = [] }: RawDocument) =>
      parameters.flatMap((one: RawDocument) => toParameters(raw, one)),
  ) as [Parameter[], Parameter[]];
  const security = securityOf(raw, operation);
  const { hint, rules } = toHint(operation['x-twin']);
  const sunset = operation['x-deprecated-sunset'];
  const since = operation['x-deprecated-since'];
  const stability = operation['x-stability'];
  const body = operation.requestBody && resolve(raw, operation.requestBody);
  const ownPaths = basePathsOf(operation.servers ? operation : item);
  const bases = [...new Set([...ownPaths, ...otherPaths])].filter((one) => one !== basePath);
  const isPatch = method.toUpperCase() === 'PATCH';
  const contents = body ? contentsOf(raw, body).map((one) => withList(raw, one)) : [];
  const json = jsonContentOf(raw, contents);
  const bodyContent = (isPatch && body ? patchContent(body) : json) ?? json;
  const others = contents.filter((one) => !holdsJson(raw, one));
  const jsonTypes = jsonTypesOf(contents.filter((one) => holdsJson(raw, one)));
  const ref = bodyContent?.schema?.$ref;
  const isIgnored = (one: Parameter) => one.in !== 'path' && rules?.ignores?.includes(one.name);
  return defined({
    id: operation.operationId ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    bases: bases.length > 0 ? bases : undefined,
    ...provenanceOf(operation),
    ...notesOf(operation),
    parameters: [
      ...ownParameters,
      ...sharedParameters.filter(
        (shared) => !ownParameters.some((own) => own.name === shared.name && own.in === shared.in),
      ),
    ].filter((one) => !isCredential(one, security) && !isIgnored(one)),
    body:
      bodyContent &&
      defined({
        ...provenanceOf(body),
        required: body.required === true,
        schema: bodyContent.schema ?? {},
        schemaName: typeof ref === 'string' ? ref.split('/').at(-1) : undefined,
        examples: json && bodyContent === json ? json.examples : examplesOf(raw, bodyContent),
        mediaTypes: bodyContent === json && jsonTypes.length > 0 ? jsonTypes : undefined,
        variants: variantsOf(raw, contents),
        range: contents.find((one) => !isJsonContent(one) && holdsJson(raw, one)),
        ...(isPatch && isListOfChanges(raw, bodyContent) && { jsonPatch: bodyContent.schema }),
        ...(isPatch && bodyContent !== json && patchTypesOf(raw, body)),
      }),
    otherBody:
      others.length > 0 ? { required: body.required === true, contents: others } : undefined,
    responses: toResponses(raw, operation),
    ...security,
    hint,
    rules,
    hidesTryIt: operation['x-hideTryItPanel'] === true,
    stability: textOrNone(stability),
    deprecated: operation.deprecated === true,
    deprecatedSince: since === undefined ? undefined : toInstant(since.date),
    sunset: sunset === undefined ? undefined : toInstant(sunset),
  });
}

/** Returns the words of an operation for people, and its extensions. */
function notesOf(node: RawDocument) {
  const { summary, description, tags } = node;
  const own = Object.keys(node).filter((name) => name.startsWith('x-'));
  return {
    summary: textOrNone(summary),
    description: textOrNone(description),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : undefined,
    extensions:
      own.length > 0 ? Object.fromEntries(own.map((name) => [name, node[name]])) : undefined,
  };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether a parameter is where the operation has its key: that is described twice, and sent once. */
function isCredential({ name, in: place }: Parameter, { waysIn }: Security): boolean {
  return waysIn
    .flat()
    .some(({ scheme: one }) => one.type === 'apiKey' && one.in === place && one.parameter === name);
}

/** Parameters and responses that many operations may have. */
const parameters = createCache<readonly Parameter[]>();
const responses = createCache<ResponseDescription>();

function toParameters(raw: RawDocument, node: RawDocument): readonly Parameter[] {
  const given = resolve(raw, node);
  const known = parameters.of(raw).get(given);
  if (known) return known;
  const described = membersInQuery(raw, describeParameter(raw, given));
  parameters.of(raw).set(given, described);
  return described;
}

function describeParameter(raw: RawDocument, parameter: RawDocument): Parameter {
  const [described] = contentsOf(raw, parameter);
  const { pattern } = resolve(raw, parameter.schema ?? {}) ?? {};
  const hasSlash = textOf(pattern)
    .replace(/\[(?:\\.|[^\]\\])*\]/g, '')
    .includes('/');
  // A text in a path stands there as it is: nobody means /lists/"name".
  const isBare = parameter.in === 'path' && isScalar(raw, described?.schema);
  // A form that is the whole query is the members of an object in it.
  const isForm =
    parameter.in === 'querystring' && described?.mediaType === 'application/x-www-form-urlencoded';
  const content = isBare || isForm ? undefined : described;
  const style: string = parameter.style ?? defaultStyles[parameter.in as Parameter['in']];
  return defined({
    ...provenanceOf(parameter),
    name: parameter.name,
    in: isForm ? 'query' : parameter.in,
    required: parameter.required === true || parameter.in === 'path',
    description: typeof parameter.description === 'string' ? parameter.description : undefined,
    schema: parameter.schema ?? described?.schema ?? {},
    examples: { ...examplesOf(raw, parameter), ...described?.examples },
    style,
    explode: parameter.explode ?? (style === 'form' || style === 'cookie'),
    content,
    allowsReserved: (parameter.in === 'path' && (parameter.allowReserved ?? hasSlash)) || undefined,
    allowsEmpty: parameter.allowEmptyValue === true || undefined,
  });
}

function isScalar(raw: RawDocument, schema?: Schema): boolean {
  const types: unknown[] = [(schema && resolve(raw, schema)?.type) ?? 'object'].flat();
  return !types.includes('object') && !types.includes('array');
}

const defaultStyles: Readonly<Record<Parameter['in'], string>> = {
  query: 'form',
  path: 'simple',
  header: 'simple',
  cookie: 'form',
  querystring: 'form',
};

function toResponses(raw: RawDocument, operation: RawDocument): ResponseDescription[] {
  const given = Object.entries<RawDocument>(operation.responses ?? {})
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, node]) => [status, resolve(raw, node)] as const);
  const responses = given.map(([status, response]) => toResponse(raw, status, response));
  // An operation that describes no other success has the content of its default, unless it is an error.
  const [, success] = given.find(([status]) => status === 'default') ?? [];
  const hasOther = given.some(([status]) => /^[1-3]/.test(status));
  if (!success?.content || hasOther || describesError(success)) return responses;
  const assumed = 'The operation describes no other success.';
  return [{ ...toResponse(raw, '2XX', success), assumed }, ...responses];
}

/** Whether a response says that it is an error, or its media type or the name of its schema does. */
function describesError({ description, content = {} }: RawDocument): boolean {
  const contents = Object.entries<RawDocument>(content);
  const names = contents.flatMap(([type, one]) => [type, textOf(one?.schema?.$ref)]);
  return [textOf(description), ...names].some((one) => /error|problem|fail/i.test(one));
}

function toResponse(raw: RawDocument, status: string, given: RawDocument): ResponseDescription {
  const known = responses.of(raw).get(given);
  const response = known?.status === status ? known : describeResponse(raw, status, given);
  responses.of(raw).set(given, response);
  // What is supposed of a success is so of one operation.
  return /^[45]/.test(status) ? response : { ...response };
}

function describeResponse(
  raw: RawDocument,
  status: string,
  given: RawDocument,
): ResponseDescription {
  const { content: _, ...bare } = given;
  const response = withoutContent.includes(Number(status)) ? bare : given;
  const contents = contentsOf(raw, response);
  const content = jsonContentOf(raw, contents);
  const xmlAlone = textExampleOf({ contents }) ? undefined : contents.find(({ isXml }) => isXml);
  const shown = content && Object.values(content.examples);
  const likeness =
    isSuccess({ status }) &&
    (shown ? schemaOfExamples(raw, content.schema ?? {}, shown) : listIn(raw, contents));
  const headers: ResponseDescription['headers'] = {};
  for (const [name, node] of Object.entries<RawDocument>(response.headers ?? {})) {
    const header = resolve(raw, node);
    const [described] = contentsOf(raw, header);
    headers[name] = defined({
      ...provenanceOf(header),
      required: header.required === true,
      explode: header.explode === true,
      content: described,
      schema: header.schema ?? described?.schema ?? {},
      examples: { ...examplesOf(raw, header), ...described?.examples },
    });
  }
  return {
    ...provenanceOf(response),
    status,
    description: response.description ?? '',
    headers,
    contents,
    ...(content && { schema: content.schema ?? {} }),
    ...(likeness && { likeness }),
    examples: (content ?? xmlAlone)?.examples ?? {},
  };
}

/** Returns the schema of the list that a sequence stands for, if there is one and no XML. */
function listIn(raw: RawDocument, contents: readonly Content[]): Schema | undefined {
  if (contents.some(({ isXml }) => isXml)) return undefined;
  const lists = contents.filter(
    ({ mediaType, isText }) => sequenceMarkOf(mediaType) !== undefined && !isText,
  );
  return lists.map((one) => withList(raw, one).schema).find((one) => one !== undefined);
}

/** A sequence as the list that it stands for. */
function withList(raw: RawDocument, content: Content): Content {
  const { mediaType, schema, itemSchema: items, isText } = content;
  if (sequenceMarkOf(mediaType) === undefined || isText || !items) return content;
  const isList = schema !== undefined && resolve(raw, schema)?.type === 'array';
  return isList ? content : { ...content, schema: { type: 'array', items } };
}

/** The media types of JSON that a body may have, where that is not `application/json` alone; ranges last. */
function jsonTypesOf(contents: readonly Content[]): string[] {
  const ranges = contents.map(({ mediaType }) => mediaType).filter(isRange);
  const sent = contents.map((one) => toEssence(toSentType(one)));
  const named = [...new Set([...sent, ...ranges])].filter(isJsonMedia);
  return named.length === 1 && named[0] === 'application/json' ? [] : named;
}

function provenanceOf(node: RawDocument): Provenance {
  return {
    ...(node['x-source'] !== undefined && { source: textOf(node['x-source']) }),
    ...(node['x-assumed'] !== undefined && { assumed: textOf(node['x-assumed']) }),
  };
}

function toInstant(date: unknown): number {
  return new Date(textOf(date)).getTime();
}

/** Keywords by which an object has further members, or needs some of several. */
const openings = ['additionalProperties', 'oneOf', 'anyOf', 'minProperties'];

/**
 * Returns the members of an object whose members are parameters of a query each, such as a
 * `pageable` with page and size, or those of a `page` in brackets; any other parameter itself.
 */
function membersInQuery(raw: RawDocument, parameter: Parameter): Parameter[] {
  const { in: place, name: outer, schema, explode, content, required: isRequired } = parameter;
  const isDeep = parameter.style === 'deepObject' && isPagingName(outer);
  const isExploded = isDeep || (explode && parameter.style === 'form');
  if (place !== 'query' || !isExploded || content) return [parameter];
  const { type = 'object', ...others } = resolve(raw, schema) ?? {};
  const isObject = [type].flat().every((one) => one === 'object' || one === 'null');
  const { properties, required } = flatten(raw, schema);
  const isOpen = openings.some((keyword) => ![undefined, false].includes(others[keyword]));
  // Where all may be left out, some of it may need the rest.
  const isWhole = isOpen || !isObject || (!isRequired && required.length > 0);
  if (isWhole || Object.keys(properties).length === 0) return [parameter];
  return Object.entries(properties).map(([name, member]) => ({
    ...parameter,
    ...(isDeep ? { name: `${outer}[${name}]`, style: 'form', explode: true } : { name }),
    required: isRequired && required.includes(name),
    schema: member,
    examples: {},
  }));
}
