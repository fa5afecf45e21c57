import type { Transaction } from 'dredd';
import {
  type ApiDocument,
  describeSchema,
  type Operation,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import type { KnownIds } from './known-ids.ts';
import type { Scenario } from './scenarios.ts';

export type Situation = {
  document: ApiDocument;
  ids: KnownIds;
  /** The path of the target's base URL, without a slash at its end. */
  basePath: string;
  key: string | undefined;
  /** Whether the target may be written to. */
  writes: boolean;
};

/** Answers that nobody can or should bring about, and why. */
const unreachable: Record<string, string> = {
  '410': 'it needs a clock past the removal date',
  '413': 'no size limit is stated, so no body is surely too large',
  '429': "a key's quota is never used up on purpose",
};

/**
 * Changes a transaction's request into one that its documented status answers. Gives the reason for
 * skipping it where there is no such request.
 */
export function arrange(
  transaction: Transaction,
  { operation, missing }: Scenario,
  situation: Situation,
): string | undefined {
  const { request, expected } = transaction;
  const status = expected.statusCode;
  const reason =
    unreachable[status] ?? (missing && `the document gives no example of its ${missing}`);
  if (reason) return reason;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(operation.method) && !situation.writes)
    return 'it writes; --allow-writes permits it on a target beyond this machine';
  if (operation.secured) request.headers.Authorization = `Bearer ${situation.key}`;
  const query = new URLSearchParams(request.uri.split('?')[1] ?? '');
  const pathValues = exampleValues(operation);

  if (/^2\d\d$/.test(status)) {
    const problem = fillKnownIds(pathValues, operation, situation.ids);
    if (problem) return problem;
  } else if (status === '401') {
    delete request.headers.Authorization;
  } else if (status === '404') {
    const problem = fillUnknownId(pathValues, operation, situation.document);
    if (problem) return problem;
  } else if (status === '415' && operation.body) {
    request.headers['Content-Type'] = 'text/plain';
  } else if ((status === '400' || status === '422') && operation.body) {
    request.body = invalidBody(request.body, situation.document, operation.body.schema);
  } else if (status === '400' || status === '422') {
    const problem = spoilParameter({ query, pathValues }, operation, situation.document);
    if (problem) return problem;
  } else {
    return `no request is known that ${status} answers`;
  }
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name) =>
    encodeURIComponent(pathValues.get(name) ?? 'none'),
  );
  transaction.fullPath = `${situation.basePath}${path}${query.size > 0 ? `?${query}` : ''}`;
  return undefined;
}

function exampleValues({ parameters }: Operation): Map<string, string> {
  const values = new Map<string, string>();
  for (const { in: at, name, examples } of parameters) {
    const [example] = Object.values(examples);
    if (at === 'path' && example !== undefined) values.set(name, String(example));
  }
  return values;
}

/** Only what this run created may be changed or removed. */
function fillKnownIds(
  values: Map<string, string>,
  { method, path }: Operation,
  ids: KnownIds,
): string | undefined {
  for (const [, collection = '', name = ''] of path.matchAll(/(?<=^\/(.+))\/\{([^{}]+)\}/g)) {
    const id =
      method === 'GET' || method === 'HEAD' ? ids.any(collection) : ids.created(collection);
    if (id !== undefined) values.set(name, id);
    else if (ids.isCollection(collection))
      return `no item of /${collection} is known: none was listed or created`;
    else if (!values.has(name))
      return `the document gives no example of its path parameter "${name}"`;
  }
  return undefined;
}

function fillUnknownId(
  values: Map<string, string>,
  { parameters }: Operation,
  document: ApiDocument,
): string | undefined {
  const parameter = parameters.findLast((one) => one.in === 'path');
  if (!parameter) return 'its path names no item that could be unknown';
  const schema = resolveSchema(document, parameter.schema);
  values.set(parameter.name, unknownId(schema));
  return undefined;
}

function unknownId({ type, format, maximum }: Schema): string {
  if (type === 'integer' || type === 'number')
    return String(typeof maximum === 'number' ? maximum : 2_147_483_646);
  return format === 'uuid' ? crypto.randomUUID() : `unknown-${crypto.randomUUID()}`;
}

/** The body without a field that it must have, or no JSON where it must have none. */
function invalidBody(body: string, document: ApiDocument, schema: Schema): string {
  const [needed] = describeSchema(document, schema).required;
  const value: unknown = needed === undefined ? undefined : JSON.parse(body);
  if (typeof value !== 'object' || value === null) return '{';
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== needed)),
  );
}

function spoilParameter(
  { query, pathValues }: { query: URLSearchParams; pathValues: Map<string, string> },
  { parameters }: Operation,
  document: ApiDocument,
): string | undefined {
  for (const { name, in: at, schema } of parameters) {
    const value = invalidValue(resolveSchema(document, schema));
    if (value === undefined || (at !== 'query' && at !== 'path')) continue;
    if (at === 'query') query.set(name, value);
    else pathValues.set(name, value);
    return undefined;
  }
  return 'the document describes no body and no parameter that could be invalid';
}

function invalidValue({ type, minimum, maximum, enum: values }: Schema): string | undefined {
  if (typeof maximum === 'number') return String(maximum + 1);
  if (typeof minimum === 'number') return String(minimum - 1);
  return Array.isArray(values) || ['integer', 'number', 'boolean'].includes(String(type))
    ? 'no-such-value'
    : undefined;
}
