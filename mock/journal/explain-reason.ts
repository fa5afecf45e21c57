import { membersOf, parseJson } from '../../common/json.ts';
import { number, toSpan } from '../../common/look/amounts.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Entry, EntrySummary } from './entry.ts';
import type { Reason, Step } from './reason.ts';

/** The fields of an entry that a sentence is made from. */
export type ExplainedEntry = Pick<
  EntrySummary,
  'status' | 'reason' | 'key' | 'operation' | 'clock' | 'message'
>;

/** The longest sentence, in characters. */
const maxLength = 600;

/**
 * Why a request got its response, in a sentence on one line that begins with the status: "429: the
 * minute of demo-free is used up, 60 of 60; free again in 34 s". Times are as they were then.
 */
export function explainReason(entry: ExplainedEntry): string {
  const { status, reason } = entry;
  const explain = explanations[reason.step] as (entry: ExplainedEntry, reason: Reason) => string;
  const { xTwin, tolerated, advice } = reason;
  const ruled = xTwin ? `; by ${xTwin} of x-twin` : '';
  const noted = tolerated ? `; tolerated: ${tolerated.join(' ')}` : '';
  const explained = explain(entry, reason) + explainDelay(entry) + ruled + noted;
  const advised = advice ? `${explained.endsWith('.') ? '' : '.'} ${advice}` : '';
  const sentence = `${status ?? 'No response'}: ${explained}${advised}`;
  return toExcerpt(sentence, maxLength);
}

/** Explains the response of an entry. */
export function explainEntry(entry: Entry): string {
  return explainReason({ ...entry, message: messageOf(entry) });
}

/** The message of the Error that was answered. */
function messageOf({ status, response }: Entry): string | null {
  if (status === null || status < 400) return null;
  const message = membersOf(parseJson(response?.body ?? ''))?.message;
  return typeof message === 'string' ? message : null;
}

type Of<step extends Step> = Extract<Reason, { step: step }>;

const explanations: {
  [step in Step]: (entry: ExplainedEntry, reason: Of<step>) => string;
} = {
  connection: ({ message }) => message || 'the HTTP request was invalid, or did not arrive in time',
  guard: ({ message }) => message || 'the request is not allowed on any path',
  sandbox: ({ message }) => message || 'the name of the sandbox is invalid',
  domain: ({ message }, { domain, outcome }) => message || `${domain} ${domainOutcomes[outcome]}`,
  admin: ({ message }, { operation }) => message || `the admin ran ${operation}`,
  oauth: (_, { endpoint, problem }) =>
    problem === undefined
      ? `the OAuth server of the mock answered at ${endpoint}`
      : `the OAuth server of the mock refused it at ${endpoint}: ${problem}`,
  options: () => 'the request asked which methods the path has',
  routing: ({ message }) => message || 'the API has no operation with this path and method',
  credentials: (_, { problem, expected }) =>
    credentialProblems[problem] + (expected === undefined ? '' : `; expected ${expected}`),
  limits: ({ key, clock }, reason) => {
    const { limit, remaining, per, reset } = reason.window;
    const free = `free again in ${toDuration(reset - Date.parse(clock) / 1000)}`;
    const who = key ?? `the ${reason.plan} plan`;
    return reason.outcome === 'exceeded'
      ? `the ${per} of ${who} is used up, ${number(limit - remaining)} of ${number(limit)}; ${free}`
      : `${who} is banned for ${toDuration(reason.ban.seconds)}, for calls after a 429; ${free}`;
  },
  forced: ({ message }, { preference }) =>
    preference === undefined
      ? message || 'a preference of the request cannot be applied'
      : `the request asked for this response: Prefer: ${preference}`,
  fault: (_, reason) =>
    'fault' in reason
      ? `the fault "${reason.rule}" broke the connection (${reason.fault})`
      : `the fault "${reason.rule}" answered with ${reason.code}`,
  forwarded: ({ message }, { url }) => message || `forwarded to ${url}, which sent the response`,
  removal: ({ operation, clock }, { sunset }) =>
    `${operation ?? 'the operation'} was removed on ${toDate(sunset)}, and the clock shows ${toDate(clock)}`,
  query: ({ message }, { parameter, problem, in: place = 'query' }) =>
    parameter === undefined || problem === undefined
      ? message || 'the query is malformed'
      : `${place} parameter "${parameter}" ${problem}`,
  body: ({ message }, { problems = [] }) =>
    problems.map(({ problem }) => problem).join(' ') || message || 'the body cannot be read',
  magic: (_, { value }) => `the magic value "${value}" triggers this response`,
  example: (_, { name }) =>
    `the request is like its example "${name}", and the response has one of that name`,
  behaviour: ({ status, message, operation }, { kind, besides }) =>
    (status ?? 200) < 400
      ? `${operation ?? 'the operation'} ${successes[kind]}${besides === undefined ? '' : `, and ${besides} did not change`}`
      : message || `${operation ?? 'the operation'} refused it`,
  store: (_, { message }) => `the store cannot be used: ${message}`,
  failure: (_, { message }) => `the mock failed because of a bug in it: ${message}`,
};

const successes: Readonly<Record<Of<'behaviour'>['kind'], string>> = {
  list: 'listed stored items',
  create: 'stored a new item',
  createMany: 'stored several new items',
  replaceMany: 'replaced several stored items',
  updateMany: 'changed several stored items',
  deleteMany: 'deleted several stored items',
  read: 'read a stored item',
  replace: 'replaced a stored item',
  update: 'changed a stored item',
  delete: 'deleted a stored item',
  singleton: 'read or changed the singleton at its path',
  action: 'acted on the stored item in its path',
  example: 'is stateless: the response comes from the document',
  own: 'ran a behaviour of yours',
};

const domainOutcomes: Readonly<Record<Of<'domain'>['outcome'], string>> = {
  served: 'is an active domain of the project, which serves the reference',
  redirected: 'redirects to another domain of the project',
  removed: 'was removed from the project and serves nothing',
  waiting: 'is a domain of the project that is not active yet',
};

/**
 * Phrases for problems with credentials; the expected credentials follow unless a key alone is
 * expected.
 */
const credentialProblems: Readonly<Record<Of<'credentials'>['problem'], string>> = {
  missing: 'no API key or other credentials were sent',
  malformed: 'the credentials are malformed',
  unknown: 'the API key or token is unknown',
  expired: 'the access token has expired',
  insufficient_scope: 'the access token lacks a scope that the operation needs',
};

function explainDelay({ status, reason: { delay } }: ExplainedEntry): string {
  if (!delay) return '';
  const { milliseconds, by } = delay;
  const asker = by === 'settings' ? 'by the settings' : by === 'Prefer' ? 'as asked' : `by "${by}"`;
  const wait = `delayed by ${number(milliseconds)} ms ${asker}`;
  return status === null ? `; it would have been ${wait}` : `; ${wait}`;
}

/** Seconds in words, at least 1. */
function toDuration(seconds: number): string {
  return toSpan(Math.max(1, Math.ceil(seconds)) * 1000);
}

function toDate(instant: string): string {
  return new Date(instant).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

/** The class that gives a status its colour. */
export function toTone(status: number | null): string {
  if (status === null || status >= 500) return 'is-drift';
  if (status >= 400) return 'is-standard';
  return status >= 300 ? 'is-difference' : 'is-kept';
}
