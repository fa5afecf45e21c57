import { isObject, toJson } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { parametersIn } from '../../common/path-template.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findOperation } from '../transcript/recognize.ts';
import type { RecordedExchange } from './read-outcome.ts';
import { isForm, sentBodyOf } from './sent-body.ts';
import { toPathBelow } from './to-call.ts';

type RecordedApi = { document: Api; baseUrl: string };

/**
 * Returns a call by POST, without a body or with a form, to a path that has a GET and no POST, as the
 * GET with that query, as which the mock reads it; any other exchange itself.
 */
export function asRead(
  exchange: RecordedExchange,
  { document, baseUrl }: RecordedApi,
): RecordedExchange {
  const { body, ...request } = exchange.request;
  if (request.method !== 'POST' || (body && !isForm(request.headers))) return exchange;
  const url = new URL(request.url);
  const path = toPathBelow(baseUrl, url) ?? '';
  const { operation, other } = findOperation(document, { method: 'POST', path });
  if (operation || other?.method !== 'GET') return exchange;
  const text = Buffer.from(body?.bytes ?? []).toString();
  for (const [name, value] of new URLSearchParams(text)) url.searchParams.append(name, value);
  const headers = withoutContent(request.headers);
  return { ...exchange, request: { ...request, method: 'GET', url: url.href, headers } };
}

const written = new WeakMap<Operation, Operation>();

/** A document with operations as they are meant: `GET /pets/{id}` in place of `POST /pets.info`. */
export const documentAsMeant = oncePer((document: Api): Api => {
  for (const one of document.operations) if (one.readAs) written.set(one.readAs, one);
  const operations = document.operations.map((one) => one.readAs ?? one);
  return operations.some((one) => written.has(one)) ? { ...document, operations } : document;
});

/** Returns the operation as the document has it. */
export function writtenOf(operation: Operation): Operation {
  return written.get(operation) ?? operation;
}

/** Returns an exchange as one of the operation that is meant, with the id in its path. */
export function asMeant(
  exchange: RecordedExchange,
  { document, baseUrl }: RecordedApi,
): RecordedExchange {
  const { body: _, ...request } = exchange.request;
  const url = new URL(request.url);
  const path = toPathBelow(baseUrl, url) ?? '';
  const { operation } = findOperation(document, { method: request.method, path });
  const { readAs } = operation ?? {};
  if (!readAs) return exchange;
  const sent = sentBodyOf(exchange.request);
  const query = Object.fromEntries(url.searchParams);
  const fields = isObject(sent) ? sent : {};
  const inPath = parametersIn(readAs.path);
  const given: Record<string, unknown> = { ...query, ...fields };
  if (inPath.some((name) => given[name] === undefined)) return exchange;
  const own = readAs.path.replace(/\{([^{}]+)\}/g, (__, name: string) =>
    encodeURIComponent(String(given[name])),
  );
  const isLeft = ([name]: [string, unknown]) => !inPath.includes(name);
  const isQuery = readAs.method === 'GET';
  const asked = Object.entries(isQuery ? given : query).filter(isLeft);
  const to = new URL(`${baseUrl}${own}`);
  for (const [name, value] of asked) to.searchParams.append(name, String(value));
  const left = Object.fromEntries(Object.entries(fields).filter(isLeft));
  const isBody = !isQuery && isObject(sent);
  const body = { bytes: Buffer.from(toJson(left)), isDecoded: true };
  const headers = withoutContent(request.headers);
  return {
    ...exchange,
    request: {
      ...request,
      ...{ method: readAs.method, url: to.href },
      headers: isBody ? [...headers, ['Content-Type', 'application/json']] : headers,
      ...(isBody && { body }),
    },
  };
}

function withoutContent(headers: RecordedExchange['request']['headers']) {
  return headers.filter(([name]) => !/^content-/i.test(name));
}
