import type { Mutate } from '../deployment.ts';
import { type Entries, family } from '../row.ts';
import { type Call, limitOf, type Quota } from '../shop.ts';
import { body, header, tamper, text } from '../tamper.ts';

const refused = { status: 429 };
const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Changes the standing of callers without a valid key. */
function anonymous(standing: (quota: Quota, calls: number, now: number) => Quota): Mutate {
  return (truth, { now }) => {
    let calls = 0;
    return {
      meter: (call, account) => {
        const quota = truth.meter(call, account);
        if (account) return quota;
        calls += 1;
        return standing(quota, calls, now());
      },
    };
  };
}

/** Refuses callers without a valid key after so many calls a minute, whatever they ask. */
function anonymousLimit(max: number): Mutate {
  return (truth, shop) => {
    const counted = anonymous((quota, calls) => ({
      ...quota,
      limit: max,
      remaining: Math.max(0, max - calls),
    }))(truth, shop);
    let calls = 0;
    return {
      ...counted,
      answer: (_, answer) => {
        if (answer.status !== 401) return answer;
        calls += 1;
        if (calls <= max) return answer;
        return {
          status: 429,
          headers: { ...answer.headers, 'Retry-After': '60' },
          body: { code: 'slow_down', message: 'Slow down.', status: 429n },
        };
      },
    };
  };
}

/** Another client makes so many calls with the key of a call before it. */
function shared(callsOf: (call: Call, now: number) => number, keys = /./): Mutate {
  return (truth, { now }) => ({
    meter: (call, account) => {
      if (account && keys.test(account.key))
        for (let left = callsOf(call, now()); left > 0; left--) truth.meter(call, account);
      return truth.meter(call, account);
    },
  });
}

/** Calls that come one after the other at a steady pace, since the first call. */
function steadily(perSecond: number): (call: Call, now: number) => number {
  let last: number | undefined;
  return (_, now) => {
    const due = Math.floor(((now - (last ?? now)) / 1000) * perSecond);
    last = last === undefined ? now : last + (due * 1000) / perSecond;
    return due;
  };
}

function custom(minute: number) {
  return { keys: { 'k-custom': 'custom' }, plans: { custom: { minute, day: 100_000 } } };
}

const bodies: Entries = {
  'fair-429-empty': {
    about: 'a 429 has no content',
    mutate: tamper(
      refused,
      body(() => undefined),
    ),
  },
  'fair-429-text': {
    about: 'a 429 is plain text',
    mutate: tamper(refused, text('Slow down', 'text/plain')),
  },
  'fair-429-html': {
    about: 'a 429 is an HTML page',
    mutate: tamper(refused, text('<h1>429</h1>', 'text/html')),
  },
  'fair-429-list': {
    about: 'a 429 is a JSON list',
    mutate: tamper(
      refused,
      body(() => ['slow', 'down']),
    ),
  },
  'fair-429-problem': {
    about: 'a 429 is problem+json',
    mutate: tamper(
      refused,
      header('Content-Type', 'application/problem+json'),
      body(() => ({ title: 'Slow down' })),
    ),
  },
  'fair-429-not-json': {
    about: 'a 429 is called application/json and is not',
    mutate: tamper(refused, text('slow down')),
  },
  'fair-retry-after-date': {
    clause: '§8',
    about: 'Retry-After is an HTTP-date',
    mutate: (_, { now }) => ({
      answer: (call, answer) => {
        const after = answer.headers['Retry-After'];
        if (after === undefined || call.operation === undefined) return answer;
        const date = new Date(Math.ceil(now() / 1000 + Number(after)) * 1000).toUTCString();
        return { ...answer, headers: { ...answer.headers, 'Retry-After': date } };
      },
    }),
  },
  'fair-retry-after-longer': {
    clause: '§8',
    about: 'Retry-After is longer than the window',
    mutate: tamper(
      refused,
      header('Retry-After', (now) => String(Number(now) + 120)),
    ),
  },
};

const counting: Entries = {
  'fair-errors-not-counted': {
    about: 'a call that ends in 4xx does not count',
    mutate: (truth, { usage, settings }) => ({
      answer: (call, answer) => {
        const account = truth.authenticate(call);
        const window = account && usage.get(account.key);
        if (!account || !window || answer.status < 400 || answer.status === 429) return answer;
        window.used -= 1;
        window.today -= 1;
        const remaining = String(limitOf(settings, account.plan) - window.used);
        return { ...answer, headers: { ...answer.headers, [names[1]]: remaining } };
      },
    }),
  },
  'fair-errors-given-back': {
    about: 'a call that ends in 4xx is counted and shown, and given back once it is answered',
    mutate: (truth, { usage }) => ({
      answer: (call, answer) => {
        const account = truth.authenticate(call);
        const window = account && usage.get(account.key);
        if (!window || answer.status < 400 || answer.status === 429) return answer;
        window.used -= 1;
        window.today -= 1;
        return answer;
      },
    }),
  },
  'fair-elsewhere-not-counted': {
    about: 'HEAD, other methods and unknown paths do not count',
    mutate: (truth, { usage }) => ({
      meter: (call, account) => {
        const before = account && usage.get(account.key);
        const saved = before && { ...before };
        const quota = truth.meter(call, account);
        if (call.operation !== undefined && call.method !== 'HEAD') return quota;
        if (before && saved) Object.assign(before, saved);
        return { ...quota, remaining: Math.min(quota.limit, quota.remaining + 1) };
      },
    }),
  },
  'fair-401-counted-by-address': {
    about: 'calls without a valid key are counted by address',
    mutate: anonymous((quota, calls) => ({
      ...quota,
      remaining: Math.max(0, quota.remaining - calls),
    })),
  },
  'fair-401-shows-zero': {
    about: 'calls without a valid key show 0 of 0',
    mutate: anonymous((quota) => ({ ...quota, limit: 0, remaining: 0 })),
  },
  'fair-401-limited': {
    about: 'after 20 calls without a valid key the address gets 429',
    mutate: anonymousLimit(20),
  },
  'fair-limit-counts-down-from-used': {
    about: 'each key has been used before: 40 of its calls are gone',
    mutate: (truth, { usage }) => ({
      meter: (call, account) => {
        const first = account && !usage.has(account.key);
        const quota = truth.meter(call, account);
        const window = account && usage.get(account.key);
        if (!first || !window) return quota;
        window.used += 40;
        return { ...quota, remaining: quota.remaining - 40 };
      },
    }),
  },
  'fair-someone-else-uses-the-keys': {
    about: 'another client makes a call with the same key at every eighth call',
    mutate: (truth) => ({
      meter: (call, account) => {
        if (account && call.number % 8 === 0) truth.meter(call, account);
        return truth.meter(call, account);
      },
    }),
  },
  'fair-key-shared-in-bursts': {
    about: 'another client makes up to nine calls with the same key before each of ours',
    mutate: shared(({ number }) => [2, 9, 1, 4, 6][number % 5] ?? 0),
  },
  'fair-key-shared-with-a-run': {
    about: 'another client makes one to three calls with the same key before each of ours',
    mutate: shared(({ number }) => [1, 3, 1, 2, 2, 1, 3][number % 7] ?? 0),
  },
  'fair-key-shared-now-and-then': {
    about: 'another client makes 30 calls with the same key at every 17th of ours',
    mutate: shared(({ number }) => (number % 17 === 0 ? 30 : 0)),
  },
  'fair-key-shared-steadily': {
    about: 'another client makes 100 calls a second with the Pro key',
    mutate: (truth, shop) => shared(steadily(100), /pro/)(truth, shop),
  },
  'fair-key-shared-steadily-and-far-away': {
    about: 'another client makes 100 calls a second with the Pro key, and an answer takes 30 ms',
    mutate: (truth, shop) => ({
      ...shared(steadily(100), /pro/)(truth, shop),
      send: () => new Promise((resolve) => setTimeout(resolve, 30, false)),
    }),
  },
  'fair-free-keys-shared-steadily': {
    about: 'another client makes 20 calls a second with the Free keys',
    mutate: (truth, shop) => shared(steadily(20), /free/)(truth, shop),
  },
  'fair-429-own-code': {
    clause: '§7',
    about: 'a 429 has the Error object with its own code',
    mutate: tamper(
      refused,
      body(() => ({ code: 'slow_down', message: 'Wait.', status: 429n })),
    ),
  },
};

const plans: Entries = {
  'fair-plan-unknown-30': {
    about: 'a key of unknown plan has 30 calls a minute',
    settings: custom(30),
    keys: ['k-custom'],
  },
  'fair-plan-unknown-5': {
    about: 'a key of unknown plan has 5 calls a minute',
    settings: custom(5),
    keys: ['k-custom'],
  },
  'fair-plan-unknown-2000': {
    about: 'a key of unknown plan has 2,000 calls a minute',
    settings: custom(2000),
    keys: ['k-custom'],
  },
  'fair-plan-unknown-is-pro': {
    about: 'a Pro key whose plan is not given',
    keys: ['k-pro-1'],
    looksTrue: 'the keys differ',
  },
  'fair-plan-unknown-is-free': {
    about: 'a Free key whose plan is not given',
    keys: ['k-free-1'],
    looksTrue: 'the keys differ',
  },
  'fair-one-free-key': {
    about: 'one Free key alone',
    keys: ['free=k-free-1'],
    looksTrue: 'the keys differ',
  },
  'fair-business-key': {
    about: 'one Business key alone',
    keys: ['business=k-business'],
    looksTrue: 'the keys differ',
  },
  'fair-enterprise-key': {
    about: 'one Enterprise key, whose figures are custom',
    keys: ['enterprise=k-enterprise'],
    looksTrue: 'the keys differ',
  },
  'fair-enterprise-low': {
    about: 'an Enterprise key with 40 calls a minute',
    settings: { plans: { enterprise: { minute: 40, day: 400 } } },
    keys: ['enterprise=k-enterprise'],
  },
};

export const limitRows = [
  ...family('fair-429', '§7', bodies),
  ...family('fair-counting', '§8', counting),
  ...family('fair-plans', '§8', plans),
];
