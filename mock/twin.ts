import { readVersion } from '../common/cli/read-version.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import type { Api } from '../openapi/index.ts';
import { describeWarnings } from '../openapi/model/warnings.ts';
import { type AppOptions, createApp, type TwinApp } from './app.ts';
import type { CurlTrust } from './curl/curl-trust.ts';
import type { RoutesHost } from './extra.ts';
import type { Behaviours } from './extras/behaviours/define.ts';
import { type ReadServedOptions, readServed } from './files/read-served.ts';
import type { FileWatch } from './files/watch-files.ts';
import type { Fetch } from './http/in-process.ts';
import { traceOf } from './journal/trace.ts';
import type { ApiKey, LimitPolicy } from './limits/plans.ts';
import { createListener, type Listener, type ListenerOptions } from './listener.ts';
import type { Log } from './log.ts';
import { StoreError } from './sandboxes/backend.ts';
import { ensureReached } from './settings/apis.ts';
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

export type OpenTwinOptions = ListenerOptions & {
  /** Runs when the admin is asked to stop the mock; by default, the mock closes. */
  onShutdown?: () => void;
} & Pick<ReadServedOptions, 'given'> &
  Pick<AppOptions, 'extras'>;

/**
 * Reads the files that the settings name, creates the mock and listens, unless `listen` is false.
 * Throws {@link UsageError} or DocumentError.
 */
export async function openTwin(config: Config, options: OpenTwinOptions): Promise<Twin> {
  ensureReached(config, []);
  const listener = await createListener(config, options);
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  let closed: Promise<unknown> | undefined;
  const close = async () => {
    state = 'stopping';
    closed ??= opened.close(() => listener.close());
    await closed;
  };
  const opened = await openApp(config, options, {
    listener,
    isReady: () => state === 'ready',
    shutdown: options.onShutdown ?? (() => void close()),
  });
  const { app, handle } = opened;
  const origin = await listener.open({ ...app, handle }, config.port).catch(async (error) => {
    await app.close();
    throw error;
  });
  state = 'ready';
  opened.begin();
  return toTwin(opened, { listener, origin, close });
}

/** Returns the mock of an app that was opened, at an origin. */
export function toTwin(
  { app, demoKeys, useBehaviours }: OpenedApp,
  { listener, ...given }: Pick<Twin, 'origin' | 'close'> & { listener: Listener },
): Twin {
  const { fetch, loopback, authorityFile, curlTrust } = listener;
  return {
    ...given,
    fetch,
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
      return listener.certificate;
    },
    authorityFile,
    curlTrust,
    useBehaviours,
  };
}

/** An app with what belongs to the process around it. */
export type OpenedApp = Pick<Twin, 'app' | 'demoKeys' | 'useBehaviours'> & {
  /** Answers requests, and logs them where the settings say so. */
  handle: TwinApp['handle'];
  /** Tells the extras that the app answers, and follows the files from now on. */
  begin: () => void;
  /** Closes the app after its server, if it has one of its own. */
  close: (closeServer?: () => Promise<void>) => Promise<void>;
};

/** Reads the files that the settings name and creates the app. Throws {@link UsageError} or DocumentError. */
export async function openApp(
  config: Config,
  {
    log,
    given = {},
    extras,
    read,
  }: Pick<OpenTwinOptions, 'log' | 'extras'> & Pick<ReadServedOptions, 'given' | 'read'>,
  {
    listener,
    apps,
    ...host
  }: Pick<RoutesHost, 'isReady' | 'shutdown' | 'siblings'> &
    Pick<AppOptions, 'apps'> & { listener: Listener },
): Promise<OpenedApp> {
  const { curlTrust, loopback, domainCa, identify } = listener;
  const files = new Set<string>();
  const served = await readServed(config, { given, files, read });
  const follow = config.watch ? await prepareToFollow(config, files) : undefined;
  const demoKeys = config.keys === undefined && given.keys === undefined;
  const [version, startedAt] = [readVersion(), new Date()];
  const app = await createAppOf(config, {
    served,
    host: { ...host, version, startedAt, loopback, curlTrust, demoKeys, log },
    ...(extras && { extras }),
    ...(domainCa && { domainCa }),
    ...(apps && { apps }),
  });
  let following: FileWatch | undefined;
  return {
    app,
    demoKeys,
    handle: withRequestLog(app, log),
    useBehaviours: createUseBehaviours(app),
    begin() {
      app.begin();
      following = follow?.({ app, given, identify, log });
    },
    async close(closeServer) {
      app.journals.close();
      await Promise.all([closeServer?.(), following?.close()]);
      await app.close();
    },
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

async function createAppOf(config: Config, parts: Omit<AppOptions, 'settings'>): Promise<TwinApp> {
  const { log } = parts.host;
  const { data, document } = parts.served;
  reportWarnings(document, log);
  const items = config.items ?? config.pets ?? defaultItems(document);
  if (!data && items > 100_000) log.info(`Generating ${items.toLocaleString('en')} items ...`);
  try {
    return await createApp({ ...parts, settings: { ...config, items } });
  } catch (error) {
    const isUsageError = error instanceof StoreError || error instanceof OutOfRoomError;
    throw isUsageError ? new UsageError(error.message, { cause: error }) : error;
  }
}

async function prepareToFollow(config: Config, files: Iterable<string>) {
  const { createFollowing } = await import('./files/follow-files.ts');
  return createFollowing(config, files);
}

function withRequestLog({ handle, journals }: TwinApp, log: Log): TwinApp['handle'] {
  if (log.level !== 'debug') return handle;
  return (request, response, mount) => {
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
    handle(request, response, mount);
  };
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
