import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { ClockState } from './clock.ts';
import type { IssuedIdentity } from './domains/authority.ts';
import type {
  Extra,
  ExtraParts,
  RoutesHost,
  RoutesOptions,
  RoutesSettings,
  RoutesTools,
} from './extra.ts';
import { allExtras } from './extras/all-extras.ts';
import type { Cors } from './http/cors.ts';
import { createExpressApps, type ExpressApps, type MessageClasses } from './http/express-apps.ts';
import { createGuardHost } from './http/guard-request.ts';
import type { Fetch, InProcess } from './http/in-process.ts';
import type { ToLimitHeaders } from './http/limit-headers.ts';
import { createRecordExchange, type EnterSandbox, initLocals } from './http/locals.ts';
import type { BareAnswers } from './http/refuse-connection.ts';
import { createFailApiCall, createSendApiAnswer, type SendApiAnswer } from './http/send-answer.ts';
import type { FindIdentity, Identity } from './http/server.ts';
import { onceOver } from './http/slow-readers.ts';
import { findChangedSeeds } from './items/seeds.ts';
import { toLogLine } from './journal/entry.ts';
import { createJournals, type Journals } from './journal/journals.ts';
import type { Log } from './log.ts';
import { openStore } from './open-store.ts';
import { secretNamesOf } from './redact.ts';
import { createBareAnswers, createSendOfOperations, mountRoutes } from './routes.ts';
import type { Backend } from './sandboxes/backend.ts';
import { moverOf } from './sandboxes/move-clock.ts';
import { openSandboxes } from './sandboxes/open-sandboxes.ts';
import type { TaskListener } from './sandboxes/run-task.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';
import {
  type PreparedFiles,
  prepareServed,
  type ServedFiles,
  type StartSettings,
  toFingerprint,
} from './served.ts';
import { Budget, maxBytesBesideItems, maxItemBytes } from './state/budget.ts';
import { createTurns } from './state/turns.ts';

/** The settings of a twin, those aside that its files and its server follow. */
export type AppSettings = StartSettings &
  RoutesSettings & {
    cors: boolean;
    /** Names the store: `memory`, `sqlite:FILE` or `redis://HOST`. */
    store: string;
    /** Whether to clear a store that began with other items. */
    resetStore: boolean;
    /** Whether changes of its files are followed. */
    watch: boolean;
    /** The maximum number of sandboxes besides the default one. */
    maxSandboxes: number;
    /** After how many seconds without use a sandbox is closed; 0 for never. */
    sandboxIdle: number;
    /** How many requests the journal of a sandbox retains; 0 for none. */
    journalEntries: number;
    /** Whether each exchange is logged. */
    logTransaction: boolean;
  };

/**
 * Everything that a twin is made of; no file but the admin's own and nothing of the environment is
 * read from here on.
 */
export type AppOptions = {
  served: ServedFiles;
  host: RoutesHost;
  settings: AppSettings;
  /** Selects the extras; all of them by default. */
  extras?: readonly Extra[];
  /** The authority that issues certificates for custom domains; created if not given. */
  domainCa?: IssuedIdentity;
  /** Creates the Express apps; given where several mocks answer one server. */
  apps?: ExpressApps;
};

export type TwinApp = {
  /** Answers a request; `mount` is what its path had before, such as the prefix of an API. */
  handle: (request: IncomingMessage, response: ServerResponse, mount?: string) => void;
  /** Holds the classes by which a server creates requests and responses. */
  classes: MessageClasses;
  sandboxes: Sandboxes;
  /** Holds the result of the last successful `serve`, or of the start. */
  readonly served: PreparedFiles;
  /** Tells its extras that it answers from now on. */
  begin: () => void;
  /** Moves the clock of a sandbox, and runs the tasks that fall due. */
  moveClock: (sandbox: Sandbox, state: ClockState) => Promise<void>;
  /**
   * Serves another document. Calls in flight finish with the old one, and sandboxes keep their
   * state. Returns the collections that get other items at the next reset. Throws DocumentError,
   * without effect, if the document cannot be served.
   */
  serve: (
    toNext: (before: PreparedFiles) => ServedFiles | Promise<ServedFiles>,
  ) => Promise<string[]>;
  journals: Journals;
  /** Finds the TLS identity for a domain of a project. */
  findIdentity: FindIdentity;
  /** Completes and records answers to input that never becomes a request. */
  bare: BareAnswers;
  /** Closes the sandboxes and the store. */
  close: () => Promise<void>;
} & Pick<Sandbox, 'clock' | 'store' | 'reset'>;

/** Puts a twin together. Throws StoreError. */
export async function createApp(options: AppOptions): Promise<TwinApp> {
  const { served, settings } = options;
  const { log } = options.host;
  const now: Now = { served: await prepareServed(served, { settings, log }) };
  const backend = await openStore(settings.store, {
    fingerprint: () => toFingerprint(now.served),
    reset: settings.resetStore,
    follows: settings.watch,
    toInitialState: (given) => now.served.toInitialState(given),
    idle: settings.sandboxIdle * 1000,
    ...settings,
    log,
  });
  try {
    return await serveFrom(backend, now, options);
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** Holds the prepared files; `serve` replaces them. */
type Now = { served: PreparedFiles };

async function serveFrom(
  backend: Backend,
  now: Now,
  {
    served,
    host,
    settings,
    domainCa,
    apps = createExpressApps(),
    extras = Object.values(allExtras),
  }: AppOptions,
): Promise<TwinApp> {
  const { log, siblings } = host;
  // All mocks of a process share its memory.
  const share = siblings?.names.length ?? 1;
  const budget = new Budget(maxBytesBesideItems() / share);
  const journals = openJournals(served, { settings, host, budget });
  journals.hide([], secretNamesOf(served.document));
  const taskListener: TaskListener = {};
  const sandboxes = await openSandboxes({
    backend,
    onTasks: (...news) => taskListener.onTasks?.(...news),
    openJournal: journals.open,
    budget,
    begin: () => now.served,
    max: settings.maxSandboxes,
    maxBytes: maxItemBytes() / share,
    idle: settings.sandboxIdle * 1000,
    log,
  });
  const handle: TwinApp['handle'] = (request, response, mount = '') => {
    initLocals(response, defaultSandbox, mount);
    // Without it, Express makes one at each request, for errors that its routes leave.
    routes.app(request as Request, response as Response, (error) => {
      if (error) log.error(String(error));
      response.destroy();
    });
  };
  const tools = createTools(sandboxes, {
    ...{ backend, journals, settings, now, domainCa, taskListener },
    fetch: siblings?.fetch ?? createFetch(handle, apps.classes),
  });
  const enter = createEnterSandbox(sandboxes);
  const toRoutes = (prepared: PreparedFiles) =>
    openRoutes(apps.create(), extras, { served: prepared, host, settings, tools, enter });
  let routes = await toRoutes(now.served);
  const inTurn = createTurns();
  const { defaultSandbox } = sandboxes;
  const { clock, store } = defaultSandbox;
  return {
    handle,
    classes: apps.classes,
    sandboxes,
    journals,
    findIdentity: (name) => findIdentityIn(routes.parts, name),
    get served() {
      return now.served;
    },
    begin: () => notifyServed(routes.parts),
    moveClock: (sandbox, state) => moverOf(routes.parts)(sandbox, () => state),
    serve: (toNext) =>
      inTurn(async () => {
        const before = now.served;
        const next = await toNext(before);
        const secrets = next.keys.map(({ key }) => key);
        journals.hide(secrets, secretNamesOf(next.document));
        const prepared = await prepareServed(next, { settings, log, before });
        const nextRoutes = await toRoutes(prepared);
        routes = nextRoutes;
        now.served = prepared;
        notifyServed(routes.parts);
        await followServed(prepared, { sandboxes, backend, log });
        return findChangedSeeds(before.initialState.seeds, prepared.initialState.seeds);
      }),
    clock,
    store,
    reset: () => defaultSandbox.reset(),
    bare: createBareAnswers(defaultSandbox, { journals, tools, now }),
    async close() {
      taskListener.close?.();
      await sandboxes.close();
      await backend.close();
    },
  };
}

/** Creates the way of extras to the twin itself, which is opened at the first request. */
function createFetch(handle: TwinApp['handle'], classes: MessageClasses): Fetch {
  let opened: InProcess | undefined;
  return async (...request) => {
    const { createInProcess } = await import('./http/in-process.ts');
    opened ??= createInProcess(handle, classes);
    return opened.fetch(...request);
  };
}

/** Applies a change of the served document to the state. */
async function followServed(
  prepared: PreparedFiles,
  { sandboxes, backend, log }: { sandboxes: Sandboxes; backend: Backend; log: Log },
): Promise<void> {
  for (const { sandbox } of sandboxes.list())
    await sandbox.follow(prepared.toInitialState).catch((error) => {
      log.warn(`Sandbox "${sandbox.name}" keeps its settings: ${error.message}`);
    });
  await backend.follow?.(toFingerprint(prepared));
}

/** Mounts the routes of the document and of the extras on an Express app. */
async function openRoutes(
  app: Express,
  extras: readonly Extra[],
  given: Omit<RoutesOptions, 'sendOfOperations'>,
): Promise<{ app: Express; parts: readonly ExtraParts[] }> {
  let { send } = given.tools;
  const sendOfOperations: SendApiAnswer = (...answer) => send(...answer);
  const options = { ...given, sendOfOperations };
  const parts = await Promise.all(extras.map((extra) => extra(options)));
  send = createSendOfOperations(given.served, given.tools, parts);
  mountRoutes(app, options, parts);
  return { app, parts };
}

function notifyServed(parts: readonly ExtraParts[]): void {
  for (const { onServe } of parts) onServe?.();
}

async function findIdentityIn(
  parts: readonly ExtraParts[],
  name: string,
): Promise<Identity | undefined> {
  for (const { findIdentity } of parts) {
    const found = await findIdentity?.(name);
    if (found) return found;
  }
  return undefined;
}

function createEnterSandbox(sandboxes: Sandboxes): EnterSandbox {
  return (response, locals) => {
    const { sandbox, leave } = sandboxes.enter(locals.sandboxName);
    if (leave) onceOver(response, leave);
    locals.sandbox = sandbox;
    return sandbox;
  };
}

/**
 * Opens the journals, which show no key of the twin and not the token of the admin, and the log of
 * exchanges.
 */
function openJournals(
  { keys }: ServedFiles,
  {
    settings,
    host: { log, siblings },
    budget,
  }: Pick<AppOptions, 'settings' | 'host'> & { budget: Budget },
): Journals {
  const { adminToken, forwardKey, journalEntries, logTransaction, webhookSecret } = settings;
  const secrets = [...keys.map(({ key }) => key), adminToken, forwardKey, webhookSecret].flat();
  return createJournals({
    entries: journalEntries,
    budget,
    ...(siblings && { api: siblings.api, nextId: siblings.nextId }),
    secrets: secrets.filter((secret) => secret !== undefined),
    ...(logTransaction && { onExchange: (entry) => log.info(toLogLine(entry)) }),
  });
}

type ToolsOptions = {
  backend: Backend;
  journals: Journals;
  settings: AppSettings;
  now: Now;
  domainCa: IssuedIdentity | undefined;
  taskListener: TaskListener;
  fetch: Fetch;
};

function createTools(
  sandboxes: Sandboxes,
  { backend, journals, settings, now, domainCa, taskListener, fetch }: ToolsOptions,
): RoutesTools {
  const toLimitHeaders: ToLimitHeaders = (sandbox, window) =>
    now.served.toLimitHeaders(sandbox, window);
  const cors: Cors = {
    get headers() {
      return now.served.cors.headers;
    },
    optionsHeaders: (request, allow) => now.served.cors.optionsHeaders(request, allow),
  };
  const record = createRecordExchange(journals);
  return {
    sandboxes,
    domainCa,
    taskListener,
    fetch,
    listen: journals.listen,
    storeProblem: backend.health,
    cors,
    guardHost: createGuardHost(settings.allowedHosts),
    record,
    toLimitHeaders,
    send: createSendApiAnswer({ cors, toLimitHeaders }, record),
    fail: createFailApiCall({ cors, toLimitHeaders }, record),
  };
}
