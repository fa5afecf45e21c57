import { toExcerpt } from '../../../../contracts/look/visible.ts';
import type { Entry } from '../../../journal/entry.ts';
import type { ReasonView, Step } from '../../../journal/reason.ts';

/** What a sentence is made from. */
export type ExplainedEntry = Pick<
  Entry,
  'status' | 'reason' | 'key' | 'operation' | 'clock' | 'response'
>;

/** The longest sentence, in characters. */
const maxLength = 600;

/** How many problems of a body a sentence lists. */
const maxProblems = 3;

/**
 * Why a request got its response, in a sentence on one line that begins with the status: "429: the
 * minute of demo-free is used up, 60 of 60; free again in 34 s". Times are as they were then.
 */
export function explainReason(entry: ExplainedEntry): string {
  const { status, reason } = entry;
  const explain = explanations[reason.step] as (
    entry: ExplainedEntry,
    reason: ReasonView,
  ) => string;
  const sentence = `${status ?? 'No response'}: ${explain(entry, reason)}${explainDelay(entry)}`;
  return toExcerpt(sentence, maxLength);
}

type Of<step extends Step> = Extract<ReasonView, { step: step }>;

const explanations: {
  [step in Step]: (entry: ExplainedEntry, reason: Of<step>) => string;
} = {
  connection: orMessage('this was no valid HTTP request, or it did not arrive in time'),
  guard: orMessage('the request is not allowed for any path'),
  sandbox: orMessage('the request names its sandbox wrongly'),
  domain: (entry, { domain, outcome }) =>
    outcome === 'waiting'
      ? orMessage(domainOutcomes.waiting)(entry)
      : `${domain} ${domainOutcomes[outcome]}`,
  admin: (entry, { operation }) =>
    (entry.status ?? 200) < 400
      ? `the admin carried out ${operation}`
      : orMessage('the admin refused the change')(entry),
  oauth: (_, { endpoint, problem }) =>
    problem === undefined
      ? `the OAuth server of the twin answered at ${endpoint}`
      : `the OAuth server of the twin refused it at ${endpoint}: ${problem}`,
  options: () => 'the request asked for the methods of the path',
  routing: orMessage('the API has no operation with this path and method'),
  credentials: (_, { problem, expected }) =>
    expected === undefined
      ? credentialProblems[problem]
      : `${credentialProblems[problem]}; expected ${expected}`,
  limits: ({ key, clock }, reason) => {
    const { limit, remaining, per, reset } = reason.window;
    const free = `free again in ${toDuration(reset - Date.parse(clock) / 1000)}`;
    const who = key ?? `the ${reason.plan} plan`;
    return reason.outcome === 'exceeded'
      ? `the ${per} of ${who} is used up, ${count(limit - remaining)} of ${count(limit)}; ${free}`
      : `${who} is banned for ${toDuration(reason.ban.seconds)}, as it called on after a 429; ${free}`;
  },
  forced: (entry, { preference }) =>
    preference === undefined
      ? orMessage('a preference of the request cannot be honoured')(entry)
      : `the request asked for this response: Prefer: ${preference}`,
  fault: (_, reason) =>
    'fault' in reason
      ? `the fault "${reason.rule}" broke the connection (${reason.fault})`
      : `the fault "${reason.rule}" answered with ${reason.code}`,
  removal: ({ operation, clock }, { sunset }) =>
    `${operation ?? 'the operation'} was removed on ${toDate(sunset)}, and the clock shows ${toDate(clock)}`,
  query: (entry, { parameter, problem, in: place = 'query' }) =>
    parameter === undefined || problem === undefined
      ? orMessage('the query is malformed')(entry)
      : `${place} parameter "${parameter}" ${problem}`,
  body: (entry, { problems = [] }) => {
    if (problems.length === 0) return orMessage('the body cannot be read')(entry);
    const more = problems.length - maxProblems;
    return [
      ...problems.slice(0, maxProblems).map(({ problem }) => problem),
      ...(more > 0 ? [`${more} more.`] : []),
    ].join(' ');
  },
  magic: (_, { value }) => `the magic value "${value}" asks for this response`,
  behaviour: (entry, { kind }) => {
    const operation = entry.operation ?? 'the operation';
    const success = {
      list: `${operation} listed what is stored`,
      create: `${operation} stored a new item`,
      createMany: `${operation} stored several new items`,
      read: `${operation} read a stored item`,
      replace: `${operation} stored an item under its id`,
      update: `${operation} changed a stored item`,
      delete: `${operation} deleted a stored item`,
      singleton: `${operation} showed or changed the one object at its path`,
      action: `${operation} is answered with the stored item in its path, which stays as it is`,
      example: `${operation} is answered from the document, as the twin stores nothing for it`,
    }[kind];
    return (entry.status ?? 200) < 400 ? success : orMessage(`${operation} refused it`)(entry);
  },
  store: (_, { message }) => `the store cannot be used: ${message}`,
  failure: (_, { message }) => `the twin failed, which is a bug in it: ${message}`,
};

const domainOutcomes: Readonly<Record<Of<'domain'>['outcome'], string>> = {
  served: 'is an active domain of the project, which serves the reference',
  redirected: 'redirects to another domain of the project',
  removed: 'was removed from the project, and serves nothing',
  waiting: 'the host is a domain of the project that is not active yet',
};

/** What is wrong with the credentials; what was expected follows where that is not a key alone. */
const credentialProblems: Readonly<Record<Of<'credentials'>['problem'], string>> = {
  missing: 'no API key or other credentials were sent',
  malformed: 'the credentials are malformed',
  unknown: 'the API key or token is unknown',
  expired: 'the access token has expired',
  insufficient_scope: 'the access token lacks a scope that the operation needs',
};

/** Explains with the message of the Error that was sent, or else with these words. */
function orMessage(words: string): (entry: ExplainedEntry) => string {
  return ({ response }) => {
    try {
      const { message } = JSON.parse(response?.body ?? '');
      return typeof message === 'string' && message !== '' ? message : words;
    } catch {
      return words;
    }
  };
}

function explainDelay({ status, reason: { delay } }: ExplainedEntry): string {
  if (!delay) return '';
  const { milliseconds, by } = delay;
  const asker = by === 'settings' ? 'by the settings' : by === 'Prefer' ? 'as asked' : `by "${by}"`;
  const wait = `delayed by ${count(milliseconds)} ms ${asker}`;
  return status === null ? `; it was to be ${wait}` : `; ${wait}`;
}

/** Seconds in words, at least 1. */
function toDuration(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = (amount: number, unit: string) => (amount === 0 ? '' : ` ${amount} ${unit}`);
  return minutes < 120
    ? `${minutes} min${rest(whole % 60, 's')}`
    : `${count(Math.floor(minutes / 60))} h${rest(minutes % 60, 'min')}`;
}

function toDate(instant: string): string {
  return new Date(instant).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** The class that gives a status its colour. */
export function toTone(status: number | null): string {
  if (status === null || status >= 500) return 'is-drift';
  if (status >= 400) return 'is-standard';
  return status >= 300 ? 'is-difference' : 'is-kept';
}
