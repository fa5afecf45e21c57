import type { Api } from '../../../openapi/index.ts';
import { toJsonAnswer } from '../../answers/answer.ts';
import type { ErrorCode } from '../../answers/errors.ts';
import { parseInstant } from '../../clock.ts';
import { toCurl } from '../../curl/curl.ts';
import type { CurlTrust } from '../../curl/curl-trust.ts';
import { type Entry, type EntrySummary, toSummary } from '../../journal/entry.ts';
import { toHar } from '../../journal/har.ts';
import type { Filter, Journal } from '../../journal/journal.ts';
import { quote } from '../../json/quote.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { AdminCall, AdminHandler, AdminHandlers } from './admin.ts';
import { refuse } from './refusal.ts';
import { findMatching, type RequestPattern } from './request-pattern.ts';

type Options = {
  document: Api;
  keys: readonly ApiKey[];
  version: string;
  curlTrust: CurlTrust;
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
};

type RequestQuery = {
  filter: Filter;
  limit: number | undefined;
  pattern?: RequestPattern;
  /** Whether entries are listed without headers and bodies. */
  isShort: boolean;
};

/** The requests that a list has, and how many there are beyond it. */
export type RequestsView<Shown = Entry> = {
  requests: Shown[];
  meta: { total: number; dropped: number };
};

/** How many entries a list holds where nobody says how many. */
const defaultLimit = 100;

/** Show and count the requests to a sandbox, and forget them. */
export function createRequestHandlers(options: Options): AdminHandlers {
  const known = {
    operations: options.document.operations.map(({ id }) => id),
    keys: options.keys.map(({ name }) => name),
  };
  const handlers = { ...createListHandlers(known), ...createExportHandlers(known, options) };
  return Object.fromEntries(Object.entries(handlers).map(([id, handler]) => [id, whenOn(handler)]));
}

function whenOn(handler: AdminHandler): AdminHandler {
  return async (call) => {
    const journal = call.sandbox.journal;
    if (journal.bounds.entries === 0)
      refuse('journal_off', 'The journal is off. Start the mock without --journal-entries 0.');
    await journal.refresh?.();
    return await handler(call);
  };
}

function createListHandlers(known: KnownNames): AdminHandlers {
  const list = ({ sandbox }: AdminCall, asked: RequestQuery) => {
    const journal = sandbox.journal;
    const all = find(asked, journal);
    const ids = all.slice(0, asked.limit ?? defaultLimit);
    const requests = asked.isShort ? toSummaries(ids, asked, journal) : toEntries(ids, journal);
    const meta = { total: all.length, dropped: journal.retained.dropped };
    const view: RequestsView<Entry | EntrySummary> = { requests, meta };
    return toJsonAnswer(view);
  };
  return {
    listRequests: (call) => list(call, readQuery(call, known)),
    findRequests: (call) => list(call, readPattern(call, known)),
    countRequests: (call) => {
      const journal = call.sandbox.journal;
      const { length: count } = find(readPattern(call, known), journal);
      return toJsonAnswer({ count, dropped: journal.retained.dropped });
    },
    clearRequests: async ({ sandbox }) => {
      const journal = sandbox.journal;
      const removed = journal.retained.size;
      await journal.clear();
      return toJsonAnswer({ removed });
    },
    getRequest: (call) => toJsonAnswer(entryOf(call)),
  };
}

function createExportHandlers(
  known: KnownNames,
  { keys, version, curlTrust, demoKeys }: Options,
): AdminHandlers {
  return {
    getRequestCurl: (call) => {
      const entry = entryOf(call);
      const key = demoKeys ? keys.find(({ name }) => name === entry.key)?.key : undefined;
      const text =
        toCurl(entry, { trust: curlTrust, key }) ??
        refuse('not_found', `${entry.id} was not a request that can be repeated.`);
      return { status: 200, text, mediaType: 'text/plain; charset=utf-8' };
    },
    exportRequests: (call) => {
      const { filter, limit } = readQuery(call, known);
      const journal = call.sandbox.journal;
      const asked: Filter & { limit?: number } = { ...filter, isRequest: true };
      if (limit !== undefined) asked.limit = limit;
      return toJsonAnswer(toHar(toEntries(journal.ids(asked).toReversed(), journal), version));
    },
  };
}

/** How query parameters are read that filter requests. */
const filterReaders = {
  since: parseSince,
  unmatched: (text: string) => text === 'true',
  admin: (text: string) => text === 'true',
  operation: String,
  status: Number,
  key: String,
  step: String,
} satisfies { [Name in keyof Filter]?: (text: string) => unknown };

function readQuery({ query, sandbox }: AdminCall, known: KnownNames): RequestQuery {
  const given = Object.entries(filterReaders).flatMap(([name, read]) => {
    const text = query[name];
    return text === undefined ? [] : [[name, read(text)]];
  });
  const filter: Filter = Object.fromEntries(given);
  ensureKnown(filter, sandbox.journal, known, 'invalid_parameter');
  const limit = query.limit === undefined ? undefined : Number(query.limit);
  return { filter, limit, isShort: query.fields === 'summary' };
}

/** Members of a pattern that filter requests by the journal's notes. */
const journalFilters = ['operation', 'status', 'key', 'step', 'unmatched'];

function readPattern(call: AdminCall, known: KnownNames): RequestQuery {
  const asked = readQuery(call, known);
  const pattern = call.body as RequestPattern;
  const own = Object.entries(pattern).filter(([name]) => journalFilters.includes(name));
  const filter = { ...asked.filter, ...Object.fromEntries(own) };
  ensureKnown(filter, call.sandbox.journal, known, 'invalid_body');
  return { ...asked, filter, pattern };
}

/** The names that operations and keys have now. */
type KnownNames = { operations: readonly string[]; keys: readonly string[] };

/** A name that nothing has would never find anything, and look like a passing test. */
function ensureKnown(
  { operation, key }: Filter,
  journal: Journal,
  { operations, keys }: KnownNames,
  code: ErrorCode,
): void {
  const isNone = (filter: Filter) => journal.count(filter) === 0;
  if (operation !== undefined && !operations.includes(operation) && isNone({ operation }))
    refuse(code, `"operation" must be one of ${operations.join(', ')}.`);
  if (key !== undefined && !keys.includes(key) && isNone({ key }))
    refuse(code, `"key" must be the name of a key: ${keys.join(', ')}.`);
}

/** The ids of those that are asked for, newest first. */
function find({ filter, pattern }: RequestQuery, journal: Journal): number[] {
  const ids = journal.ids(filter);
  return pattern ? findMatching(pattern, toEntries(ids, journal)) : ids;
}

/** The entry that a path names. */
function entryOf({ params: { id = '' }, sandbox }: AdminCall): Entry {
  const journal = sandbox.journal;
  const wanted =
    id === 'latest' ? journal.ids({ limit: 1 })[0] : Number(id.match(/^\d{1,15}$/)?.[0]);
  const entry = wanted === undefined ? undefined : journal.get(wanted);
  const message = `The journal has no request ${quote(id)}. GET /__admin/requests lists those it has.`;
  return entry ?? refuse('not_found', message);
}

/** Returns the summaries of the newest requested entries, without reading their bodies. */
function toSummaries(
  ids: readonly number[],
  { filter }: RequestQuery,
  journal: Journal,
): EntrySummary[] {
  const before = (ids.at(-1) ?? 1) - 1;
  return journal.read(before, filter, ids.length, toSummary).toReversed();
}

function toEntries(ids: readonly number[], journal: Journal): Entry[] {
  return ids.flatMap((id) => journal.get(id) ?? []);
}

/** An instant, or the id of a request; a plus sign that was not encoded arrives as a space. */
function parseSince(text: string): NonNullable<Filter['since']> {
  if (/^\d{1,15}$/.test(text)) return { id: Number(text) };
  const instant = parseInstant(text.replace(/(?<=:\S*) (?=\d\d:?\d\d$)/, '+'));
  if (!Number.isNaN(instant)) return { instant };
  return refuse(
    'invalid_parameter',
    'Query parameter "since" must be an instant in ISO 8601, e.g. 2030-12-05T00:00:00Z, or the id of a request.',
  );
}
