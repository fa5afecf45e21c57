import type { EntrySummary } from '../../../journal/entry.ts';
import { explainReason } from '../../pages/browser/explain-reason.ts';

/** How many requests the page holds, which is how many the journal retains unless it is told. */
export const maxHeld = 1000;

/** The requests that a page holds, within bounds, and how many there were. */
export interface RequestLog {
  /** Takes requests in the order of their ids. */
  add(requests: readonly EntrySummary[]): void;
  /** Forgets all, for the reason that is given. */
  clear(note: ClearNote): void;
  /** Stops what is shown, or lets it go on. What comes meanwhile is held and counted. */
  setPaused(isPaused: boolean): void;
  isPaused(): boolean;
  counts(): RequestCounts;
  /** Those that are shown, the newest first. */
  shown(filter: RequestFilter): EntrySummary[];
  /** The values by which requests can be filtered, as far as they were seen. */
  seen(): { operations: string[]; statuses: string[]; keys: string[] };
}

/** Why a list begins anew: the journal was cleared, or the twin started again. */
export type ClearNote = 'cleared' | 'restarted';

export type RequestCounts = {
  /** How many the sandbox had since its journal was last cleared. */
  total: number;
  /** How many of them the page holds. */
  held: number;
  /** How many came before those that the journal still had. */
  earlier: number;
  /** How many the journal dropped before the page could read them. */
  missed: number;
  /** How many the page dropped, as it holds so many at most. */
  dropped: number;
  /** How many came since the pause. */
  waiting: number;
  note: ClearNote | undefined;
};

const noCounts = { total: 0, earlier: 0, missed: 0, dropped: 0, waiting: 0 };

/** Makes an empty log. */
export function createRequestLog(max = maxHeld): RequestLog {
  let held: EntrySummary[] = [];
  /** What was held at the pause. */
  let paused: EntrySummary[] | undefined;
  let counts = { ...noCounts };
  let note: ClearNote | undefined;
  const seen = {
    operations: new Set<string>(),
    statuses: new Set<string>(),
    keys: new Set<string>(),
  };

  const clear = (reason: ClearNote) => {
    held = [];
    if (paused) paused = [];
    counts = { ...noCounts };
    note = reason;
  };
  const count = ({ count, operation, status, key }: EntrySummary) => {
    // Counts begin anew where the journal was cleared, be it by whomever.
    if (count <= counts.total) clear('cleared');
    if (counts.total === 0) counts.earlier = count - 1;
    else counts.missed += count - counts.total - 1;
    counts.total = count;
    if (operation !== null) seen.operations.add(operation);
    if (status !== null) seen.statuses.add(String(status));
    if (key !== null) seen.keys.add(key);
  };
  return {
    add(requests) {
      for (const request of requests) {
        count(request);
        held.push(request);
        if (paused) counts.waiting += 1;
      }
      const dropped = held.splice(0, Math.max(0, held.length - max));
      counts.dropped += dropped.length;
    },
    clear,
    setPaused(isPaused) {
      paused = isPaused ? held.slice() : undefined;
      counts.waiting = 0;
    },
    isPaused: () => paused !== undefined,
    counts: () => ({ ...counts, held: held.length, note }),
    shown: (filter) => (paused ?? held).filter((request) => isShown(request, filter)).reverse(),
    seen: () => ({
      operations: [...seen.operations].sort(),
      statuses: [...seen.statuses].sort(),
      keys: [...seen.keys].sort(),
    }),
  };
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

function isShown(request: EntrySummary, filter: RequestFilter): boolean {
  const { operation, status, key, text } = filter;
  return (
    (operation === '' || (request.operation ?? none) === operation) &&
    (key === '' || (request.key ?? none) === key) &&
    (status === '' || isOfStatus(request.status, status)) &&
    (text === '' || searchTextOf(request).includes(text.toLowerCase()))
  );
}

function isOfStatus(status: number | null, wanted: string): boolean {
  const text = status === null ? none : String(status);
  return text === wanted || (wanted.endsWith('xx') && text[0] === wanted[0] && text !== none);
}

const searchTexts = new WeakMap<EntrySummary, string>();

function searchTextOf(request: EntrySummary): string {
  let text = searchTexts.get(request);
  if (text === undefined) {
    const { method, url, operation, key, reason } = request;
    text = [method, url, operation, key, reason.error, toSentence(request)]
      .join('\n')
      .toLowerCase();
    searchTexts.set(request, text);
  }
  return text;
}

/** Why a request got its response, in a sentence. */
export function toSentence(request: EntrySummary): string {
  const { message } = request;
  const body = message === null ? null : JSON.stringify({ message });
  return explainReason({ ...request, response: { headers: {}, body, bytes: 0, truncated: false } });
}
