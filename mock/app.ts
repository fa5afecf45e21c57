import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import { type ApiDocument, DocumentError, indexDocument } from '../contracts/document.ts';
import { mountAdmin } from './admin/admin.ts';
import { clockHandlers } from './admin/clock-handlers.ts';
import { createFaultHandlers } from './admin/fault-handlers.ts';
import { createLimitHandlers } from './admin/limit-handlers.ts';
import { createParseSnapshot } from './admin/parse-snapshot.ts';
import { createRequestHandlers } from './admin/request-handlers.ts';
import { createSandboxHandlers } from './admin/sandbox-handlers.ts';
import { settingsHandlers } from './admin/settings-handlers.ts';
import { createSnapshotHandlers, snapshotLimit } from './admin/snapshot-handlers.ts';
import { createTwinHandlers } from './admin/twin-handlers.ts';
import { bindBehaviour } from './behaviours/bind.ts';
import { type IndexedFilters, toIndexedFilters } from './behaviours/indexed-filters.ts';
import type { CurlTrust } from './curl-trust.ts';
import { createForcedSteps } from './forced/forced-steps.ts';
import { type Answer, toErrorAnswer } from './http/answer.ts';
import { mountApi } from './http/api.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { type Cors, createCors } from './http/cors.ts';
import { createGuardHost, type GuardHost } from './http/guard-host.ts';
import { guardRequest } from './http/guard-request.ts';
import { beginLocals, type Locals, localsOf } from './http/locals.ts';
import { createNoteBareAnswer, createNoteExchange, type NoteExchange } from './http/note-exchange.ts';
import { rateLimitHeaders } from './http/rate-limit.ts';
import type { BareAnswers } from './http/refuse-connection.ts';
import { resolveSandbox } from './http/resolve-sandbox.ts';
import { createFailApiCall, createSendApiAnswer, type FailApiCall, type SendApiAnswer } from './http/send-api-answer.ts';
import { type CompileSchema, createSchemaCompiler, toSentences } from './http/validator.ts';
import { toLogLine } from './journal/entry.ts';
import { createJournals, type Journals } from './journal/journals.ts';
import type { ApiKey, LimitPolicy } from './limits/plans.ts';
import type { Log } from './log.ts';
import { createToBeginning, keepSeeds } from './sandboxes/beginnings.ts';
import { createSandbox, type Sandbox, type ToBeginning } from './sandboxes/sandbox.ts';
import type { SandboxSettings } from './sandboxes/sandbox-options.ts';
import type { Beginning } from './sandboxes/sandbox-state.ts';
import { createSandboxes, type Sandboxes } from './sandboxes/sandboxes.ts';
import { createMakeSeeds, differingSeeds, type MakeSeeds, misfitsOf, type NamedItems } from './seeds.ts';
import { createMemoryStores } from './state/memory-store.ts';

/** What a twin serves; all of it may change while the twin runs. */
export type Served = { document: ApiDocument; namedItems: NamedItems; policy: LimitPolicy; keys: readonly ApiKey[] };

/** Everything that a twin is made of; no file but the admin's own and nothing of the environment is read from here on. */
export type AppDeps = Omit<SandboxSettings, 'policy'> & {
  served: Served;
  cors: boolean;
  magicValues: boolean;
  allowedHosts: readonly string[];
  loopback: boolean;
  /** How many sandboxes there may be besides the default one. */
  maxSandboxes: number;
  /** After how many seconds without use a sandbox is closed; 0 for never. */
  sandboxIdle: number;
  adminToken?: string;
  /** How many requests the journal of a sandbox keeps; 0 for none. */
  journalEntries: number;
  /** Whether each exchange is logged. */
  logTransaction: boolean;
  /** The version of the twin. */
  version: string;
  curlTrust: CurlTrust;
  /** Stops the twin. */
  shutdown: () => void;
  log: Log;
  isReady?: () => boolean;
};

export type TwinApp = {
  handle: RequestListener;
  sandboxes: Sandboxes;
  /** What is served now. */
  readonly served: Served;
  /**
   * Serves something else from now on; calls under way end on what they began with, and sandboxes keep what they hold. Gives
   * the names of the collections that begin with other items at the next reset. Throws DocumentError, and changes nothing,
   * where it cannot be served.
   */
  serve: (next: Served) => Promise<string[]>;
  journals: Journals;
  /** What goes with the answers to what never becomes a request. */
  bare: BareAnswers;
} & Pick<Sandbox, 'clock' | 'store' | 'reset'>;

/**
 * How many bytes items may take that sandboxes and snapshots do not share: a third of the heap, as a change of the document
 * makes them twice, once V8's young generation and the rest of the twin have their part.
 */
function bytesForItems(): number {
  return Math.max(0, getHeapStatistics().heap_size_limit - 256 * 1024 * 1024) / 3;
}

/** Puts a twin together. This is the one place that picks adapters. */
export async function createApp(deps: AppDeps): Promise<TwinApp> {
  const open = createMemoryStores();
  const journals = openJournals(deps);
  let current = await prepare(deps.served, deps);
  const sandboxes = createSandboxes({
    create: (name, beginning) => createSandbox(name, { beginning, open, openJournal: journals.open }),
    beginning: () => current.beginning,
    toBeginning: (options) => current.toBeginning(options),
    most: deps.maxSandboxes,
    mostBytes: bytesForItems(),
    idle: deps.sandboxIdle * 1000,
    log: deps.log,
  });
  const { usual } = sandboxes;
  const cors = createCors(deps.cors);
  const guardHost = createGuardHost(deps.allowedHosts);
  const note = createNoteExchange(journals);
  const noteBareAnswer = createNoteBareAnswer(journals);
  const [send, fail] = [createSendApiAnswer(cors, note), createFailApiCall(cors, note)];
  const shared = { ...deps, sandboxes, cors, guardHost, note, send, fail };
  let routes = createRoutes(current, shared);
  return {
    handle(request, response) {
      beginLocals(response, usual);
      routes(request, response);
    },
    sandboxes,
    journals,
    get served() {
      return current.served;
    },
    async serve(next) {
      journals.hide(next.keys.map(({ key }) => key));
      const before = current;
      const prepared = await prepare(next, deps, before);
      holdChangedItems(prepared, before.served.namedItems);
      routes = createRoutes(prepared, shared);
      current = prepared;
      for (const { sandbox } of sandboxes.list())
        await sandbox.follow(prepared.toBeginning).catch((error) => {
          deps.log.warn(`Sandbox "${sandbox.name}" keeps its settings: ${error.message}`);
        });
      return differingSeeds(before.beginning.seeds, prepared.beginning.seeds);
    },
    clock: usual.clock,
    store: usual.store,
    reset: usual.reset,
    bare: {
      headers: () => [...rateLimitHeaders(usual.limiter.anonymous()), ...cors.headers],
      note: (sent, response) =>
        response ? note(response as Response, { step: 'connection' }, sent) : noteBareAnswer(usual, sent),
    },
  };
}

/** The journals, which show no key of the twin and not the token of the admin, and the log of exchanges. */
function openJournals({ served, adminToken, journalEntries, logTransaction, log }: AppDeps): Journals {
  return createJournals({
    entries: journalEntries,
    secrets: [...served.keys.map(({ key }) => key), ...(adminToken === undefined ? [] : [adminToken])],
    ...(logTransaction && { tell: (entry) => log.info(toLogLine(entry)) }),
  });
}

type Prepared = {
  served: Served;
  indexed: IndexedFilters;
  compileSchema: CompileSchema;
  makeSeeds: MakeSeeds;
  beginning: Beginning;
  toBeginning: ToBeginning;
};

/** Makes what sandboxes begin with; items are made anew only where the document or the named items are others than before. */
async function prepare(served: Served, { seed, pets, rateLimits }: AppDeps, before?: Prepared): Promise<Prepared> {
  const { document, namedItems, policy } = served;
  const same = before?.served.document === document && before.served.namedItems === namedItems ? before : undefined;
  const compileSchema = same?.compileSchema ?? createSchemaCompiler(document);
  const makeAnew = createMakeSeeds(document, namedItems, compileSchema);
  const makeSeeds = same?.makeSeeds ?? keepSeeds(makeAnew);
  const seeds = same?.beginning.seeds ?? (await makeAnew({ seed, pets }));
  const beginning = { options: {}, settings: { seed, pets, policy, rateLimits }, seeds };
  const indexed = toIndexedFilters(document.resources, before?.indexed);
  return { served, indexed, compileSchema, makeSeeds, beginning, toBeginning: createToBeginning(beginning, makeSeeds) };
}

/** Named items that were changed have to fit; others may be those of another document. */
function holdChangedItems({ served: { document, namedItems }, compileSchema }: Prepared, before: NamedItems): void {
  for (const resource of document.resources) {
    const { name } = resource;
    const text = namedItems[name] ?? '[]';
    const misfits = before[name] !== undefined && before[name] !== text && misfitsOf(text, resource, compileSchema);
    if (misfits) throw new DocumentError(`The named items of ${name} do not fit the document. ${toSentences(misfits)}`);
  }
}

type Shared = Omit<AppDeps, 'cors'> & {
  sandboxes: Sandboxes;
  cors: Cors;
  guardHost: GuardHost;
  note: NoteExchange;
  send: SendApiAnswer;
  fail: FailApiCall;
};

function createRoutes({ served: { document, keys }, indexed, compileSchema, toBeginning }: Prepared, shared: Shared): Express {
  const {
    sandboxes,
    cors,
    guardHost,
    note,
    send,
    fail,
    magicValues,
    version,
    curlTrust,
    shutdown,
    log,
    isReady = () => true,
  } = shared;
  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .enable('case sensitive routing')
    .enable('strict routing')
    .set('query parser', false);
  app.use((request, response, next) => {
    const refusal = guardRequest(request, guardHost);
    if (refusal) return send(response, refusal, { step: 'guard' });
    const address = resolveSandbox(request);
    if (address.refusal) return send(response, address.refusal, { step: 'sandbox' });
    const { name, prefix } = address;
    const locals = localsOf(response);
    locals.prefix = prefix;
    if (name !== undefined) {
      locals.sandboxName = name;
      // A stranger must neither make a sandbox nor close another, so this is no use of it yet.
      locals.sandbox = sandboxes.find(name)?.sandbox ?? sandboxes.usual;
    }
    request.url = address.url;
    next();
  });
  const enter = (response: ServerResponse, locals: Locals) => {
    const { sandbox, leave } = sandboxes.enter(locals.sandboxName);
    if (leave) response.once('close', leave);
    locals.sandbox = sandbox;
    return sandbox;
  };
  const description = readFileSync(new URL('admin/openapi.json', import.meta.url), 'utf8');
  mountAdmin(app, {
    document: indexDocument(JSON.parse(description)),
    handlers: {
      ...createTwinHandlers({ isReady, description, version, document, shutdown }),
      ...createSandboxHandlers(
        sandboxes,
        document.resources.map(({ name }) => name),
      ),
      ...createSnapshotHandlers({ keys, sandboxes, parse: createParseSnapshot({ document, compileSchema, keys, toBeginning }) }),
      ...clockHandlers,
      ...createLimitHandlers(keys),
      ...createFaultHandlers({ operations: document.operations.map(({ id }) => id), keys: keys.map(({ name }) => name) }),
      ...settingsHandlers,
      ...createRequestHandlers({ document, keys, version, curlTrust }),
    },
    enter,
    bodyLimits: { putSnapshot: snapshotLimit },
    loopback: shared.loopback,
    ...(shared.adminToken !== undefined && { token: shared.adminToken }),
    toAnswer: (error) => toAnswer(error, log),
  });
  mountApi(app, send, {
    document,
    cors,
    enter,
    authenticate: createAuthenticate(keys),
    compileSchema,
    note,
    behaviourOf: (operation) => bindBehaviour(operation, document, indexed),
    forcedStepsOf: (operation) => createForcedSteps(operation, { document, send, fail, magicValues }),
  });
  app.use((request, response) => {
    const message = `There is no operation at ${request.path.slice(0, 200)}. The API is under ${document.basePath || '/'}.`;
    send(response, toErrorAnswer('unknown_path', message), { step: 'routing' });
  });
  app.use(((error, _request, response, _next) => {
    const reason = { step: 'failure', message: error instanceof Error ? error.message : String(error) } as const;
    send(response, toAnswer(error, log), reason);
  }) satisfies ErrorRequestHandler);
  return app;
}

function toAnswer(error: unknown, log: Log): Answer {
  log.error(`The twin failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The twin failed. Its log says why.');
}
