import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { parseJson } from './exact.ts';

/** An animal; ids and categories are bigints, so that int64 is exact. */
export type Item = Record<string, unknown>;

export type OperationId = 'listPets' | 'createPet' | 'getPet' | 'listOrders';

export type Account = { key: string; plan: string };

/**
 * One request. `path` is what follows `/v1`; `number` counts the requests of a deployment from 1.
 */
export type Call = {
  number: number;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  operation?: OperationId;
  petId?: string;
};

/** The response to a call; `text` goes before `body`, which is sent as JSON. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  text?: string;
};

/**
 * A key's standing; `refusedFor` (seconds) is there on a refused call only. `reset` is in Unix
 * seconds.
 */
export type Quota = { limit: number; remaining: number; reset: number; refusedFor?: number };

export type Query = { limit: number; status: string | undefined };

export type Settings = {
  animals: number;
  keys: Record<string, string>;
  plans: Record<string, { minute: number; day: number }>;
  windowSeconds: number;
  /** The window that the headers show. */
  shows: 'minute' | 'day';
};

/** The state that a mutant may reach into. `now` gives milliseconds. */
export type Shop = {
  items: Map<string, Item>;
  usage: Map<string, { since: number; used: number; today: number }>;
  settings: Settings;
  now: () => number;
};

/**
 * Each step of an answer, one function each, so that a mutant changes one and leaves the others
 * true.
 */
export type Behaviour = {
  seed(count: number): Item[];
  authenticate(call: Call): Account | undefined;
  meter(call: Call, account: Account | undefined): Quota;
  parse(text: string): unknown;
  /** Why a body is refused, or undefined. */
  refuse(body: unknown, call: Call): string | undefined;
  create(body: Item, call: Call): Item;
  /** The query, or why it is refused. */
  query(call: Call): Query | string;
  list(query: Query, call: Call): Item[];
  read(id: string, call: Call): Item | undefined;
  orders(call: Call): unknown;
  /** The last word on an answer before it is sent. */
  answer(call: Call, answer: Answer): Answer;
  /** Takes over the sending of an answer; false leaves it to the deployment. */
  send(call: Call, answer: Answer, response: ServerResponse): boolean | Promise<boolean>;
};

export const statuses = ['available', 'pending', 'sold'];
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const names = [
  'Rex',
  'Mittens',
  'Señor Bigotes',
  'Жучка',
  '三毛',
  'بندق',
  'Cerberus 🐕',
  "O'Malley <b>",
  'Goldie',
  'Ada',
];

/**
 * Returns the behaviour that the interface states; where the interface is silent, one of the legal
 * choices.
 */
export function trueBehaviour(shop: Shop): Behaviour {
  const { items, settings } = shop;
  let lastId = 0n;
  return {
    seed: (count) => {
      lastId = BigInt(count);
      return Array.from({ length: count }, (_, index) => seedItem(index));
    },
    authenticate: ({ headers }) => {
      const [, key = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
      const plan = Object.hasOwn(settings.keys, key) ? settings.keys[key] : undefined;
      return plan === undefined ? undefined : { key, plan };
    },
    meter: (_, account) => meter(shop, account),
    parse: parseJson,
    refuse: (body) => refuseBody(body),
    create: (body) => {
      const item = { id: ++lastId, ...pick(body) };
      items.set(String(item.id), item);
      return item;
    },
    query: ({ query }) => {
      const limit = query.get('limit') ?? '20';
      const status = query.get('status') ?? undefined;
      if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
        return 'limit must be 1 to 100.';
      if (status !== undefined && !statuses.includes(status))
        return 'status must be available, pending or sold.';
      return { limit: Number(limit), status };
    },
    list: ({ limit, status }) =>
      [...items.values()]
        .filter((item) => status === undefined || item.status === status)
        .slice(0, limit),
    read: (id) => items.get(id),
    orders: () => [{ id: 1n, petId: 1n, quantity: 1n }],
    answer: (_, answer) => answer,
    send: () => false,
  };
}

/** The stated fields of a body, and no others. */
function pick(body: Item): Item {
  const { name, categoryId, status } = body;
  return { name, categoryId, ...(status !== undefined && { status }) };
}

/** The calls that a key may make in the window that the headers show. */
export function limitOf({ plans, shows }: Settings, plan: string): number {
  return plans[plan]?.[shows] ?? 0;
}

function seedItem(index: number): Item {
  const turn = Math.floor(index / names.length);
  return {
    id: BigInt(index + 1),
    name: `${names[index % names.length]}${turn ? ` ${turn + 1}` : ''}`,
    categoryId: index === 6 ? 9_007_199_254_740_993n : BigInt((index % 9) + 1),
    ...(index % 9 !== 8 && { status: statuses[index % 3] }),
  };
}

function meter({ usage, settings, now }: Shop, account: Account | undefined): Quota {
  const span = settings.shows === 'day' ? 86_400 : settings.windowSeconds;
  const limit = limitOf(settings, account?.plan ?? 'free');
  const seconds = now() / 1000;
  if (!account) return { limit, remaining: limit, reset: Math.ceil(seconds + span) };
  let window = usage.get(account.key);
  if (!window || seconds >= window.since + settings.windowSeconds) {
    window = { since: seconds, used: 0, today: window?.today ?? 0 };
    usage.set(account.key, window);
  }
  const { minute, day } = settings.plans[account.plan] ?? { minute: 0, day: 0 };
  const reset = Math.ceil(window.since + span);
  if (window.used >= minute || window.today >= day) {
    const until = window.today >= day ? 86_400 : window.since + settings.windowSeconds - seconds;
    return {
      limit,
      remaining: settings.shows === 'day' ? Math.max(0, day - window.today) : 0,
      reset,
      refusedFor: Math.max(1, Math.ceil(until)),
    };
  }
  window.used += 1;
  window.today += 1;
  return {
    limit,
    remaining: settings.shows === 'day' ? day - window.today : minute - window.used,
    reset,
  };
}

function refuseBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return 'The body must be an object.';
  const { name, categoryId, status } = body as Item;
  if (typeof name !== 'string') return 'name must be a string.';
  if (typeof categoryId !== 'bigint' || categoryId < int64.min || categoryId > int64.max)
    return 'categoryId must be an int64 integer.';
  if (status !== undefined && !statuses.includes(status as string))
    return 'status must be available, pending or sold.';
  return undefined;
}
