import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../common/cli/usage-error.ts';
import { ensureWebhookSecret } from '../../common/cli/webhook-secret.ts';
import { membersOf, parseJson, toJson } from '../../common/json.ts';
import { fromToken } from '../../common/json-pointer.ts';
import type { Api } from '../../openapi/index.ts';
import type { Case } from '../cases/case.ts';
import type { Exchange, SentRequest } from '../transcript/exchange.ts';
import {
  type DescribedWebhook,
  describeWebhooks,
  type ReceivedRequest,
  recognize,
  type Webhooks,
} from '../transcript/webhooks.ts';
import { wait } from './wait.ts';

/** Receives the webhooks and callbacks of deployments. */
export interface WebhookListener {
  /** The URL for webhooks of a twin on this machine. */
  twinUrl: string;
  /**
   * Listens for one target; what arrives at no address of another is for the one that is `main`. One
   * that `isNear` reaches loopback.
   */
  of(target: { name: string; isMain: boolean; isNear: boolean }): WebhookDesk;
  close(): Promise<void>;
}

/** Asks a target for callbacks in a run, and collects the webhooks and callbacks that arrive. */
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

/** The requests that arrived at one address. */
type Inbox = ReceivedRequest[];

const maxBody = 1024 * 1024;
const maxReceived = 10_000;

/** How long what is sent after the last call of a run is listened for, in milliseconds. */
const quiet = 500;

/** Options of the listener: its port, its public URL, and the secret that signs webhooks. */
export type ListenerOptions = { webhooks?: string; webhooksUrl?: string; webhookSecret?: string };

/**
 * Listens on the port of loopback that options ask for, if they do, 0 for a free one, and answers
 * everything with 204. Throws {@link UsageError}.
 */
export async function openListenerOf(
  { webhooks: given, webhooksUrl: publicUrl, webhookSecret: secret }: ListenerOptions,
  document: Api,
): Promise<WebhookListener | undefined> {
  if (given === undefined) {
    if (publicUrl === undefined && secret === undefined) return undefined;
    throw new UsageError('--webhooks-url and --webhook-secret need --webhooks PORT.');
  }
  const port = Number(given);
  if (!/^\d{1,5}$/.test(given) || port > 65_535)
    throw new UsageError(`--webhooks must be a port from 0 to 65535, but is "${given}".`);
  if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    throw new UsageError(`--webhooks-url must be an http or https URL, but is "${publicUrl}".`);
  ensureWebhookSecret(secret);
  /** By the segment of their paths that tells them apart; `rest` has what arrives elsewhere. */
  const inboxes = new Map<string, Inbox>();
  const rest: Inbox = [];
  let count = 0;
  const open = (token: string): Inbox => {
    const inbox: Inbox = [];
    inboxes.set(token, inbox);
    return inbox;
  };
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const { method = '', url = '' } = request;
    const status = body ? 204 : 413;
    const headers = Object.entries(request.headersDistinct).map(
      ([name, values = []]) => [name, values.join(', ')] as const,
    );
    const token = url.split(/[/?]/).find((part) => inboxes.has(part)) ?? '';
    const inbox = inboxes.get(token) ?? rest;
    if (body && ++count <= maxReceived)
      inbox.push({ method, url, headers, body, at: Date.now(), status });
    response.writeHead(status, { Connection: 'close' }).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(({ code }) => {
    throw new UsageError(`--webhooks ${port} cannot be listened on (${code}). Give another port.`);
  });
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (publicUrl ?? own).replace(/\/+$/, '');
  const described = describeWebhooks(document);
  return {
    twinUrl: `${own}/twin`,
    of: ({ name, isMain, isNear }) =>
      createDesk({
        ...{ described, secret, open },
        url: isNear ? own : url,
        inboxes: [open(name), ...(isMain ? [rest] : [])],
      }),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
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
  described: readonly DescribedWebhook[];
  url: string;
  secret: string | undefined;
  /** Opens another inbox for what has this in its path. */
  open: (token: string) => Inbox;
  /** The inboxes of requests that no case asked for. */
  inboxes: readonly Inbox[];
};

function createDesk({ described, url, secret, open, inboxes }: DeskParts): WebhookDesk {
  const hooks = described.filter(({ callback }) => !callback);
  /** The callbacks that cases asked for, and whether their requests succeeded. */
  const asked = new Map<
    Case,
    { calls: readonly DescribedWebhook[]; inbox: Inbox; succeeded: boolean }
  >();
  let last = 0;
  const missing = () =>
    [...asked.values()].flatMap(({ calls, inbox, succeeded }) =>
      succeeded && inbox.length === 0 ? calls.map(({ sends }) => sends.id) : [],
    );
  return {
    address(one, request) {
      const { operation, purpose } = one;
      const calls = described.filter(
        ({ callback }) => callback && callback.of.id === operation?.id,
      );
      if (calls.length === 0 || !['create', 'call'].includes(purpose.kind))
        return { case: one, request };
      const token = randomUUID().slice(0, 13);
      const places = calls.flatMap(({ callback }) => placeOf(callback?.url ?? '') ?? []);
      const changed = places.reduce((sent, place) => put(sent, place, `${url}/${token}`), request);
      if (changed === request) return { case: one, request };
      // A deployment may take no URL of this kind.
      const asking: Case =
        purpose.kind === 'create'
          ? { ...one, purpose: { ...purpose, mayRefuse: true } }
          : { ...one, isMadeUp: true };
      asked.set(asking, { calls, inbox: open(token), succeeded: false });
      return { case: asking, request: changed };
    },
    learn({ case: one, response, endedAt }) {
      last = endedAt;
      const its = asked.get(one);
      if (its) its.succeeded = response !== undefined && response.status < 300;
    },
    async settle({ timeout, signal }) {
      const until = Date.now() + timeout;
      while (Date.now() < until && !signal?.aborted)
        if (missing().length > 0 || Date.now() < last + quiet) await wait(50, signal);
        else return;
    },
    webhooks() {
      const all = [...inboxes.map((inbox) => ({ inbox, calls: hooks })), ...asked.values()]
        .flatMap(({ inbox, calls }) => inbox.map((received) => ({ received, calls })))
        .toSorted((left, right) => left.received.at - right.received.at)
        .map(({ received, calls }, index) => recognize(received, calls, -1 - index));
      return {
        arrivals: all.filter((one) => typeof one !== 'string'),
        unjudged: all.filter((one) => typeof one === 'string'),
        missing: [...new Set(missing())],
        secret,
      };
    },
  };
}

/** A place in a request that holds a URL. */
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
