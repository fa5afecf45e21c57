import type { Purpose } from '../cases/case.ts';
import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Operation,
  type Resource,
  resolveSchema,
} from '../description/document.ts';
import { parseJson, toJson } from '../json.ts';
import { readBody } from './body.ts';
import type { Answered } from './exchange.ts';

/**
 * A response of `fetch`, or of another client with the same shape, whose body has not been read.
 */
export interface FetchResponse {
  readonly status: number;
  readonly url: string;
  readonly bodyUsed: boolean;
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  clone(): { arrayBuffer(): Promise<ArrayBuffer> };
}

/**
 * What is known of the request. The method defaults to the operation's, the URL to the response's.
 */
export type SentDetails = {
  method?: string;
  url?: string | URL;
  /** The body of a create: the JSON text, or the value that it was made from. */
  body?: unknown;
};

type Observation = {
  document: ApiDocument;
  operation: Operation;
  sent: SentDetails;
  /** Unix milliseconds at which it was answered. */
  now: number;
};

/**
 * An exchange made from a response that the suite did not request. Throws a TypeError if its body
 * was already read.
 */
export async function toObservedExchange(
  response: FetchResponse,
  { document, operation, sent, now }: Observation,
): Promise<Answered> {
  if (response.bodyUsed)
    throw new TypeError(
      'The body of the response was read already. Pass the response in first; it can still be read afterwards.',
    );
  const { status } = response;
  const headers: [string, string][] = [];
  response.headers.forEach((value, name) => {
    headers.push([name, value]);
  });
  const method = (sent.method ?? operation.method).toUpperCase();
  const url = URL.parse(String(sent.url ?? response.url)) ?? undefined;
  const body = toStatedBody(document, operation, sent.body);
  const known = status >= 200 && status < 300 && method === operation.method;
  return {
    number: 1,
    case: {
      id: `${operation.id}/observed`,
      operation,
      method,
      path: operation.path,
      credential: 'valid',
      purpose: (known && toPurpose({ document, operation, url, body })) || { kind: 'observed' },
      priority: 1,
      writes: false,
    },
    request: {
      method,
      headers: {},
      path: url?.pathname ?? '',
      keyName: 'key',
      ...(body !== undefined && { body }),
    },
    sentAt: now,
    endedAt: now,
    response: {
      status,
      headers,
      ...readBody(new Uint8Array(await response.clone().arrayBuffer())),
    },
  };
}

/**
 * The fields of a body that the interface has: what becomes of others is left open. Undefined where
 * it is not a JSON object.
 */
function toStatedBody(
  document: ApiDocument,
  { body }: Operation,
  sent: unknown,
): string | undefined {
  const value = parseJson(typeof sent === 'string' ? sent : toJson(sent));
  if (!body || typeof value !== 'object' || value === null || Array.isArray(value))
    return undefined;
  const { properties } = describeSchema(document, body.schema);
  return toJson(
    Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))),
  );
}

type Asked = {
  document: ApiDocument;
  operation: Operation;
  url: URL | undefined;
  body: string | undefined;
};

/** The purpose of a call that succeeded; undefined if it is ambiguous. */
function toPurpose({ document, operation, url, body }: Asked): Purpose | undefined {
  const resource = findResource(document, operation);
  if (!resource) return undefined;
  if (operation.kind === 'create') return body === undefined ? undefined : { kind: 'create' };
  if (!url) return undefined;
  return operation.kind === 'list'
    ? toList(document, operation, resource, url)
    : toRead(resource, url);
}

function toList(
  document: ApiDocument,
  { parameters }: Operation,
  resource: Resource,
  { searchParams }: URL,
): Purpose | undefined {
  const asked = [resource.pageSize?.name, ...resource.filters].flatMap((name) =>
    name !== undefined && searchParams.has(name)
      ? [{ name, values: searchParams.getAll(name) }]
      : [],
  );
  let limit: number | undefined;
  const filters: Record<string, string> = {};
  for (const { name, values } of asked) {
    const [value = '', ...others] = values;
    const schema = resolveSchema(
      document,
      parameters.find((one) => one.name === name)?.schema ?? {},
    );
    if (others.length > 0 || !isWithin(schema, value)) return undefined;
    if (name === resource.pageSize?.name) limit = Number(value);
    else filters[name] = value;
  }
  return { kind: 'list', filters, ...(limit !== undefined && { limit }) };
}

/** Whether the interface says what a parameter of this value asks for. */
function isWithin(schema: Readonly<Record<string, unknown>>, value: string): boolean {
  const {
    type,
    enum: values,
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
  } = schema;
  if (Array.isArray(values)) return values.some((one) => String(one) === value);
  if (type !== 'integer') return true;
  return (
    /^(0|-?[1-9]\d{0,15})$/.test(value) &&
    Number(value) >= Number(minimum) &&
    Number(value) <= Number(maximum)
  );
}

/** The interface does not state what an id in another form, such as 007, stands for. */
function toRead({ idSchema }: Resource, { pathname }: URL): Purpose | undefined {
  const last = pathname.split('/').at(-1) ?? '';
  const isOwnForm =
    idSchema.type === 'integer' ? /^(0|-?[1-9]\d*)$/.test(last) : /^[\w.~-]+$/.test(last);
  return isOwnForm ? { kind: 'read', id: last } : undefined;
}
