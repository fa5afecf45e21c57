import { shapeOf, withoutSlash } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Operation, Parameter, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { idFormOfText } from '../../openapi/model/id-form.ts';
import { isOtherwiseDescribed } from '../../openapi/model/operation.ts';
import { findParentOf, itemPathsOf, placementAt } from '../../openapi/model/placements.ts';
import { idsParameterOf } from '../../openapi/model/resource.ts';
import { writeParameter } from '../../openapi/model/write-parameter.ts';
import { type TargetValues, toTarget } from '../curl/place-key.ts';
import { toIds } from '../items/named-items.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { parseExact } from '../json/exact-json.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import { fits } from '../json/validator.ts';
import { createReadScopes, toScopeFilters } from '../state/scopes.ts';
import { type ExampleBody, toExampleBody, type WriteXml } from './example-bodies.ts';
import type { ExampleSources } from './example-fields.ts';

/**
 * Path with query below the base path, the values in it, the headers besides those of the body, and
 * the body as text.
 */
export type ExampleCall = Partial<ExampleBody> & {
  target: string;
  values: TargetValues;
  headers?: Readonly<Record<string, string>>;
};

/**
 * Undefined where a required query parameter or the body has no value that the twin accepts: the
 * document has no such example, and none can be made.
 */
export type ToExampleCall = (operation: Operation) => Promise<ExampleCall | undefined>;

export type ExampleCallOptions = Pick<ExampleSources, 'store'> & {
  /** Without it, no bodies are written as XML. */
  writeXml?: WriteXml;
};

/**
 * Makes the calls that show how operations are used, and that succeed as they stand: with ids that
 * the store holds, with the examples of the document that fit its schemas, or else with made
 * values, and with nothing that an operation does not need.
 */
export function createToExampleCall(
  document: Api,
  { store, writeXml }: ExampleCallOptions,
): ToExampleCall {
  const makeFitting = createMakeFitting(document, 'readOnly');
  const make = (schema: Schema, examples: readonly unknown[] = []): unknown => {
    const made = makeFitting(schema, { seed: 1, examples });
    return made && !made.problems ? parseExact(made.text) : undefined;
  };
  const sources = { document, store, writeXml, make };
  return async (operation) => {
    const path: Record<string, string> = {};
    // The ids of the path that it is read as are in its query or its body.
    const read = operation.readAs ?? operation;
    for (const parameter of inOrder(read))
      path[parameter.name] = await toPathValue(read, parameter, path, sources);
    const ids = operation.kind === 'deleteMany' ? idsParameterOf(operation) : undefined;
    const resource = ids === undefined ? undefined : findResource(document, operation);
    if (ids !== undefined && resource) {
      const [first, second] = await findIds(resource, operation.path, path, sources);
      const id = second ?? first;
      if (id !== undefined) path[ids] = id;
    }
    const call = toCallWithout(operation, path, sources);
    if (!call) return undefined;
    const body = await toExampleBody(operation, path, sources);
    if (body) return { ...call, ...body };
    return operation.body || operation.otherBody?.required ? undefined : call;
  };
}

/** The parameters of a path, from left to right. */
function inOrder({ path, parameters }: Operation): Parameter[] {
  const placeOf = ({ name }: Parameter) => path.indexOf(`{${name}}`);
  return parameters
    .filter((one) => one.in === 'path')
    .toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** A call without its body; undefined where a parameter that it needs has no value. */
function toCallWithout(
  operation: Operation,
  path: Record<string, string>,
  sources: ExampleSources,
): ExampleCall | undefined {
  const query: [string, string][] = [];
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  let wholeQuery = '';
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path' || isOtherwiseDescribed(parameter)) continue;
    const id = parameter.in === 'query' ? path[parameter.name] : undefined;
    if (!parameter.required && id === undefined) continue;
    const written =
      id === undefined
        ? toWritten(parameter, sources)
        : { pairs: [[parameter.name, id] as [string, string]] };
    if (written === undefined) return undefined;
    if ('text' in written) {
      if (parameter.in === 'header') headers[parameter.name] = written.text;
      else wholeQuery = `?${encodeURIComponent(written.text)}`;
      continue;
    }
    if (written.pairs.length === 0) return undefined;
    if (parameter.in === 'query') query.push(...written.pairs);
    else
      for (const [name, text] of written.pairs) cookies.push(`${name}=${encodeURIComponent(text)}`);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  const values = { path, query };
  const target = toTarget(operation.path, values) + wholeQuery;
  return { target, values, ...(Object.keys(headers).length > 0 && { headers }) };
}

function toWritten(parameter: Parameter, { make }: ExampleSources) {
  const value = make(parameter.schema, Object.values(parameter.examples));
  return value === undefined ? undefined : writeParameter(parameter, value);
}

async function toPathValue(
  operation: Operation,
  parameter: Parameter,
  before: Readonly<Record<string, string>>,
  sources: ExampleSources,
): Promise<string> {
  const stored = await findStoredValue(operation, parameter, before, sources);
  const { document } = sources;
  // A path may have a word of a list in the place of items: `{scope}` beside `{template_id}`.
  const isAllowed = [stored, Number(stored)].some((one) => fits(document, parameter.schema, one));
  if (stored !== undefined && isAllowed) return stored;
  const written = toWritten(parameter, sources);
  // No path has an empty value.
  return (written && 'text' in written && written.text) || '1';
}

/**
 * Finds the value of a path parameter for a stored item, below the items of the preceding
 * parameters or below seeded parents. Undefined without such an item.
 */
async function findStoredValue(
  operation: Operation,
  { examples }: Parameter,
  before: Readonly<Record<string, string>>,
  { document, store }: ExampleSources,
): Promise<string | undefined> {
  // What is deleted is another item, so that the calls work in any order.
  const { kind } = operation;
  const path = withoutSlash(operation.path);
  const findParent = findParentOf(document);
  const [itemPath = '', ...longer] = itemPathsOf(path).slice(Object.keys(before).length);
  const resource = findParent(itemPath);
  if (!resource) {
    const index = Object.keys(before).length;
    const own = findResource(document, operation);
    for (const one of [...longer, path]) {
      const outer = findParent(one) ?? own;
      const scope = outer && placementAt(outer, one)?.scope[index];
      if (outer && scope?.property !== undefined) {
        const items = await store.list(outer.name, { limit: 2 });
        const isDeleted = kind === 'delete' && shapeOf(longer[0] ?? '') === shapeOf(path);
        const item = isDeleted ? items.at(-1) : items[0];
        const value = item && valueAt(fieldsOf(item), scope.property);
        if (value !== undefined) return String(value);
      }
      if (scope?.example !== undefined) return scope.example;
    }
    return undefined;
  }
  const isOfItem = shapeOf(itemPath) === shapeOf(path);
  const isStored = async (id: unknown) =>
    (await store.get(resource.name, String(id))) !== undefined;
  if (kind === 'create' && isOfItem) {
    // Chooses an id that no item has, as the call creates one.
    const toText = idFormOfText(resource.idSchema)?.toText ?? String;
    const made = Array.from({ length: maxAttempts }, (_, index) => toText(index + 1));
    for (const id of [...Object.values(examples), ...made])
      if (!(await isStored(id))) return String(id);
  }
  const [first, second] = await findIds(resource, itemPath, before, { document, store });
  if (kind === 'delete' && isOfItem && second !== undefined) return second;
  if (!createReadScopes(resource, { path: itemPath }))
    for (const example of Object.values(examples))
      if (await isStored(example)) return String(example);
  return first;
}

/** Bounds the ids that are tried for a new item. */
const maxAttempts = 50;

/** Returns what paths name the first two items of a place by, below the items of its parameters. */
async function findIds(
  resource: Resource,
  path: string,
  before: Readonly<Record<string, string>>,
  { document, store }: Pick<ExampleSources, 'document' | 'store'>,
): Promise<string[]> {
  const readScopes = createReadScopes(resource, { path });
  const outer = { store, params: before };
  const filters = readScopes
    ? toScopeFilters(readScopes(await toIds(document, { path }, outer)))
    : {};
  const { key } = placementAt(resource, path) ?? {};
  const property = key === resource.alias ? resource.idProperty : (key ?? resource.idProperty);
  const items = await store.list(resource.name, { filters, limit: 2 });
  return items
    .map((item) => valueAt(fieldsOf(item), property))
    .filter((value) => value !== undefined)
    .map(String);
}
