import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Case } from '../cases/case.ts';
import { UsageError } from '../cli/usage-error.ts';
import { ensureWebhookSecret } from '../cli/webhook-secret.ts';
import type { ApiDocument } from '../description/document.ts';
import { fromToken } from '../description/json-pointer.ts';
import { callbacksOf } from '../description/webhooks.ts';
import { membersOf, parseJson, toJson } from '../json.ts';
import type { Exchange, SentRequest } from '../transcript/exchange.ts';
import {
  type Described,
  describeWebhooks,
  type ReceivedRequest,
  recognize,
  type Webhooks,
} from '../transcript/webhooks.ts';
import { wait } from './wait.ts';

/** Where what deployments send by themselves arrives. */
export interface WebhookListener {
  /** What a twin of this machine is told. */
  twinUrl: string;
  /**
   * Listens for one target; what arrives at no address of another is for the one that is `main`. One
   * that `isNear` reaches loopback.
   */
  of(target: { name: string; isMain: boolean; isNear: boolean }): WebhookDesk;
  close(): Promise<void>;
}

/** What a run asks a target to send, and what arrives of it. */
export interface WebhookDesk {
  /**
   * The request of a case with an address of the listener where the document says that the URL of a
   * callback stands; the case as it is where it says so nowhere.
   */
  address(one: Case, request: SentRequest): { case: Case; request: SentRequest };
  /** Learns what came of a request; only after a success is a callback waited for. */
  learn(exchange: Exchange): void;
  /** Waits for callbacks that were asked for, and a moment for what nobody asked for. */
  settle(options: { timeout: number; signal?: AbortSignal | undefined }): Promise<void>;
  webhooks(): Webhooks;
}

const maxBody = 1024 * 1024;
const maxReceived = 10_000;

/** How long what is sent after the last call of a run is listened for, in milliseconds. */
const quiet = 500;

/**
 * Listens on a port of loopback, 0 for a free one, and answers everything with 204. Throws
 * {@link UsageError}.
 */
async function openListener({
  port: given,
  url: publicUrl,
  secret,
  document,
}: {
  port: string;
  url?: string | undefined;
  secret?: string | undefined;
  document: ApiDocument;
}): Promise<WebhookListener> {
  const port = Number(given);
  if (!/^\d{1,5}$/.test(given) || port > 65_535)
    throw new UsageError(`--webhooks must be a port from 0 to 65535, but is "${given}".`);
  if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    throw new UsageError(`--webhooks-url must be an http or https URL, but is "${publicUrl}".`);
  ensureWebhookSecret(secret);
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const { method = '', url = '' } = request;
    const status = body ? 204 : 413;
    const headers = Object.entries(request.headersDistinct).map(
      ([name, values = []]) => [name, values.join(', ')] as const,
    );
    if (body && received.length < maxReceived)
      received.push({ method, url, headers, body, at: Date.now(), status });
    response.writeHead(status, { Connection: 'close' }).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(({ code }) => {
    throw new UsageError(`--webhooks ${port} cannot be listened on (${code}). Give another port.`);
  });
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (publicUrl ?? own).replace(/\/+$/, '');
  const described = describeWebhooks(document);
  const tokens = new Map<string, object>();
  return {
    twinUrl: `${own}/twin`,
    of: ({ isNear, ...target }) =>
      createDesk({
        ...{ document, described, secret, received, tokens, ...target },
        url: isNear ? own : url,
      }),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The listener that options ask for, if they do. Throws {@link UsageError}. */
export async function openListenerOf(
  {
    webhooks: port,
    webhooksUrl: url,
    webhookSecret: secret,
  }: { webhooks?: string; webhooksUrl?: string; webhookSecret?: string },
  document: ApiDocument,
): Promise<WebhookListener | undefined> {
  if (port !== undefined) return openListener({ port, url, secret, document });
  if (url === undefined && secret === undefined) return undefined;
  throw new UsageError('--webhooks-url and --webhook-secret need --webhooks PORT.');
}

/** A body; undefined where it is too large or does not end. */
async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBody) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

type DeskParts = {
  document: ApiDocument;
  described: readonly Described[];
  url: string;
  secret: string | undefined;
  received: readonly ReceivedRequest[];
  /** The tokens of all addresses, each with the desk that gave it. */
  tokens: Map<string, object>;
  name: string;
  isMain: boolean;
};

function createDesk(parts: DeskParts): WebhookDesk {
  const { document, described, url, secret, received, tokens, name, isMain } = parts;
  /** The callbacks that each address was given for, and whether the request succeeded. */
  const asked = new Map<string, { calls: readonly Described[]; succeeded: boolean }>();
  const addresses = new WeakMap<SentRequest, string>();
  const hooks = described.filter(({ callback }) => !callback);
  let last = 0;
  tokens.set(name, asked);
  const tokenIn = (path: string) => path.split(/[/?]/).find((part) => tokens.has(part));
  const mine = () =>
    received.filter((one) => {
      const token = tokenIn(one.url);
      return token === undefined ? isMain : tokens.get(token) === asked;
    });
  const missing = () => {
    const arrived = new Set(mine().map((one) => tokenIn(one.url)));
    return [...asked].flatMap(([token, { calls, succeeded }]) =>
      succeeded && !arrived.has(token) ? calls.map(({ sends }) => sends.id) : [],
    );
  };
  return {
    address(one, request) {
      const callbacks = one.operation ? callbacksOf(document.raw, one.operation) : [];
      const { purpose } = one;
      if (callbacks.length === 0 || !['create', 'call'].includes(purpose.kind))
        return { case: one, request };
      const token = randomUUID().slice(0, 13);
      const places = callbacks.flatMap(({ callback }) => placeOf(callback?.url ?? '') ?? []);
      const changed = places.reduce((sent, place) => put(sent, place, `${url}/${token}`), request);
      if (changed === request) return { case: one, request };
      const calls = described.filter(({ callback }) => callback?.of.id === one.operation?.id);
      tokens.set(token, asked);
      asked.set(token, { calls, succeeded: false });
      addresses.set(changed, token);
      // A deployment may take no URL of this kind.
      const mayRefuse = purpose.kind === 'create' ? { mayRefuse: true } : { isMadeUp: true };
      return { case: { ...one, purpose: { ...purpose, ...mayRefuse } }, request: changed };
    },
    learn({ request, response, endedAt }) {
      last = endedAt;
      const of = asked.get(addresses.get(request) ?? '');
      if (of) of.succeeded = response !== undefined && response.status < 300;
    },
    async settle({ timeout, signal }) {
      const until = Date.now() + timeout;
      while (Date.now() < until && !signal?.aborted)
        if (missing().length > 0 || Date.now() < last + quiet) await wait(50, signal);
        else return;
    },
    webhooks() {
      const all = mine().map((one, index) => {
        const callbacks = asked.get(tokenIn(one.url) ?? '')?.calls;
        return recognize(one, callbacks ?? hooks, -1 - index);
      });
      return {
        arrivals: all.filter((one) => typeof one !== 'string'),
        unjudged: all.filter((one) => typeof one === 'string'),
        missing: [...new Set(missing())],
        secret,
      };
    },
  };
}

/** Where in a request a URL stands. */
type Place = { in: string; name: string };

/** The place that a runtime expression begins with (OpenAPI 3.1, section 4.8.20.4). */
function placeOf(expression: string): Place | undefined {
  const [, place = '', name = ''] =
    /^\{?\$request\.(body#|query\.|header\.)([^{}]+)/.exec(expression) ?? [];
  return name === '' ? undefined : { in: place.replace(/\W/, ''), name };
}

/** The request with a URL at a place, where that is possible. */
function put(request: SentRequest, place: Place, url: string): SentRequest {
  if (place.in === 'header')
    return { ...request, headers: { ...request.headers, [place.name]: url } };
  if (place.in === 'query') {
    const [path = '', query] = request.path.split('?');
    const parameters = new URLSearchParams(query);
    parameters.set(place.name, url);
    return { ...request, path: `${path}?${parameters}` };
  }
  const value = typeof request.body === 'string' ? parseJson(request.body) : undefined;
  const names = place.name.split('/').slice(1).map(fromToken);
  const last = names.pop();
  const holder = names.reduce<unknown>((at, name) => membersOf(at)?.[name], value);
  if (last === undefined || !membersOf(holder)) return request;
  (holder as Record<string, unknown>)[last] = url;
  return { ...request, body: toJson(value) };
}
