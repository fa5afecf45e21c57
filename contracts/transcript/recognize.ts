import { byLiteralText } from '../../common/by-literal-text.ts';
import { parseJson } from '../../common/json.ts';
import { patternOf, unescaped } from '../../common/path-template.ts';
import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import type { Purpose } from '../cases/case.ts';
import { compileSent } from './schema/validator.ts';

/** A call of an operation by somebody else, as far as its purpose can be read from it. */
export type ForeignCall = {
  document: Api;
  operation: Operation;
  /** Path and query; undefined where they are not known. */
  url: URL | undefined;
  /** Returns the purpose of a create's body; undefined if unknown. */
  toCreate: () => Purpose | undefined;
};

/**
 * Returns the purpose of a call with a valid key, read from the call alone. Undefined if the
 * interface neither decides the response nor leaves it open, or if the purpose is ambiguous.
 */
export function recognizeCall({
  document,
  operation,
  url,
  toCreate,
}: ForeignCall): Purpose | undefined {
  const resource = findResource(document, operation);
  const { kind, method } = operation;
  if (resource && kind === 'create') return toCreate();
  if (!url) return undefined;
  if (resource && kind === 'list') return toList(document, operation, url.searchParams);
  if (resource && kind === 'read') return toRead(resource, url);
  return kind === undefined && method === 'GET' && isPlain(document, operation, url)
    ? { kind: 'call' }
    : undefined;
}

/** Returns the purpose of a list, with a silence that the query touches, if any. */
function toList(
  document: Api,
  operation: Operation,
  searchParams: URLSearchParams,
): Purpose | undefined {
  const { pageSize, filters: filterNames } = listRulesOf(operation);
  let limit: number | undefined;
  const filters: Record<string, string> = {};
  let open: { silence: string; probe: string } | undefined;
  for (const name of new Set(searchParams.keys())) {
    const [value = '', ...others] = searchParams.getAll(name);
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    const probe = `?${name}=${value}`;
    if (!parameter) {
      open ??= { silence: 'unknown-query-parameter', probe: `?${name}` };
      continue;
    }
    if (others.length > 0) return undefined;
    const isKnown = isWithin(document, parameter.schema, value);
    if (isKnown === undefined) return undefined;
    if (name === pageSize?.name) {
      if (isKnown) limit = Number(value);
      else open = { silence: 'limit-out-of-range', probe };
    } else if (filterNames.includes(name)) {
      if (isKnown) filters[name] = value;
      else open = { silence: 'unknown-status-filter', probe };
    } else return undefined;
  }
  const asked = { filters, ...(limit !== undefined && { limit }) };
  return open ? { kind: 'silence', ...open, asked } : { kind: 'list', ...asked };
}

/** Whether a call of an operation without a kind has all that it needs, and only what is described. */
function isPlain(document: Api, { path, parameters }: Operation, url: URL): boolean {
  const ofPlace = (place: string, name: string) =>
    parameters.find((one) => one.in === place && one.name === name);
  const asked = [...url.searchParams].map(
    ([name, value]) => [ofPlace('query', name), value] as const,
  );
  const segments = url.pathname.split('/');
  const inPath = path.split('/').flatMap((part, at) => {
    if (!part.includes('{')) return [];
    return [
      [ofPlace('path', part.replace(/^\{(.*)\}$/, '$1')), unescaped(segments[at] ?? '')] as const,
    ];
  });
  const names = [...url.searchParams.keys()];
  return (
    new Set(names).size === names.length &&
    [...asked, ...inPath].every(
      ([parameter, value]) => parameter && isWithin(document, parameter.schema, value) === true,
    )
  );
}

/**
 * Whether a parameter of this schema may have this value; undefined where a text in a URL does not
 * tell: of alternatives, of several items, and of no value at all.
 */
export function isWithin(document: Api, given: Schema, value: string): boolean | undefined {
  const schema = document.schemas.resolve(given);
  const { enum: values, const: only, items } = schema;
  if (Array.isArray(values)) return values.map(String).includes(value);
  if (only !== undefined) return String(only) === value;
  if (['allOf', 'anyOf', 'oneOf', 'not', 'if'].some((keyword) => schema[keyword] !== undefined))
    return undefined;
  const type = [schema.type].flat().find((one) => one !== 'null');
  // How several items are written depends on the style of the parameter.
  if (type === 'array')
    return value.includes(',') ? undefined : isWithin(document, (items ?? {}) as Schema, value);
  if (type === 'object' || (type === 'string' && value === '')) return undefined;
  if (type === 'integer' && !/^(0|-?[1-9]\d*)$/.test(value)) return false;
  if (type === 'number' && !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) return false;
  const isText = type === undefined || type === 'string';
  const find = compileSent(document, schema);
  try {
    return find(isText ? value : (parseJson(value) ?? value)).length === 0;
  } catch {
    // The document may have a pattern that is none.
    return undefined;
  }
}

const maxInt64 = 2n ** 63n - 1n;

/** The interface does not state what an id in another form, such as 007, stands for. */
function toRead({ idSchema }: Resource, { pathname }: URL): Purpose | undefined {
  const last = pathname.split('/').at(-1) ?? '';
  const isOwnForm =
    idSchema.type === 'integer'
      ? /^(0|-?[1-9]\d{0,18})$/.test(last) && BigInt(last) <= maxInt64 && BigInt(last) >= -maxInt64
      : /^[\w.~-]+$/.test(last);
  if (isOwnForm) return { kind: 'read', id: last };
  return { kind: 'silence', silence: 'pet-id-form', probe: last };
}

/** The operations of a path: the one of a method, if any, and one of any other method. */
export type FoundPath = { operation?: Operation; other?: Operation };

/**
 * Finds what a method and a path below the base URL call. The path with more text of its own goes
 * first; nothing where the document describes no such path.
 */
export function findOperation(
  document: Api,
  { method, path }: { method: string; path: string },
): FoundPath {
  const matching = document.operations.filter((one) => patternOf(one.path).test(path));
  const [first] = matching.toSorted((left, right) => byLiteralText(left.path, right.path));
  const ofPath = matching.filter((one) => one.path === first?.path);
  const operation = ofPath.find((one) => one.method === method);
  const other = ofPath.find((one) => one.method === 'GET') ?? ofPath[0];
  return { ...(operation && { operation }), ...(other && { other }) };
}
