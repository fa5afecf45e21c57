import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { readVersion } from '../common/cli/read-version.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import type { Api } from '../openapi/index.ts';
import { describeWarnings } from '../openapi/model/warnings.ts';
import { type AppOptions, createApp, type TwinApp } from './app.ts';
import { type CurlTrust, toTrustOptions } from './curl/curl-trust.ts';
import type { Behaviours } from './extras/behaviours/define.ts';
import { type ReadServedOptions, readServed } from './files/read-served.ts';
import type { FileWatch } from './files/watch-files.ts';
import type { Fetch, InProcess } from './http/in-process.ts';
import {
  createTwinServer,
  defaultTimeouts,
  type Identity,
  type Timeouts,
  type TwinServer,
} from './http/server.ts';
import { traceOf } from './journal/trace.ts';
import type { ApiKey, LimitPolicy } from './limits/plans.ts';
import type { Log } from './log.ts';
import { StoreError } from './sandboxes/backend.ts';
import type { Config } from './settings/settings.ts';
import { OutOfRoomError } from './state/store.ts';

/** A twin that runs. */
export type Twin = {
  /** Holds the address of the listener; without one, a name that only `fetch` knows. */
  origin: string;
  /** Answers a request in this process, without a socket. */
  fetch: Fetch;
  app: TwinApp;
  /** Holds the document served now; `--watch` may replace it. */
  readonly document: Api;
  readonly policy: LimitPolicy;
  readonly keys: readonly ApiKey[];
  /** Whether keys and plans are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  loopback: boolean;
  /** Holds the certificate for TLS as PEM text. */
  readonly certificate: string | undefined;
  /** The file with the certificate of the authority that is kept, where that issued it. */
  authorityFile: string | undefined;
  curlTrust: CurlTrust;
  /** Adds behaviours to a sandbox until it is reset. Throws {@link UsageError}. */
  useBehaviours: (sandbox: string, behaviours: Behaviours) => Promise<void>;
  /** Finishes requests in progress and closes. Further calls have no effect. */
  close: () => Promise<void>;
};

export type OpenTwinOptions = {
  log: Log;
  timeouts?: Partial<Timeouts>;
  /** Set to false to open no port; `fetch` answers in any case. */
  listen?: boolean | undefined;
  /** Runs when the admin is asked to stop the mock; by default, the mock closes. */
  onShutdown?: () => void;
} & Pick<ReadServedOptions, 'given'> &
  Pick<AppOptions, 'extras'>;

/**
 * Reads the files that the settings name, creates the mock and listens, unless `listen` is false.
 * Throws {@link UsageError} or DocumentError.
 */
export async function openTwin(config: Config, options: OpenTwinOptions): Promise<Twin> {
  const { log, timeouts, given = {} } = options;
  const own = await readOwnIdentity(config, log.warn);
  let identity = own?.identity;
  const domainCa = await own?.domainCa;
  const curlTrust: CurlTrust = (url) => own?.toTrust(url, identity) ?? [];
  const files = new Set<string>();
  const served = await readServed(config, { given, files });
  const watched = config.watch ? await prepareToFollow(config, files) : undefined;
  const loopback = isLoopback(config.host);
  const demoKeys = config.keys === undefined && given.keys === undefined;
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  const isReady = () => state === 'ready';
  const shutdown = options.onShutdown ?? (() => void close());
  const [version, startedAt] = [readVersion(), new Date()];
  const app = await openApp(config, options, {
    served,
    host: { version, startedAt, loopback, curlTrust, demoKeys, isReady, shutdown, log },
    ...(domainCa && { domainCa }),
  });
  const handle = withRequestLog(app, log);
  const server =
    options.listen === false
      ? undefined
      : createTwinServer(handle, app.bare, {
          classes: app.classes,
          ...(timeouts && { timeouts }),
          ...(identity && { identity, findIdentity: app.findIdentity }),
        });
  let inProcess: Promise<InProcess> | undefined;
  const openInProcess = async () => {
    const { createInProcess } = await import('./http/in-process.ts');
    const opened = createInProcess(handle, app.classes);
    if (state === 'stopping') await opened.close(0);
    return opened;
  };
  let following: FileWatch | undefined;
  let closed: Promise<unknown> | undefined;
  const close = async () => {
    state = 'stopping';
    app.journals.close();
    closed ??= Promise.all([
      server?.close(),
      inProcess?.then((one) => one.close(timeouts?.stop ?? defaultTimeouts.stop)),
      following?.close(),
    ]).then(() => app.close());
    await closed;
  };
  const port = server && (await listen(server, config, app));
  state = 'ready';
  app.begin();
  const identify = (next: Identity) => {
    server?.identify(next);
    identity = next;
  };
  following = watched?.({ app, given, identify, log });
  return {
    origin:
      port === undefined
        ? unheardOrigin
        : `${identity ? 'https' : 'http'}://${toAuthority(config.host, port)}`,
    async fetch(...request) {
      inProcess ??= openInProcess();
      return (await inProcess).fetch(...request);
    },
    app,
    get document() {
      return app.served.document;
    },
    get policy() {
      return app.served.policy;
    },
    get keys() {
      return app.served.keys;
    },
    demoKeys,
    loopback,
    get certificate() {
      return identity?.cert;
    },
    authorityFile: own?.authorityFile,
    curlTrust,
    useBehaviours: createUseBehaviours(app),
    close,
  };
}

function createUseBehaviours(app: TwinApp): Twin['useBehaviours'] {
  return async (sandbox, given) => {
    const { readUsed } = await import('./extras/behaviours/read-behaviours.ts');
    let use: ReturnType<typeof readUsed>['use'] | undefined;
    await app.serve((before) => {
      const read = readUsed(before.behaviours, before.document, given);
      use = read.use;
      return { ...before, behaviours: read.own };
    });
    use?.(app.sandboxes.get(sandbox));
  };
}

/** Names the origin of a mock that does not listen. */
const unheardOrigin = 'http://twin.localhost';

/** Reads the mock's TLS identity, and the options by which curl trusts the identity. */
async function readOwnIdentity(config: Config, warn: Log['warn']) {
  const { tls, tlsCert, tlsKey, domainCa } = config;
  const hasOwn = tlsCert !== undefined || tlsKey !== undefined;
  if (tls && !hasOwn) {
    const { issueIdentity } = await import('./files/own-identity.ts');
    const { identity, file } = await issueIdentity(config, warn);
    const toTrust = (url: string) => toTrustOptions(url, { certificate: identity.cert, file });
    const { readDomainCa } = await import('./files/read-identity.ts');
    return { identity, domainCa: readDomainCa(config), authorityFile: file, toTrust };
  }
  if (!hasOwn && domainCa === undefined) return undefined;
  const { readDomainCa, readIdentity } = await import('./files/read-identity.ts');
  return {
    authorityFile: undefined,
    identity: readIdentity(config),
    domainCa: readDomainCa(config, { warn }),
    toTrust: (url: string, identity: Identity | undefined) =>
      identity && tlsCert !== undefined
        ? toTrustOptions(url, { certificate: identity.cert, file: tlsCert })
        : [],
  };
}

async function openApp(
  config: Config,
  { extras, log }: OpenTwinOptions,
  parts: Pick<AppOptions, 'served' | 'host' | 'domainCa'>,
): Promise<TwinApp> {
  const { data, document } = parts.served;
  reportWarnings(document, log);
  const items = config.items ?? config.pets ?? defaultItems(document);
  if (!data && items > 100_000) log.info(`Generating ${items.toLocaleString('en')} items ...`);
  try {
    return await createApp({
      ...parts,
      settings: { ...config, items },
      ...(extras && { extras }),
    });
  } catch (error) {
    const isUsageError = error instanceof StoreError || error instanceof OutOfRoomError;
    throw isUsageError ? new UsageError(error.message, { cause: error }) : error;
  }
}

function listen(server: TwinServer, config: Config, app: TwinApp): Promise<number> {
  return server.listen(config.port, config.host).catch(async (error: NodeJS.ErrnoException) => {
    await app.close();
    throw new UsageError(listenProblem(error, config));
  });
}

async function prepareToFollow(config: Config, files: Iterable<string>) {
  const { createFollowing } = await import('./files/follow-files.ts');
  return createFollowing(config, files);
}

function withRequestLog({ handle, journals }: TwinApp, log: Log): RequestListener {
  if (log.level !== 'debug') return handle;
  return (request, response) => {
    const start = performance.now();
    const { method, url = '', headers } = request;
    const { traceparent } = traceOf(headers);
    const trace = traceparent === undefined ? '' : ` ${traceparent}`;
    response.once('close', () => {
      const outcome = response.writableFinished ? String(response.statusCode) : 'not finished';
      log.debug(
        `${method} ${journals.showUrl(url)} ${outcome} ${(performance.now() - start).toFixed(1)} ms${trace}`,
      );
    });
    handle(request, response);
  };
}

function toAuthority(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function listenProblem({ code, message }: NodeJS.ErrnoException, { port, host }: Config): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that this user lacks. Choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--host ${host} is not an address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${message}.`;
}

/** Few enough that what a client creates is on the first page of a list, too. */
function defaultItems({ hint }: Api): number {
  return hint.items ?? 5;
}

const advice = 'GET /__admin/version lists them; --strict-spec refuses such a document.';

/** Logs the parts of a document that cannot be used. */
function reportWarnings({ file, written }: Api, log: Pick<Log, 'warn'>): void {
  const line = describeWarnings(file, written.warnings, advice);
  if (line !== undefined) log.warn(line);
}
