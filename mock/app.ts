import type { RequestListener } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import type { Response } from 'express';
import { type ApiDocument, DocumentError } from '../contracts/description/document.ts';
import { createCors } from './http/cors.ts';
import { createExpressApps, type MessageClasses } from './http/express-apps.ts';
import { createGuardHost } from './http/guard-host.ts';
import { beginLocals } from './http/locals.ts';
import { createNoteBareAnswer, createNoteExchange } from './http/note-exchange.ts';
import { rateLimitHeaders } from './http/rate-limit.ts';
import type { BareAnswers } from './http/refuse-connection.ts';
import { createFailApiCall, createSendApiAnswer } from './http/send-api-answer.ts';
import { type IndexedFilters, toIndexedFilters } from './items/indexed-filters.ts';
import {
  createMakeSeeds,
  differingSeeds,
  type MakeSeeds,
  misfitSeeds,
  misfitsOf,
  type NamedItems,
} from './items/seeds.ts';
import { toLogLine } from './journal/entry.ts';
import { createJournals, type Journals } from './journal/journals.ts';
import { type CompileSchema, createSchemaCompiler, toSentences } from './json/validator.ts';
import type { ApiKey, LimitPolicy } from './limits/plans.ts';
import { mountRoutes, type RoutesOptions } from './routes.ts';
import { createToBeginning, keepSeeds } from './sandboxes/beginnings.ts';
import { createSandbox, type Sandbox, type ToBeginning } from './sandboxes/sandbox.ts';
import type { SandboxSettings } from './sandboxes/sandbox-options.ts';
import type { Beginning } from './sandboxes/sandbox-state.ts';
import { createSandboxes, type Sandboxes } from './sandboxes/sandboxes.ts';
import { createMemoryStores } from './state/memory-store.ts';

/** What a twin serves; all of it may change while the twin runs. */
export type Served = {
  document: ApiDocument;
  namedItems: NamedItems;
  policy: LimitPolicy;
  keys: readonly ApiKey[];
};

/**
 * Everything that a twin is made of; no file but the admin's own and nothing of the environment is
 * read from here on.
 */
export type AppDeps = Omit<SandboxSettings, 'policy'> &
  Pick<
    RoutesOptions,
    | 'magicValues'
    | 'loopback'
    | 'adminToken'
    | 'adminOrigins'
    | 'version'
    | 'curlTrust'
    | 'shutdown'
    | 'log'
    | 'isReady'
  > & {
    served: Served;
    cors: boolean;
    allowedHosts: readonly string[];
    /** How many sandboxes there may be besides the default one. */
    maxSandboxes: number;
    /** After how many seconds without use a sandbox is closed; 0 for never. */
    sandboxIdle: number;
    /** How many requests the journal of a sandbox keeps; 0 for none. */
    journalEntries: number;
    /** Whether each exchange is logged. */
    logTransaction: boolean;
  };

export type TwinApp = {
  handle: RequestListener;
  /** What a server makes for it. */
  classes: MessageClasses;
  sandboxes: Sandboxes;
  /** What is served now. */
  readonly served: Served;
  /**
   * Serves something else from now on; calls under way end on what they began with, and sandboxes
   * keep what they hold. Gives the names of the collections that begin with other items at the next
   * reset. Throws DocumentError, and changes nothing, where it cannot be served.
   */
  serve: (next: Served) => Promise<string[]>;
  journals: Journals;
  /** What goes with the answers to what never becomes a request. */
  bare: BareAnswers;
} & Pick<Sandbox, 'clock' | 'store' | 'reset'>;

/**
 * How many bytes items may take that sandboxes and snapshots do not share: a third of the heap, as
 * a change of the document makes them twice, once V8's young generation and the rest of the twin
 * have their part; a sixteenth of a small heap.
 */
function bytesForItems(): number {
  const heap = getHeapStatistics().heap_size_limit;
  return Math.max((heap - 256 * 1024 * 1024) / 3, heap / 16);
}

/** Puts a twin together. This is the one place that picks adapters. */
export async function createApp(deps: AppDeps): Promise<TwinApp> {
  const { open, bytesOf } = createMemoryStores();
  const journals = openJournals(deps);
  let current = await prepare(deps.served, deps);
  const sandboxes = createSandboxes({
    create: (name, beginning, admit) =>
      createSandbox(name, { beginning, open, openJournal: journals.open, admit }),
    bytesOf,
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
  const apps = createExpressApps();
  const toRoutes = ({ served: { document, keys }, ...prepared }: Prepared) => {
    const routes = apps.create();
    mountRoutes(routes, {
      ...deps,
      ...prepared,
      document,
      keys,
      sandboxes,
      cors,
      guardHost,
      note,
      send,
      fail,
    });
    return routes;
  };
  let routes = toRoutes(current);
  return {
    handle(request, response) {
      beginLocals(response, usual);
      routes(request, response);
    },
    classes: apps.classes,
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
      routes = toRoutes(prepared);
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
        response
          ? note(response as Response, { step: 'connection' }, sent)
          : noteBareAnswer(usual, sent),
    },
  };
}

/**
 * The journals, which show no key of the twin and not the token of the admin, and the log of
 * exchanges.
 */
function openJournals({
  served,
  adminToken,
  journalEntries,
  logTransaction,
  log,
}: AppDeps): Journals {
  return createJournals({
    entries: journalEntries,
    secrets: [
      ...served.keys.map(({ key }) => key),
      ...(adminToken === undefined ? [] : [adminToken]),
    ],
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

/**
 * Makes what sandboxes begin with; items are made anew only where the document or the named items
 * are others than before.
 */
async function prepare(
  served: Served,
  { seed, pets, rateLimits, log }: AppDeps,
  before?: Prepared,
): Promise<Prepared> {
  const { document, namedItems, policy } = served;
  const same =
    before?.served.document === document && before.served.namedItems === namedItems
      ? before
      : undefined;
  const compileSchema = same?.compileSchema ?? createSchemaCompiler(document);
  const makeAnew = createMakeSeeds(document, namedItems, compileSchema);
  const makeSeeds = same?.makeSeeds ?? keepSeeds(makeAnew);
  const seeds = same?.beginning.seeds ?? (await makeAnew({ seed, pets }));
  if (!same)
    for (const { name, problems } of misfitSeeds(document, seeds, compileSchema))
      log.warn(
        `Made items of ${name} do not fit their schema, as none could be made that does. ${toSentences(problems)}`,
      );
  const beginning = { options: {}, settings: { seed, pets, policy, rateLimits }, seeds };
  const indexed = toIndexedFilters(document.resources, before?.indexed);
  return {
    served,
    indexed,
    compileSchema,
    makeSeeds,
    beginning,
    toBeginning: createToBeginning(beginning, makeSeeds),
  };
}

/** Named items that were changed have to fit; others may be those of another document. */
function holdChangedItems(
  { served: { document, namedItems }, compileSchema }: Prepared,
  before: NamedItems,
): void {
  for (const resource of document.resources) {
    const { name } = resource;
    const text = namedItems[name] ?? '[]';
    const misfits =
      before[name] !== undefined &&
      before[name] !== text &&
      misfitsOf(text, resource, compileSchema);
    if (misfits)
      throw new DocumentError(
        `The named items of ${name} do not fit the document. ${toSentences(misfits)}`,
      );
  }
}
