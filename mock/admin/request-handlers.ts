import type { ServerResponse } from 'node:http';
import type { ApiDocument } from '../../contracts/description/document.ts';
import { type Answer, type TextAnswer, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { parseInstant } from '../clock.ts';
import { toCurl } from '../curl/curl.ts';
import type { CurlTrust } from '../curl/curl-trust.ts';
import { type Entry, toEntry } from '../journal/entry.ts';
import type { Filter } from '../journal/filter.ts';
import { toHarEntry, toHarFrame } from '../journal/har.ts';
import type { Journal } from '../journal/journal.ts';
import type { Step } from '../journal/reason.ts';
import { quote } from '../json/quote.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { AdminCall, AdminHandler, AdminHandlers } from './admin.ts';
import { findMatching, PatternError, type RequestPattern } from './request-pattern.ts';
import { streamRequests } from './request-stream.ts';
import { sendParts } from './send-parts.ts';

type Options = {
  document: ApiDocument;
  keys: readonly ApiKey[];
  version: string;
  curlTrust: CurlTrust;
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
};

type Asked = { filter: Filter; limit?: number; pattern?: RequestPattern };

/** How many entries a list holds where nobody says how many. */
const defaultLimit = 100;

/** Show, count and stream the requests to a sandbox, and forget them. */
export function createRequestHandlers({
  document,
  keys,
  version,
  curlTrust,
  demoKeys,
}: Options): AdminHandlers {
  const operations = document.operations.map(({ id }) => id);
  const names = keys.map(({ name }) => name);

  /**
   * What cannot be asked for; a name that nothing has would never find anything, and look like a
   * passing test.
   */
  const problemOf = ({ operation, key }: Filter, journal: Journal): string | undefined => {
    if (
      operation !== undefined &&
      !operations.includes(operation) &&
      journal.count({ operation }) === 0
    )
      return `"operation" must be one of ${operations.join(', ')}.`;
    if (key !== undefined && !names.includes(key) && journal.count({ key }) === 0)
      return `"key" must be the name of a key: ${names.join(', ')}.`;
    return undefined;
  };
  const readQuery = ({ query, sandbox }: AdminCall): Asked | Answer => {
    const since = query.since === undefined ? undefined : parseSince(query.since);
    if (query.since !== undefined && !since)
      return toErrorAnswer('invalid_parameter', sinceProblem);
    const { unmatched, admin, operation, status, key, step, limit } = query;
    const filter: Filter = {
      ...(since && { since }),
      ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
      ...(admin !== undefined && { admin: admin === 'true' }),
      ...(operation !== undefined && { operation }),
      ...(status !== undefined && { status: Number(status) }),
      ...(key !== undefined && { key }),
      ...(step !== undefined && { step: step as Step }),
    };
    const problem = problemOf(filter, sandbox.journal());
    if (problem) return toErrorAnswer('invalid_parameter', problem);
    return { filter, ...(limit !== undefined && { limit: Number(limit) }) };
  };
  const readPattern = (call: AdminCall): Asked | Answer => {
    const asked = readQuery(call);
    if ('status' in asked) return asked;
    const pattern = call.body as RequestPattern;
    const { operation, status, key, step, unmatched } = pattern;
    const own = Object.entries({ operation, status, key, step, unmatched }).filter(
      ([, value]) => value !== undefined,
    );
    const filter: Filter = { ...asked.filter, ...Object.fromEntries(own) };
    const problem = problemOf(filter, call.sandbox.journal());
    if (problem) return toErrorAnswer('invalid_body', problem);
    return { ...asked, filter, pattern };
  };

  /** The ids of those that are asked for, newest first. Rejects with PatternError. */
  const find = async ({ filter, pattern }: Asked, journal: Journal): Promise<number[]> =>
    pattern ? findMatching(pattern, toEntries(journal.ids(filter), journal)) : journal.ids(filter);
  const list = async (
    { sandbox, response }: AdminCall,
    asked: Asked | Answer,
  ): Promise<Answer | undefined> => {
    if ('status' in asked) return asked;
    const journal = sandbox.journal();
    const ids = await find(asked, journal);
    const meta = { total: ids.length, dropped: journal.retained.dropped };
    const frame = { before: '{"requests":[', after: `],"meta":${JSON.stringify(meta)}}` };
    return void (await sendEntries(response, {
      journal,
      ids: ids.slice(0, asked.limit ?? defaultLimit),
      ...frame,
    }));
  };
  const showOne = (show: (entry: Entry) => Answer | TextAnswer): AdminHandler => {
    return ({ params: { id = '' }, sandbox }) => {
      const journal = sandbox.journal();
      const [wanted] =
        id === 'latest' ? journal.ids({ limit: 1 }) : /^\d{1,15}$/.test(id) ? [Number(id)] : [];
      const entry = wanted === undefined ? undefined : journal.get(wanted);
      return entry
        ? show(entry)
        : toErrorAnswer(
            'not_found',
            `The journal has no request ${quote(id)}. ${rangeOf(journal)}`,
          );
    };
  };

  const handlers: AdminHandlers = {
    listRequests: (call) => list(call, readQuery(call)),
    findRequests: refusePattern((call) => list(call, readPattern(call))),
    countRequests: refusePattern(async (call) => {
      const asked = readPattern(call);
      if ('status' in asked) return asked;
      const journal = call.sandbox.journal();
      return toJsonAnswer({
        count: (await find(asked, journal)).length,
        dropped: journal.retained.dropped,
      });
    }),
    clearRequests: async ({ sandbox }) => {
      const journal = sandbox.journal();
      const removed = journal.retained.length;
      await journal.clear();
      return toJsonAnswer({ removed });
    },
    getRequest: showOne(toJsonAnswer),
    getRequestCurl: showOne((entry) => {
      const key = demoKeys ? keys.find(({ name }) => name === entry.key)?.key : undefined;
      const text = toCurl(entry, { trust: curlTrust, key });
      return text === undefined
        ? toErrorAnswer('not_found', `${entry.id} was not a request that can be repeated.`)
        : { status: 200, text, mediaType: 'text/plain; charset=utf-8' };
    }),
    exportRequests: async (call) => {
      const asked = readQuery(call);
      if ('status' in asked) return asked;
      const journal = call.sandbox.journal();
      const { filter, limit } = asked;
      const ids = journal
        .ids({ ...filter, isRequest: true, ...(limit !== undefined && { limit }) })
        .toReversed();
      return void (await sendEntries(call.response, {
        journal,
        ids,
        ...toHarFrame(version),
        toForm: toHarEntry,
      }));
    },
    streamRequests: (call) => {
      const asked = readQuery(call);
      if ('status' in asked) return asked;
      const { response, sandbox } = call;
      const seen = response.req.headers['last-event-id'];
      if (seen !== undefined && !/^\d{1,15}$/.test(String(seen)))
        return toErrorAnswer('invalid_parameter', 'Last-Event-ID must be the id of a request.');
      const journal = sandbox.journal();
      const { since } = asked.filter;
      const after = since ? (since.id ?? 0) : (journal.get('latest')?.id ?? 0);
      const place = { after, seen: seen === undefined ? undefined : Number(seen) };
      const summaries = call.query.fields === 'summary';
      return void streamRequests(response, { journal, filter: asked.filter, summaries, ...place });
    },
  };
  const whenOn = (handler: AdminHandler): AdminHandler => {
    return async (call) => {
      const journal = call.sandbox.journal();
      if (journal.bounds.entries === 0) return off;
      await journal.refresh?.();
      return await handler(call);
    };
  };
  return Object.fromEntries(Object.entries(handlers).map(([id, handler]) => [id, whenOn(handler)]));
}

function* toEntries(ids: readonly number[], journal: Journal): Generator<Entry> {
  for (const id of ids) {
    const entry = journal.get(id);
    if (entry) yield entry;
  }
}

/** Answers with what is wrong with a pattern, be it found as it is compiled or as it is matched. */
function refusePattern(handler: (call: AdminCall) => Promise<Answer | undefined>): AdminHandler {
  return async (call) => {
    try {
      return await handler(call);
    } catch (error) {
      if (error instanceof PatternError) return toErrorAnswer('invalid_body', error.message);
      throw error;
    }
  };
}

const off = toErrorAnswer(
  'journal_off',
  'The journal is off. Start the twin without --journal-entries 0.',
);

const sinceProblem =
  'Query parameter "since" must be an instant in ISO 8601, e.g. 2030-12-05T00:00:00Z, or the id of a request.';

/** An instant, or the id of a request; a plus sign that was not encoded arrives as a space. */
function parseSince(text: string): Filter['since'] {
  if (/^\d{1,15}$/.test(text)) return { id: Number(text) };
  const instant = parseInstant(text.replace(/(?<=:\S*) (?=\d\d:?\d\d$)/, '+'));
  return Number.isNaN(instant) ? undefined : { instant };
}

function rangeOf(journal: Journal): string {
  const newest = journal.get('latest');
  const [oldest] = journal.read(0, {}, 1, toEntry).entries;
  return newest && oldest ? `It has ${oldest.id} to ${newest.id}.` : 'It is empty.';
}

/**
 * What is sent: the entries of these ids, each as `toForm` shows it, in a list between two texts of
 * JSON.
 */
type EntryList = {
  journal: Pick<Journal, 'get'>;
  ids: Iterable<number>;
  before: string;
  after: string;
  toForm?: (entry: Entry) => unknown;
};

/**
 * Sends entries of a journal as JSON, each made when the client has taken those before it: all of
 * them together take several times the memory that the journal keeps them in. One that made room
 * for others by then is left out.
 */
export function sendEntries(response: ServerResponse, list: EntryList): Promise<void> {
  return sendParts(response, toParts(list));
}

function* toParts({
  journal,
  ids,
  before,
  after,
  toForm = (entry) => entry,
}: EntryList): Generator<string> {
  yield before;
  let separator = '';
  for (const id of ids) {
    const entry = journal.get(id);
    if (!entry) continue;
    yield separator + JSON.stringify(toForm(entry));
    separator = ',';
  }
  yield after;
}
