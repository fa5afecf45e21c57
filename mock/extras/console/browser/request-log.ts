import type { EntrySummary } from '../../../journal/entry.ts';
import { explainReason } from '../../pages/browser/explain-reason.ts';

/** How many requests the page holds, which is how many the journal retains unless it is told. */
const maxHeld = 1000;

/** The requests that a page holds. */
export type RequestLog = {
  /** The oldest first. */
  held: readonly EntrySummary[];
  /** How many the sandbox had since its journal was last cleared. */
  total: number;
  /** What was held at a pause, and how many came since. */
  paused?: { held: readonly EntrySummary[]; waiting: number } | undefined;
};

export const emptyLog: RequestLog = { held: [], total: 0 };

/** Takes requests in the order of their ids; the oldest make room. */
export function addRequests(
  { held, total, paused }: RequestLog,
  requests: readonly EntrySummary[],
  max = maxHeld,
): RequestLog {
  const all = [...held];
  let count = total;
  for (const request of requests) {
    // Counts begin anew where the journal was cleared, be it by whomever.
    if (request.count <= count) all.length = 0;
    all.push(request);
    count = request.count;
  }
  return {
    held: all.slice(-max),
    total: count,
    paused: paused && { ...paused, waiting: paused.waiting + requests.length },
  };
}

/** Stops what is shown, or lets it go on. */
export function togglePause({ paused, ...log }: RequestLog): RequestLog {
  return paused ? log : { ...log, paused: { held: log.held, waiting: 0 } };
}

/**
 * Which requests are shown; all that is not empty must hold. `none` stands for those without an
 * operation, a key or a response.
 */
export type RequestFilter = {
  operation: string;
  /** A status, or a class such as `4xx`. */
  status: string;
  key: string;
  /** Text in what the list shows of it, in any case. */
  text: string;
};

export const noFilter: RequestFilter = { operation: '', status: '', key: '', text: '' };

/** What stands for a field that a request does not have; no operation and no key is named so. */
export const none = '(none)';

/** The requests that are shown, the newest first. */
export function shownOf({ held, paused }: RequestLog, filter: RequestFilter): EntrySummary[] {
  return (paused?.held ?? held).filter((request) => fits(request, filter)).reverse();
}

/** The values of a field by which requests can be filtered, as far as they are held. */
export function seenIn(
  { held }: RequestLog,
  field: 'operation' | 'status' | 'key',
  others: readonly string[] = [],
): string[] {
  const values = held.flatMap((request) => request[field] ?? []);
  return [...new Set([...others, ...values.map(String)])].sort();
}

function fits(request: EntrySummary, { operation, status, key, text }: RequestFilter): boolean {
  const ofStatus = request.status === null ? none : String(request.status);
  return (
    (operation === '' || (request.operation ?? none) === operation) &&
    (key === '' || (request.key ?? none) === key) &&
    (status === '' || ofStatus === status || `${ofStatus[0]}xx` === status) &&
    (text === '' || searchTextOf(request).includes(text.toLowerCase()))
  );
}

function searchTextOf(request: EntrySummary): string {
  const { method, url, operation, key, reason } = request;
  return [method, url, operation, key, reason.error, toSentence(request)].join('\n').toLowerCase();
}

/** Why a request got its response, in a sentence. */
export function toSentence(request: EntrySummary): string {
  const { message } = request;
  const body = message === null ? null : JSON.stringify({ message });
  return explainReason({ ...request, response: { headers: {}, body, bytes: 0, truncated: false } });
}
