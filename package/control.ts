import { randomUUID } from 'node:crypto';
import { messageOf } from '../common/look/visible.ts';
import { type Duration, parseDuration, parseInstant } from '../mock/clock.ts';
import type { KeyView, LimitsView } from '../mock/extras/admin/limit-handlers.ts';
import type { TaskView } from '../mock/extras/tasks/task-handlers.ts';
import type { CountedRule, FaultRule, LatencySettings } from '../mock/faults/fault-rules.ts';
import type { Entry } from '../mock/journal/entry.ts';
import type { Period } from '../mock/limits/windows.ts';
import { type CallAdmin, type Send, segment, TwinError } from './admin-client.ts';
import { createData, type Data } from './data.ts';
import { createDomains, type Domains } from './domains.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** An instant: a Date, ISO 8601, or Unix milliseconds. */
export type Instant = Date | string | number;

/** The clock that limits, bans and removal dates use. Each change resolves to the new time. */
export interface Clock {
  now(): Promise<Date>;
  /** Stops it at an instant, by default the current one. */
  freeze(instant?: Instant): Promise<Date>;
  /**
   * Moves it forward, by milliseconds or by `{ days, hours, minutes, seconds, milliseconds }`. Tasks
   * that fall due on the way are done, in order, when it resolves.
   */
  advance(duration: Duration): Promise<Date>;
  /** Makes it follow the system clock again. */
  reset(): Promise<Date>;
}

/** The rate limits of keys; a key is given by its name or its text. */
export interface Limits {
  list(): Promise<LimitsView>;
  get(key: string): Promise<KeyView>;
  /** Exhausts its minute (default) or its day. */
  exhaust(key: string, window?: Period): Promise<KeyView>;
  /** Bans it, by default for the length of a first ban. */
  ban(key: string, seconds?: number): Promise<KeyView>;
  /** Ends its ban, and clears its strikes and counters. */
  lift(key: string): Promise<KeyView>;
  setPlan(key: string, plan: string): Promise<KeyView>;
}

/** Rules that make calls fail. */
export interface Faults {
  list(): Promise<CountedRule[]>;
  add(rule: Omit<FaultRule, 'id'> & { id?: string }): Promise<CountedRule>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** The tasks that are due at instants of the clock. */
export interface Tasks {
  /** In the order in which they are due. */
  list(): Promise<TaskView[]>;
  /** Runs one now, whenever it is due. Rejects with what it failed with. */
  run(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** Selects requests; all given conditions must match. */
export type RequestFilter = {
  /** Requests from this time on, or after the one with this id. */
  since?: Date | number;
  limit?: number;
  unmatched?: boolean;
  operation?: string;
  status?: number;
  /** The name of a key. */
  key?: string;
  /** Whether the changes of items by `data` are included. */
  admin?: boolean;
};

/** A saved state. */
export interface Snapshot {
  readonly name: string;
  /** Restores it completely; changes nothing if it rejects. */
  restore(): Promise<void>;
  /** The snapshot as JSON text, integers exact. */
  export(): Promise<string>;
  delete(): Promise<void>;
}

/** Controls a sandbox, the default one or another. Each method rejects with a TwinError. */
export interface Control {
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly limits: Limits;
  readonly faults: Faults;
  /** The stored items. */
  readonly data: Data;
  /** The published project, its custom domains, redirects and DNS records. */
  readonly domains: Domains;
  /** The webhooks and callbacks that the document describes. */
  readonly webhooks: Webhooks;
  /** Delays all responses: `{ fixedDelay: 500 }`, in milliseconds, or a distribution. */
  settings(change?: Partial<LatencySettings>): Promise<LatencySettings>;
  /** The recorded requests, newest first, each with the reason for its response. */
  requests(filter?: RequestFilter): Promise<Entry[]>;
  /** Saves items, counters, bans, clock and tasks, or imports an exported snapshot. */
  snapshot(exported?: string): Promise<Snapshot>;
  /** Restores the initial state. */
  reset(): Promise<void>;
}

/** Controls the sandbox that `send` calls. `nameOf` gives the name of a key, from its text or name. */
export function createControl(send: Send, nameOf: (key: string) => string): Control {
  const call: CallAdmin = async (method, path, body) => {
    const content = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
    return content === '' ? undefined : JSON.parse(content);
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
      advance: async (duration) =>
        moveClock({ action: 'advance', durationMillis: toMilliseconds(duration) }),
      reset: () => moveClock({ action: 'reset' }),
    },
    tasks: {
      list: async () => (await call<{ tasks: TaskView[] }>('GET', 'tasks')).tasks,
      async run(id) {
        const place = `tasks/${segment(id)}/run`;
        const { message } = await call<{ message?: string }>('POST', place);
        if (message !== undefined) throw new TwinError(`The task ${id} failed: ${message}`);
      },
      remove: (id) => call('DELETE', `tasks/${segment(id)}`),
      clear: () => call('DELETE', 'tasks'),
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
    data: createData(send),
    domains: createDomains(call),
    webhooks: createWebhooks(call),
    settings: (change) => (change ? call('POST', 'settings', change) : call('GET', 'settings')),
    requests: async (filter = {}) => {
      const query = toQuery({ limit: maxRequests, ...filter });
      return (await call<{ requests: Entry[] }>('GET', `requests?${query}`)).requests;
    },
    async snapshot(exported) {
      if (exported === '')
        throw new TwinError('An exported snapshot is JSON, but this is an empty string.');
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

/** The maximum that a journal retains; the twin lists the newest 100 by default. */
const maxRequests = 100_000;

type ClockView = { currentEpochMillis: number };

function toMilliseconds(duration: Duration): number {
  try {
    return parseDuration(duration);
  } catch (error) {
    throw new TwinError(messageOf(error));
  }
}

function toIsoInstant(instant: Instant): string {
  const date = new Date(typeof instant === 'string' ? parseInstant(instant) : instant);
  if (Number.isNaN(date.getTime()))
    throw new TwinError(
      `"${instant}" is not an instant. Give a Date, ISO 8601 or Unix milliseconds.`,
    );
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
