import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toJson } from './exact.ts';
import {
  type Answer,
  type Behaviour,
  type Call,
  type Item,
  type Settings,
  type Shop,
  trueBehaviour,
} from './shop.ts';

/**
 * Gives the steps in which a deployment differs from the true one. It runs once a deployment, so it
 * may hold state.
 */
export type Mutate = (truth: Behaviour, shop: Shop) => Partial<Behaviour>;

export type DeploymentOptions = {
  settings?: Partial<Settings>;
  mutate?: Mutate;
  /** The path before `/v1` in the address. */
  prefix?: string;
  now?: () => number;
};

/**
 * A server that listens on a free port of loopback. `url` ends in `/v1`; `calls` says how many
 * requests it saw.
 */
export type Deployment = {
  url: string;
  calls: () => number;
  close: () => Promise<void>;
  /** Flags for `verify`, in place of keys. */
  flags?: readonly string[];
};

/** The settings of a conformant deployment of the lab. */
const trueSettings: Settings = {
  animals: 45,
  keys: {
    'k-free-1': 'free',
    'k-free-2': 'free',
    'k-pro-1': 'pro',
    'k-business': 'business',
    'k-enterprise': 'enterprise',
  },
  plans: {
    free: { minute: 60, day: 1000 },
    pro: { minute: 300, day: 10_000 },
    business: { minute: 1000, day: 100_000 },
    enterprise: { minute: 10_000, day: 1_000_000 },
  },
  windowSeconds: 60,
  shows: 'minute',
};

/** Creates the steps of a deployment's answers. */
export function createBehaviour({ settings, mutate, now = () => Date.now() }: DeploymentOptions): {
  behaviour: Behaviour;
  shop: Shop;
} {
  const plans = { ...trueSettings.plans, ...settings?.plans };
  const shop: Shop = {
    items: new Map(),
    usage: new Map(),
    settings: { ...trueSettings, ...settings, plans },
    now,
  };
  const truth = trueBehaviour(shop);
  const behaviour = { ...truth, ...mutate?.({ ...truth }, shop) };
  for (const item of behaviour.seed(shop.settings.animals)) shop.items.set(String(item.id), item);
  return { behaviour, shop };
}

/** Starts a deployment that keeps the interface in all but what `mutate` changes. */
export async function openDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const { prefix = '', now = () => Date.now() } = options;
  const { behaviour } = createBehaviour(options);
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    const number = calls;
    readText(request).then(async (text) => {
      const call = toCall(request, { number, text, base: `${prefix}/v1` });
      const answer = behaviour.answer(call, respond(behaviour, call, new Date(now())));
      if (!(await behaviour.send(call, answer, response))) sendAnswer(call, answer, response);
    }, ignoreAbort);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}${prefix}/v1`,
    calls: () => calls,
    close: () => closeServer(server),
  };
}

/** Sends an answer as it stands. */
function sendAnswer(call: Call, answer: Answer, response: ServerResponse): void {
  const { status, headers, text, body } = answer;
  const content = Buffer.from(text ?? (body === undefined ? '' : toJson(body)));
  const empty = status === 204 || status === 304;
  response.writeHead(
    status,
    empty ? headers : { ...headers, 'Content-Length': String(content.length) },
  );
  response.end(empty || call.method === 'HEAD' ? undefined : content);
}

/** Listens on a free port of loopback and gives it. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Ends a server and its connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The Error object of the interface (§2). */
export function toError(status: number, code: string, message: string): Answer {
  return { status, headers: {}, body: { code, message, status: BigInt(status) } };
}

/** Returns a deployment's response to a call, without a server. */
export function respond(behaviour: Behaviour, call: Call, date: Date): Answer {
  const account = behaviour.authenticate(call);
  const quota = behaviour.meter(call, account);
  const answer = !account
    ? withHeader(
        toError(401, 'unauthorized', 'The API key is missing or not valid.'),
        'WWW-Authenticate',
        'Bearer',
      )
    : quota.refusedFor !== undefined
      ? withHeader(
          toError(429, 'rate_limited', 'Too many requests.'),
          'Retry-After',
          String(quota.refusedFor),
        )
      : operate(behaviour, call);
  const headers = {
    Date: date.toUTCString(),
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': String(quota.limit),
    'X-RateLimit-Remaining': String(quota.remaining),
    'X-RateLimit-Reset': String(quota.reset),
  };
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

function operate(behaviour: Behaviour, call: Call): Answer {
  switch (call.operation) {
    case 'listPets': {
      const query = behaviour.query(call);
      return typeof query === 'string'
        ? toError(400, 'bad_request', query)
        : ok(200, behaviour.list(query, call));
    }
    case 'createPet':
      return create(behaviour, call);
    case 'getPet': {
      const item = behaviour.read(call.petId ?? '', call);
      return item ? ok(200, item) : toError(404, 'not_found', 'There is no such animal.');
    }
    case 'listOrders':
      return ok(200, behaviour.orders(call));
    default:
      return knownPath(call.path)
        ? toError(405, 'method_not_allowed', 'There is no such method here.')
        : toError(404, 'not_found', 'There is no such path.');
  }
}

function create(behaviour: Behaviour, call: Call): Answer {
  if (!/^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? ''))
    return toError(415, 'unsupported_media_type', 'The body must be application/json.');
  let body: unknown;
  try {
    body = behaviour.parse(call.text);
  } catch {
    return toError(400, 'bad_request', 'The body is not JSON.');
  }
  const reason = behaviour.refuse(body, call);
  return reason === undefined
    ? ok(201, behaviour.create(body as Item, call))
    : toError(400, 'bad_request', reason);
}

/** Reads a request as the steps of an answer take it. */
export function toCall(
  request: Pick<IncomingMessage, 'method' | 'headers' | 'url'>,
  { number, text, base }: { number: number; text: string; base: string },
): Call {
  const { method = 'GET', headers, url = '/' } = request;
  const [pathname = '', search = ''] = url.split('?');
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '';
  const call: Call = { number, method, path, query: new URLSearchParams(search), headers, text };
  const [, petId] = /^\/pets\/([^/]+)$/.exec(path) ?? [];
  const isGet = method === 'GET' || method === 'HEAD';
  if (path === '/pets' && isGet) call.operation = 'listPets';
  if (path === '/pets' && method === 'POST') call.operation = 'createPet';
  if (path === '/store/orders' && isGet) call.operation = 'listOrders';
  if (petId !== undefined && isGet) return { ...call, operation: 'getPet', petId };
  return call;
}

function knownPath(path: string): boolean {
  return /^\/(pets|pets\/[^/]+|store\/orders)$/.test(path);
}

function ok(status: number, body: unknown): Answer {
  return { status, headers: {}, body };
}

function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function ignoreAbort(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ECONNRESET') throw error;
}
