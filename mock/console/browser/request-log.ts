import type { EntrySummary } from '../../journal/entry.ts';
import { explainReason } from '../../pages/browser/explain-reason.ts';

/** How many requests the page holds. */
export const maxHeld = 5000;

/** The requests that a page holds, within bounds, and how many there were. */
export interface RequestLog {
  /** Takes requests in the order of their ids. */
  add(requests: readonly EntrySummary[]): void;
  /** Forgets all, for the reason that is given. */
  clear(note: ClearNote | undefined): void;
  filter(): RequestFilter;
  setFilter(filter: RequestFilter): void;
  /** Stops what is shown, or lets it go on. What comes meanwhile is held and counted. */
  setPaused(isPaused: boolean): void;
  isPaused(): boolean;
  counts(): RequestCounts;
  /** How many are shown. */
  length(): number;
  /** One of those that are shown, the newest first. */
  at(index: number): EntrySummary | undefined;
  /** The place of the newest of those shown that is no newer than an id; their number if all are. */
  indexOf(id: number): number;
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

/** Makes an empty log. */
export function createRequestLog(max = maxHeld): RequestLog {
  let held: EntrySummary[] = [];
  /** What was held at the pause. */
  let paused: EntrySummary[] | undefined;
  let filter = noFilter;
  /** Those that are shown, the oldest first. */
  let shown: EntrySummary[] = [];
  let counts = { total: 0, earlier: 0, missed: 0, dropped: 0 };
  let note: ClearNote | undefined;
  let waiting = 0;
  const seen = {
    operations: new Set<string>(),
    statuses: new Set<string>(),
    keys: new Set<string>(),
  };

  const isAny = () => Object.values(filter).every((value) => value === '');
  const refill = () => {
    const source = paused ?? held;
    shown = isAny() ? source.slice() : source.filter((request) => isShown(request, filter));
  };
  const clear = (reason: ClearNote | undefined) => {
    held = [];
    counts = { total: 0, earlier: 0, missed: 0, dropped: 0 };
    note = reason;
    waiting = 0;
    if (paused) paused = [];
    shown = [];
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
  const trim = () => {
    const excess = held.length - max;
    if (excess <= 0) return;
    counts.dropped += excess;
    held.splice(0, excess);
    if (paused) return;
    const [oldest] = held;
    const gone = shown.findIndex(({ id }) => id >= (oldest?.id ?? 0));
    if (gone !== 0) shown.splice(0, gone === -1 ? shown.length : gone);
  };

  return {
    add(requests) {
      for (const request of requests) {
        count(request);
        held.push(request);
        if (paused) waiting += 1;
        else if (isShown(request, filter)) shown.push(request);
      }
      trim();
    },
    clear,
    filter: () => filter,
    setFilter(next) {
      filter = next;
      refill();
    },
    setPaused(isPaused) {
      if (isPaused === (paused !== undefined)) return;
      paused = isPaused ? held.slice() : undefined;
      waiting = 0;
      refill();
    },
    isPaused: () => paused !== undefined,
    counts: () => ({ ...counts, held: held.length, waiting, note }),
    length: () => shown.length,
    at: (index) => shown[shown.length - 1 - index],
    indexOf(id) {
      let [from, to] = [0, shown.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((shown[middle] as EntrySummary).id > id) to = middle;
        else from = middle + 1;
      }
      return shown.length - from;
    },
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

export function isShown(request: EntrySummary, filter: RequestFilter): boolean {
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

const sentences = new WeakMap<EntrySummary, string>();

/** Why a request got its response, in a sentence. */
export function toSentence(request: EntrySummary): string {
  let sentence = sentences.get(request);
  if (sentence === undefined) {
    const { message } = request;
    const body = message === null ? null : JSON.stringify({ message });
    const response = { headers: {}, body, bytes: 0, truncated: false };
    sentence = explainReason({ ...request, response });
    sentences.set(request, sentence);
  }
  return sentence;
}
