import type { RequestListener } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import type { Response } from 'express';
import { createCors } from './http/cors.ts';
import { createExpressApps, type MessageClasses } from './http/express-apps.ts';
import { createGuardHost } from './http/guard-host.ts';
import { initLocals } from './http/locals.ts';
import { rateLimitHeaders } from './http/rate-limit.ts';
import { createRecordBareAnswer, createRecordExchange } from './http/record-exchange.ts';
import type { BareAnswers } from './http/refuse-connection.ts';
import { createFailApiCall, createSendApiAnswer } from './http/send-api-answer.ts';
import { findChangedSeeds } from './items/seeds.ts';
import { toLogLine } from './journal/entry.ts';
import { createJournals, type Journals } from './journal/journals.ts';
import { mountRoutes, type RoutesHost, type RoutesSettings, type RoutesTools } from './routes.ts';
import type { Backend } from './sandboxes/backend.ts';
import { createMemoryBackend } from './sandboxes/memory-backend.ts';
import { createSandbox, type Sandbox } from './sandboxes/sandbox.ts';
import type { SandboxSettings } from './sandboxes/sandbox-options.ts';
import { createSandboxes, type Sandboxes } from './sandboxes/sandboxes.ts';
import { type PreparedServed, prepareServed, type Served } from './served.ts';
import { createMemoryStores } from './state/memory-store.ts';

/** The settings of a twin, those aside that its files and its server follow. */
export type AppSettings = Omit<SandboxSettings, 'policy' | 'pets'> &
  RoutesSettings & {
    pets: number;
    cors: boolean;
    allowedHosts: readonly string[];
    /** How many sandboxes there may be besides the default one. */
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
export type AppOptions = { served: Served; host: RoutesHost; settings: AppSettings };

export type TwinApp = {
  handle: RequestListener;
  /** What a server makes for it. */
  classes: MessageClasses;
  sandboxes: Sandboxes;
  /** What is served now. */
  readonly served: PreparedServed;
  /**
   * Serves something else from now on; calls under way end on what they began with, and sandboxes
   * keep what they hold. Gives the names of the collections that begin with other items at the next
   * reset. Throws DocumentError, and changes nothing, where it cannot be served.
   */
  serve: (next: Served) => Promise<string[]>;
  journals: Journals;
  /** What goes with the answers to what never becomes a request. */
  bare: BareAnswers;
  /** Closes the sandboxes and the store. */
  close: () => Promise<void>;
} & Pick<Sandbox, 'clock' | 'store' | 'reset'>;

/** Puts a twin together. This is the one place that chooses adapters. */
export async function createApp({ served, host, settings }: AppOptions): Promise<TwinApp> {
  const { log } = host;
  const journals = openJournals(served, { settings, log });
  let current = await prepareServed(served, { settings, log });
  const backend = createMemoryBackend(createMemoryStores());
  const local = await openSandboxes(() => current, { backend, journals, settings, log });
  const sandboxes = backend.share?.(local) ?? local;
  const tools = createTools(sandboxes, { backend, journals, settings });
  const apps = createExpressApps();
  const toRoutes = (prepared: PreparedServed) => {
    const routes = apps.create();
    mountRoutes(routes, { served: prepared, host, settings, tools });
    return routes;
  };
  let routes = toRoutes(current);
  const { defaultSandbox } = sandboxes;
  return {
    handle(request, response) {
      initLocals(response, defaultSandbox);
      routes(request, response);
    },
    classes: apps.classes,
    sandboxes,
    journals,
    get served() {
      return current;
    },
    async serve(next) {
      journals.hide(next.keys.map(({ key }) => key));
      const before = current;
      const prepared = await prepareServed(next, { settings, log, before });
      routes = toRoutes(prepared);
      current = prepared;
      for (const { sandbox } of sandboxes.list())
        await sandbox.follow(prepared.toInitialState).catch((error) => {
          log.warn(`Sandbox "${sandbox.name}" keeps its settings: ${error.message}`);
        });
      return findChangedSeeds(before.initialState.seeds, prepared.initialState.seeds);
    },
    clock: defaultSandbox.clock,
    store: defaultSandbox.store,
    reset: defaultSandbox.reset,
    bare: createBareAnswers(defaultSandbox, { journals, tools }),
    async close() {
      await sandboxes.close();
      await backend.close();
    },
  };
}

/**
 * Opens the journals, which show no key of the twin and not the token of the admin, and the log of
 * exchanges.
 */
function openJournals(
  { keys }: Served,
  { settings, log }: Pick<AppOptions, 'settings'> & Pick<RoutesHost, 'log'>,
): Journals {
  const { adminToken, journalEntries, logTransaction } = settings;
  return createJournals({
    entries: journalEntries,
    secrets: [...keys.map(({ key }) => key), ...(adminToken === undefined ? [] : [adminToken])],
    ...(logTransaction && { onExchange: (entry) => log.info(toLogLine(entry)) }),
  });
}

type SandboxesOptions = Pick<AppOptions, 'settings'> &
  Pick<RoutesHost, 'log'> & { backend: Backend; journals: Journals };

/**
 * Opens the sandboxes of this process, with those of an earlier one; new ones begin as what is
 * served at that time says.
 */
async function openSandboxes(
  current: () => PreparedServed,
  { backend, journals, settings, log }: SandboxesOptions,
): Promise<Sandboxes> {
  const { open, bytesOf, now, stored = [] } = backend;
  const { toInitialState } = current();
  const restored = stored.map(async ({ options, ...sandbox }) => ({
    ...sandbox,
    initialState: await toInitialState(options),
  }));
  return createSandboxes({
    create: (name, initialState, admit) =>
      createSandbox(name, { initialState, open, openJournal: journals.open, admit, now }),
    bytesOf,
    restored: await Promise.all(restored),
    initialState: () => current().initialState,
    toInitialState: (options) => current().toInitialState(options),
    max: settings.maxSandboxes,
    maxBytes: maxItemBytes(),
    idle: settings.sandboxIdle * 1000,
    log,
  });
}

/**
 * How many bytes items may take that sandboxes and snapshots do not share: a third of the heap, as
 * a change of the document makes them twice, once V8's young generation and the rest of the twin
 * have their part; a sixteenth of a small heap.
 */
function maxItemBytes(): number {
  const heap = getHeapStatistics().heap_size_limit;
  return Math.max((heap - 256 * 1024 * 1024) / 3, heap / 16);
}

function createTools(
  sandboxes: Sandboxes,
  { backend, journals, settings }: Omit<SandboxesOptions, 'log'>,
): RoutesTools {
  const cors = createCors(settings.cors);
  const record = createRecordExchange(journals);
  return {
    sandboxes,
    storeProblem: backend.health,
    cors,
    guardHost: createGuardHost(settings.allowedHosts),
    record,
    send: createSendApiAnswer(cors, record),
    fail: createFailApiCall(cors, record),
  };
}

/** What never becomes a request is answered with the headers of the default sandbox. */
function createBareAnswers(
  defaultSandbox: Sandbox,
  { journals, tools: { cors, record } }: { journals: Journals; tools: RoutesTools },
): BareAnswers {
  const recordBareAnswer = createRecordBareAnswer(journals);
  return {
    headers: () => [...rateLimitHeaders(defaultSandbox.limiter.anonymous()), ...cors.headers],
    record: (sent, response) =>
      response
        ? record(response as Response, { step: 'connection' }, sent)
        : recordBareAnswer(defaultSandbox, sent),
  };
}
