import { randomUUID } from 'node:crypto';
import type { CountedRule, FaultRule } from '../mock/faults/fault-rules.ts';
import type { LatencySettings } from '../mock/faults/latency.ts';
import type { Entry } from '../mock/journal/entry.ts';
import type { KeyView, LimitsView } from '../mock/limits/limits-view.ts';
import { type Send, segment, TwinError } from './admin-client.ts';

/** An instant: a Date, ISO 8601, or Unix milliseconds. */
export type Instant = Date | string | number;

/** The clock that limits, bans and removal dates go by. Each change gives what it shows then. */
export interface Clock {
  now(): Promise<Date>;
  /** Stops it, at an instant or where it is. */
  freeze(instant?: Instant): Promise<Date>;
  /** Moves it on by milliseconds. */
  advance(milliseconds: number): Promise<Date>;
  /** Lets it run with the system's again. */
  reset(): Promise<Date>;
}

/** Where keys stand; a key goes by its name, or by itself. */
export interface Limits {
  list(): Promise<LimitsView>;
  get(key: string): Promise<KeyView>;
  /** Uses up its minute or its day. */
  exhaust(key: string, window?: 'minute' | 'day'): Promise<KeyView>;
  /** Bans it, for seconds or for as long as the policy says. */
  ban(key: string, seconds?: number): Promise<KeyView>;
  /** Ends its ban, and forgets its strikes and what it used. */
  lift(key: string): Promise<KeyView>;
  setPlan(key: string, plan: string): Promise<KeyView>;
}

/** What goes wrong on purpose. */
export interface Faults {
  list(): Promise<CountedRule[]>;
  add(rule: Omit<FaultRule, 'id'> & { id?: string }): Promise<CountedRule>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** Which requests are asked for; all that is given must hold. */
export type RequestFilter = {
  /** Those that came then or later, or after the one of this id. */
  since?: Date | number;
  limit?: number;
  unmatched?: boolean;
  operation?: string;
  status?: number;
  /** The name of a key. */
  key?: string;
};

/** A state to come back to. */
export interface Snapshot {
  readonly name: string;
  /** Brings all of it back, or nothing where it rejects. */
  restore(): Promise<void>;
  /** The snapshot as JSON text, integers exact. */
  export(): Promise<string>;
  delete(): Promise<void>;
}

/**
 * What can be done to a sandbox, the default one or another. All of it rejects with a TwinError
 * that says what was wrong.
 */
export interface Control {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly faults: Faults;
  /** Keeps answers back: `{ fixedDelay: 500 }`, in milliseconds, or a distribution. */
  settings(change?: Partial<LatencySettings>): Promise<LatencySettings>;
  /** The requests that the journal holds, newest first, each with the reason of its answer. */
  requests(filter?: RequestFilter): Promise<Entry[]>;
  /**
   * Saves items, counters, bans and clock as they are, or takes over a snapshot that was exported.
   */
  snapshot(exported?: string): Promise<Snapshot>;
  /** Brings everything back to the start. */
  reset(): Promise<void>;
}

/**
 * The control of the sandbox that `send` speaks to. `nameOf` gives the name of a key, by itself or
 * by its name.
 */
export function createControl(send: Send, nameOf: (key: string) => string): Control {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const content = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
    return (content === '' ? undefined : JSON.parse(content)) as T;
  };
  const moveClock = async (change: object) =>
    new Date((await call<ClockView>('PUT', 'clock', change)).currentEpochMillis);
  const placeOf = (key: string) => `limits/${segment(nameOf(key))}`;
  const limit = (key: string, change: object) => call<KeyView>('POST', placeOf(key), change);
  return {
    clock: {
      now: async () => new Date((await call<ClockView>('GET', 'clock')).currentEpochMillis),
      freeze: async (instant) =>
        moveClock({
          action: 'freeze',
          ...(instant !== undefined && { instant: toIsoInstant(instant) }),
        }),
      advance: (milliseconds) => moveClock({ action: 'advance', durationMillis: milliseconds }),
      reset: () => moveClock({ action: 'reset' }),
    },
    limits: {
      list: () => call('GET', 'limits'),
      get: (key) => call('GET', placeOf(key)),
      exhaust: (key, window = 'minute') => limit(key, { exhaust: window }),
      ban: (key, seconds) => limit(key, { ban: seconds ?? true }),
      lift: (key) => limit(key, { lift: true }),
      setPlan: (key, plan) => limit(key, { plan }),
    },
    faults: {
      list: async () => (await call<{ rules: CountedRule[] }>('GET', 'faults')).rules,
      add: (rule) => call('POST', 'faults', rule),
      remove: (id) => call('DELETE', `faults/${segment(id)}`),
      clear: () => call('DELETE', 'faults'),
    },
    settings: (change) => (change ? call('POST', 'settings', change) : call('GET', 'settings')),
    requests: async (filter = {}) => {
      const query = toQuery({ limit: mostRequests, ...filter });
      return (await call<{ requests: Entry[] }>('GET', `requests?${query}`)).requests;
    },
    async snapshot(exported) {
      if (exported === '')
        throw new TwinError('A snapshot that was exported is JSON, and this is an empty text.');
      if (exported !== undefined && typeof exported !== 'string')
        throw new TwinError('A snapshot that was exported is JSON, given as a text.');
      const name = `snapshot-${randomUUID()}`;
      await send('PUT', `snapshots/${name}`, exported);
      return {
        name,
        restore: () => call('POST', `snapshots/${name}/restore`),
        export: () => send('GET', `snapshots/${name}`),
        delete: () => call('DELETE', `snapshots/${name}`),
      };
    },
    reset: () => call('POST', 'reset'),
  };
}

/** As many as a journal keeps at most, as the twin lists the newest 100 unless told otherwise. */
const mostRequests = 100_000;

type ClockView = { currentEpochMillis: number };

function toIsoInstant(instant: Instant): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime()))
    throw new TwinError(`"${instant}" is no instant. Give a Date, ISO 8601 or Unix milliseconds.`);
  return date.toISOString();
}

function toQuery({ since, ...filter }: RequestFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (since !== undefined)
    query.set('since', since instanceof Date ? since.toISOString() : String(since));
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) query.set(name, String(value));
  return query;
}
