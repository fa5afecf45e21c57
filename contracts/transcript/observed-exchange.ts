import { parseJson, toJson } from '../../common/json.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import { readBody } from './body.ts';
import type { Answer } from './exchange.ts';
import { recognizeCall } from './recognize.ts';

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

/** Details of the request. The method defaults to the operation's, the URL to the response's. */
export type SentDetails = {
  method?: string;
  url?: string | URL;
  /** The body of a create: the JSON text, or the value that it was made from. */
  body?: unknown;
};

type ObservedCall = {
  document: Api;
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
  { document, operation, sent, now }: ObservedCall,
): Promise<Answer> {
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
  const body = toBodyText(operation, sent.body);
  const toCreate = (): Purpose | undefined => (body === undefined ? undefined : { kind: 'create' });
  const known = status >= 200 && status < 300 && method === operation.method;
  return {
    number: 1,
    case: {
      id: `${operation.id}/observed`,
      operation,
      method,
      path: operation.path,
      credential: 'valid',
      purpose: (known && recognizeCall({ document, operation, url, toCreate })) || {
        kind: 'observed',
      },
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

/** A body as JSON text; undefined where it is not a JSON object. */
function toBodyText({ body }: Operation, sent: unknown): string | undefined {
  const value = parseJson(typeof sent === 'string' ? sent : toJson(sent));
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return body && isObject ? toJson(value) : undefined;
}
