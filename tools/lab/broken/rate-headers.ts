import { isJson } from '../exact.ts';
import { byId, type Entries, type Entry, family } from '../row.ts';
import { limitOf, type OperationId } from '../shop.ts';
import { dropHeader, header, type Scope, tamper } from '../tamper.ts';

const limit = 'X-RateLimit-Limit';
const remaining = 'X-RateLimit-Remaining';
const reset = 'X-RateLimit-Reset';
const names = [limit, remaining, reset];
const operations: OperationId[] = ['listPets', 'createPet', 'getPet', 'listOrders'];
const statuses = [200, 201, 400, 401, 404, 429];

const wrong: [
  id: string,
  about: string,
  name: string,
  value: string | ((now: string) => string),
  scope?: Scope,
][] = [
  ['limit-negative', 'Limit is -1', limit, '-1'],
  ['limit-float', 'Limit is 60.0', limit, (now) => `${now}.0`],
  ['limit-text', 'Limit is a word', limit, 'sixty'],
  ['limit-empty', 'Limit is empty', limit, ''],
  [
    'limit-zero',
    'Limit is 0 on answers that are let through',
    limit,
    '0',
    { when: (_, { status }) => status < 400 },
  ],
  ['remaining-negative', 'Remaining is -1', remaining, '-1'],
  ['remaining-float', 'Remaining has a fraction', remaining, (now) => `${now}.5`],
  ['remaining-text', 'Remaining is a word', remaining, 'many'],
  [
    'remaining-above-limit',
    'Remaining is more than Limit',
    remaining,
    (now) => String(Number(now) + 1000),
  ],
  ['remaining-constant', 'Remaining never falls', remaining, '42'],
  [
    'reset-delta',
    'Reset is the seconds that are left',
    reset,
    (now) => String(Number(now) - Math.floor(Date.now() / 1000)),
  ],
  ['reset-milliseconds', 'Reset is in milliseconds', reset, (now) => `${now}000`],
  ['reset-iso', 'Reset is an ISO date', reset, (now) => new Date(Number(now) * 1000).toISOString()],
  [
    'reset-http-date',
    'Reset is an HTTP-date',
    reset,
    (now) => new Date(Number(now) * 1000).toUTCString(),
  ],
  ['reset-float', 'Reset has a fraction', reset, (now) => `${now}.25`],
  ['reset-past', 'Reset lies an hour back', reset, (now) => String(Number(now) - 3600)],
  ['reset-long-past', 'Reset is 0', reset, '0'],
  ['reset-year-ahead', 'Reset lies a year ahead', reset, (now) => String(Number(now) + 31_536_000)],
  ['reset-week-ahead', 'Reset lies a week ahead', reset, (now) => String(Number(now) + 604_800)],
  ['reset-negative', 'Reset is negative', reset, (now) => `-${now}`],
  ['reset-text', 'Reset is a word', reset, 'soon'],
  [
    'reset-delta-on-429',
    'Reset is the seconds that are left, on 429 only',
    reset,
    '60',
    { status: 429 },
  ],
  [
    'reset-past-on-401',
    'Reset lies an hour back, on 401 only',
    reset,
    (now) => String(Number(now) - 3600),
    { status: 401 },
  ],
  ['limit-text-on-404', 'Limit is a word, on 404 only', limit, 'sixty', { status: 404 }],
  ['remaining-negative-on-429', 'Remaining is -1, on 429 only', remaining, '-1', { status: 429 }],
  [
    'remaining-positive-on-429',
    'Remaining is Limit, on 429 only',
    remaining,
    '60',
    { status: 429 },
  ],
  [
    'limit-other-on-get',
    'Limit is 1,000,000 on getPet only',
    limit,
    '1000000',
    { operation: 'getPet' },
  ],
];

const plans = (free: number, pro: number) => ({
  free: { minute: free, day: 1000 },
  pro: { minute: pro, day: 10_000 },
});

const entries: Entries = {
  ...byId(names, (name) => [
    missing(name, 'everywhere', {}),
    ...statuses.map((status) => missing(name, `on-${status}`, { status })),
    ...operations.map((operation) => missing(name, `on-${operation}`, { operation })),
  ]),
  ...byId(['everywhere', 401, 404, 429] as const, (where) => {
    const scope = where === 'everywhere' ? {} : { status: where };
    return {
      id: `headers-all-missing-${where}`,
      about: `no rate-limit header ${where === 'everywhere' ? where : `on ${where}`}`,
      mutate: tamper(scope, dropHeader(...names)),
    };
  }),
  'headers-missing-on-malformed-json': {
    about: 'no rate-limit header when the body is not JSON',
    mutate: tamper(
      { operation: 'createPet', when: ({ text }) => !isJson(text) },
      dropHeader(...names),
    ),
  },
  'headers-missing-on-filtered-list': {
    about: 'no Remaining on a filtered list',
    mutate: tamper(
      { operation: 'listPets', when: ({ query }) => query.has('status') },
      dropHeader(remaining),
    ),
  },
  'headers-missing-for-pro': {
    about: 'no Reset for Pro keys',
    mutate: tamper(
      { when: ({ headers }) => /k-pro/.test(headers.authorization ?? '') },
      dropHeader(reset),
    ),
  },
  'headers-renamed': {
    about: 'the headers are called RateLimit-Limit, -Remaining and -Reset',
    mutate: tamper({}, (answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [
          name.replace('X-RateLimit', 'RateLimit'),
          value,
        ]),
      ),
    })),
  },
  ...byId(wrong, ([id, about, name, value, scope = {}]) => ({
    id: `headers-${id}`,
    about,
    mutate: tamper(scope, header(name, value)),
  })),
  'headers-limit-changes': {
    about: 'Limit changes from call to call',
    mutate: tamper(
      {},
      header(limit, (now, { number }) => String(Number(now) + (number % 3) * 240)),
    ),
  },
  'headers-remaining-falls-by-two': {
    about: 'Remaining falls by two a call',
    mutate: tamper({}, (answer) => {
      const [max = 0, left = 0] = [limit, remaining].map((name) => Number(answer.headers[name]));
      return {
        ...answer,
        headers: { ...answer.headers, [remaining]: String(Math.max(0, max - 2 * (max - left))) },
      };
    }),
  },
  'headers-remaining-falls-by-two-on-creations': {
    about: 'a creation is counted twice',
    mutate: (truth) => ({
      meter: (call, account) => {
        if (call.operation === 'createPet') truth.meter(call, account);
        return truth.meter(call, account);
      },
    }),
  },
  'headers-remaining-is-used': {
    about: 'Remaining counts the calls made',
    mutate: tamper({}, (answer) => {
      const [max = 0, left = 0] = [limit, remaining].map((name) => Number(answer.headers[name]));
      return { ...answer, headers: { ...answer.headers, [remaining]: String(max - left) } };
    }),
  },
  'headers-remaining-rises': {
    about: 'Remaining rises with each call',
    mutate: tamper(
      {},
      header(remaining, (_, { number }) => String(Math.min(60, number % 60))),
    ),
  },
  ...byId(['k-free-1', 'k-free-2', 'k-pro-1'], (key) => ({
    id: `headers-remaining-constant-for-${key}`,
    about: `Remaining of ${key} stays at one below its limit`,
    mutate: (truth) => ({
      meter: (call, account) => {
        const quota = truth.meter(call, account);
        return account?.key === key ? { ...quota, remaining: quota.limit - 1 } : quota;
      },
    }),
  })),
  ...byId(['reads', 'lists', 'creations'] as const, (kind) => {
    const free: Record<string, OperationId> = {
      reads: 'getPet',
      lists: 'listPets',
      creations: 'createPet',
    };
    return {
      id: `headers-remaining-ignores-${kind}`,
      about: `Remaining does not fall on ${kind}`,
      mutate: (truth, { usage }) => ({
        meter: (call, account) => {
          const window = account && usage.get(account.key);
          const before = window && { ...window };
          const quota = truth.meter(call, account);
          if (call.operation !== free[kind] || !window || !before) return quota;
          Object.assign(window, before);
          return { ...quota, remaining: quota.limit - window.used };
        },
      }),
    };
  }),
  'headers-remaining-falls-on-writes-only': {
    about: 'Remaining falls on writes only',
    mutate: (truth) => {
      let writes = 0;
      return {
        meter: (call, account) => {
          if (call.method === 'POST') writes += 1;
          const quota = truth.meter(call, account);
          return { ...quota, remaining: Math.max(0, quota.limit - writes) };
        },
      };
    },
  },
  'headers-creations-count-twice': {
    about: 'a creation takes two calls from the key',
    mutate: (truth) => ({
      meter: (call, account) => {
        if (account && call.operation === 'createPet') truth.meter(call, account);
        return truth.meter(call, account);
      },
    }),
  },
  'headers-counter-per-operation': {
    about: 'each operation has a counter of its own',
    mutate: (truth) => ({
      meter: (call, account) =>
        truth.meter(call, account && { ...account, key: `${account.key} ${call.operation}` }),
    }),
  },
  'headers-counter-per-instance': {
    about: 'two instances answer in turn, each with counters of its own',
    mutate: (truth) => ({
      meter: (call, account) =>
        truth.meter(call, account && { ...account, key: `${account.key} ${call.number % 2}` }),
    }),
  },
  'headers-plan-free-100': {
    about: 'the Free plan has 100 calls a minute',
    settings: { plans: plans(100, 300) },
  },
  'headers-plan-free-59': {
    about: 'the Free plan has 59 calls a minute',
    settings: { plans: plans(59, 300) },
  },
  'headers-plan-pro-60': {
    about: 'the Pro plan has the calls of Free',
    settings: { plans: plans(60, 60) },
  },
  'headers-plan-pro-1000': {
    about: 'the Pro plan has the calls of Business',
    settings: { plans: plans(60, 1000) },
  },
  'headers-plans-swapped': {
    about: 'Free and Pro have swapped figures',
    settings: { plans: plans(300, 60) },
  },
  'headers-plan-free-day-5000': {
    about: 'the Free plan has 5,000 calls a day, and the headers show the day',
    settings: {
      shows: 'day',
      plans: { free: { minute: 60, day: 5000 }, pro: { minute: 300, day: 10_000 } },
    },
  },
  'headers-limit-right-figures-wrong': {
    about: 'the headers show the Free figures to Pro keys, which have 300',
    mutate: (truth, { settings }) => ({
      meter: (call, account) => {
        const quota = truth.meter(call, account);
        const free = limitOf(settings, 'free');
        return { ...quota, limit: free, remaining: Math.min(free, quota.remaining) };
      },
    }),
  },
};

export const rateHeaderRows = family('rate-headers', '§8', entries);

function missing(name: string, where: string, scope: Scope): Entry {
  const short = name.slice('X-RateLimit-'.length);
  return {
    id: `headers-${short.toLowerCase()}-missing-${where}`,
    clause: '§8',
    about: `${name} is missing ${where.replaceAll('-', ' ')}`,
    mutate: tamper(scope, dropHeader(name)),
  };
}
