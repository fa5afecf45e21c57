import { request } from 'node:http';
import { parseJson } from '../exact.ts';

/** The parts of a request besides its method and path. */
export type RequestParts = {
  /** In place of the key of the client; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** A value is sent as JSON, a text as it is. */
  body?: unknown;
};

/** A response as a client sees it; status 0 if none came. */
export type SeenResponse = {
  status: number;
  json: unknown;
  header(name: string): string | undefined;
};

/** Sends requests to one address with one key, over one connection. */
export type Client = {
  call(method: string, path: string, sending?: RequestParts): Promise<SeenResponse>;
  get(path: string, sending?: RequestParts): Promise<SeenResponse>;
  post(path: string, body: unknown, sending?: RequestParts): Promise<SeenResponse>;
};

const patience = 5000;
const none: SeenResponse = { status: 0, json: undefined, header: () => undefined };

/** A client of the API at an address that ends in /v1. It knows the interface and nothing else. */
export function createClient(url: string, key: string): Client {
  const call: Client['call'] = (method, path, sending = {}) =>
    send(url, key, method, path, sending);
  return {
    call,
    get: (path, sending) => call('GET', path, sending),
    post: (path, body, sending) => call('POST', path, { ...sending, body }),
  };
}

function send(
  url: string,
  ownKey: string,
  method: string,
  path: string,
  { key = ownKey, headers, body }: RequestParts,
): Promise<SeenResponse> {
  const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request(
      `${url}${path}`,
      {
        method,
        timeout: patience,
        headers: {
          ...(key !== null && { Authorization: `Bearer ${key}` }),
          Accept: 'application/json',
          ...(content !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(content),
          }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', () => resolve(none));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            json: tryParse(Buffer.concat(chunks).toString()),
            header: (name) => response.headers[name.toLowerCase()]?.toString(),
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(none));
    sent.end(content);
  });
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The ids that a list shows, as they go into a path. */
export function idsOf({ json }: SeenResponse): string[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((item) => idOf(item) ?? []);
}

/** The id of an item, as it goes into a path. */
export function idOf(item: unknown): string | undefined {
  const id = (item as { id?: unknown } | undefined)?.id;
  return id === undefined || id === null ? undefined : String(id);
}
