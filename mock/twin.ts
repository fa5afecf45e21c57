import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ApiDocument, loadDocument } from '../contracts/document.ts';
import { readNamedItems } from '../fixtures/generate.ts';
import { createApp, type TwinApp } from './app.ts';
import { type Config, readJsonFile, UsageError } from './config.ts';
import { createTwinServer, type Timeouts } from './http/server.ts';
import { type ApiKey, type LimitPolicy, PolicyError, parseKeys, parsePlans } from './limits/plans.ts';
import type { Log } from './log.ts';
import { readIdentity } from './read-identity.ts';
import { readVersion } from './version.ts';

/** A twin that listens. */
export type Twin = {
  /** Where it listens, without a path. */
  origin: string;
  app: TwinApp;
  document: ApiDocument;
  policy: LimitPolicy;
  keys: readonly ApiKey[];
  /** Whether keys and plans are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  loopback: boolean;
  /** What it shows with TLS, as PEM text. */
  certificate?: string;
  /** Answers what is under way, then closes; once, however often it is called. */
  close: () => Promise<void>;
};

const builtIn = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export type OpenTwinOptions = {
  log: Log;
  timeouts?: Partial<Timeouts>;
  /** What to do when the admin is asked to stop the twin; it closes unless given. */
  onShutdown?: () => void;
  /** What a plans or a keys file would hold, in place of the file. */
  given?: { plans?: unknown; keys?: unknown };
};

/** Reads what the settings name, puts the twin together and listens. Throws {@link UsageError} or DocumentError. */
export async function openTwin(config: Config, { log, timeouts, onShutdown, given = {} }: OpenTwinOptions): Promise<Twin> {
  const identity = readIdentity(config);
  const own = builtIn('contracts/openapi.yaml');
  const document = await loadDocument(config.spec ?? own);
  const usualPlans = config.spec === undefined ? {} : (await loadDocument(own)).plans;
  const policy = readPolicy(config, { ...usualPlans, ...document.plans }, given.plans);
  const keys = readKeys(config, policy, given.keys);
  const loopback = isLoopback(config.host);
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  if (config.pets > 100_000) log.info(`Making ${config.pets.toLocaleString('en')} items ...`);
  const named = document.resources.map(async ({ name }) => [name, await readNamedItems(name)] as const);
  const served = { document, namedItems: Object.fromEntries(await Promise.all(named)), policy, keys };
  const shutdown = onShutdown ?? (() => void close());
  const isReady = () => state === 'ready';
  const app = await createApp({ ...config, served, loopback, version: readVersion(), shutdown, log, isReady });
  const server = createTwinServer(withRequestLog(app.handle, log), app.bareHeaders, {
    ...(timeouts && { timeouts }),
    ...(identity && { identity }),
  });
  const port = await server.listen(config.port, config.host).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(listenProblem(error, config));
  });
  state = 'ready';
  let closed: Promise<void> | undefined;
  const close = () => {
    state = 'stopping';
    closed ??= server.close().then(() => app.sandboxes.close());
    return closed;
  };
  const host = isIP(config.host) === 6 ? `[${config.host}]` : config.host;
  return {
    origin: `${identity ? 'https' : 'http'}://${host}:${port}`,
    app,
    document,
    policy,
    keys,
    demoKeys: config.keys === undefined && given.keys === undefined,
    loopback,
    ...(identity && { certificate: identity.cert }),
    close,
  };
}

function readPolicy({ plans }: Config, stated: ApiDocument['plans'], given: unknown): LimitPolicy {
  const usual = parsePlans(readJsonFile(builtIn('fixtures/plans.json'), '--plans'), stated);
  if (given !== undefined) return explained('plans', () => parsePlans(given, {}, usual));
  return plans === undefined ? usual : explained(`--plans ${plans}`, () => parsePlans(readJsonFile(plans, '--plans'), {}, usual));
}

function readKeys({ keys }: Config, { plans }: LimitPolicy, given: unknown): ApiKey[] {
  const nameOf = (_: string, index: number) => `key-${index + 1}`;
  if (given !== undefined) return explained('keys', () => parseKeys(given, plans, nameOf));
  if (keys === undefined) return parseKeys(readJsonFile(builtIn('fixtures/keys.json'), '--keys'), plans, (key) => key);
  return explained(`--keys ${keys}`, () => parseKeys(readJsonFile(keys, '--keys'), plans, nameOf));
}

function explained<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof PolicyError ? new UsageError(`${file}: ${error.message}`) : error;
  }
}

function withRequestLog(handle: RequestListener, log: Log): RequestListener {
  if (log.level !== 'debug') return handle;
  return (request, response) => {
    const start = performance.now();
    response.once('close', () => {
      const outcome = response.writableFinished ? String(response.statusCode) : 'not finished';
      log.debug(`${request.method} ${request.url} ${outcome} ${(performance.now() - start).toFixed(1)} ms`);
    });
    handle(request, response);
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function listenProblem({ code, message }: NodeJS.ErrnoException, { port, host }: Config): string {
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is taken. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES') return `Port ${port} needs rights that this user lacks. Choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `--host ${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${message}.`;
}
