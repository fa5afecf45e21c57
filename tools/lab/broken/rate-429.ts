import type { Mutate } from '../deployment.ts';
import { byId, type Entries, family } from '../row.ts';
import type { Quota } from '../shop.ts';
import { dropHeader, header, status, tamper } from '../tamper.ts';

const refused = { status: 429 };

/** A mutant whose limiter has the last word on a key's standing. */
function meter(change: (quota: Quota) => Quota): Mutate {
  return (truth) => ({ meter: (call, account) => change(truth.meter(call, account)) });
}

const retryAfter: [id: string, about: string, value: string][] = [
  ['negative', '-5', '-5'],
  ['word', 'a word', 'soon'],
  ['fraction', '1.5', '1.5'],
  ['unit', '"60 seconds"', '60 seconds'],
  ['empty', 'empty', ''],
  ['iso', 'an ISO date', '2030-12-05T00:00:00Z'],
  ['bad-date', 'no date that there is', 'Foo, 99 Bar 2030 99:00:00 GMT'],
];

const entries: Entries = {
  'limit-never-refused': {
    about: 'a key is never refused; Remaining stays at 0',
    mutate: meter(({ refusedFor: _, ...quota }) => quota),
  },
  'limit-never-refused-remaining-restarts': {
    about: 'a key is never refused; Remaining begins anew at 0',
    mutate: (truth, { usage }) => ({
      meter: (call, account) => {
        const window = account && usage.get(account.key);
        if (window && window.used >= 60) window.used = 0;
        return truth.meter(call, account);
      },
    }),
  },
  ...byId(['pro', 'free'], (plan) => ({
    id: `limit-never-refused-to-${plan}`,
    about: `a ${plan} key is never refused; Remaining stays at 0`,
    mutate: (truth) => ({
      meter: (call, account) => {
        const { refusedFor, ...quota } = truth.meter(call, account);
        return account?.plan === plan || refusedFor === undefined
          ? quota
          : { ...quota, refusedFor };
      },
    }),
  })),
  'limit-one-too-late': {
    about: 'one call more than the limit is let through',
    mutate: shifted(1),
  },
  'limit-five-too-late': {
    about: 'five calls more than the limit are let through',
    mutate: shifted(5),
  },
  'limit-one-too-early': {
    about: 'a call is refused while one remains',
    mutate: shifted(-1),
  },
  'limit-ten-too-early': {
    about: 'calls are refused while ten remain',
    mutate: shifted(-10),
  },
  'limit-503': {
    clause: '§8, §7',
    about: 'a call above the limit gets 503',
    mutate: tamper(refused, status(503)),
  },
  'limit-403': {
    clause: '§8, §7',
    about: 'a call above the limit gets 403',
    mutate: tamper(refused, status(403)),
  },
  'limit-400': {
    clause: '§8, §7',
    about: 'a call above the limit gets 400',
    mutate: tamper(refused, status(400)),
  },
  'limit-401': {
    clause: '§8, §7',
    about: 'a call above the limit gets 401',
    mutate: tamper(refused, status(401)),
  },
  'limit-500': {
    clause: '§8, §7',
    about: 'a call above the limit gets 500',
    mutate: tamper(refused, status(500)),
  },
  'limit-200-empty-list': {
    clause: '§8, §7',
    about: 'a call above the limit gets 200 and an empty list',
    mutate: tamper(refused, (answer) => ({ ...answer, status: 200, body: [] })),
  },
  'limit-cuts-the-connection': {
    clause: '§8, §7',
    about: 'a call above the limit gets no answer: the connection is cut',
    mutate: () => ({
      send: (_, answer, response) => {
        if (answer.status === 429) response.destroy();
        return answer.status === 429;
      },
    }),
  },
  'retry-after-missing': {
    about: 'a 429 has no Retry-After',
    mutate: tamper(refused, dropHeader('Retry-After')),
  },
  ...byId(retryAfter, ([id, about, value]) => ({
    id: `retry-after-${id}`,
    about: `Retry-After is ${about}`,
    mutate: tamper(refused, header('Retry-After', value)),
  })),
  'retry-after-untrue': {
    about: 'Retry-After says 1 s, and the key is refused for the rest of the minute',
    mutate: tamper(refused, header('Retry-After', '1')),
  },
  'retry-after-never-over': {
    about: 'with a window of 2 s, an exhausted key stays refused after Retry-After',
    settings: { windowSeconds: 2 },
    mutate: (truth, { now }) => {
      const exhausted = new Set<string>();
      return {
        meter: (call, account) => {
          const quota = truth.meter(call, account);
          if (account && quota.refusedFor !== undefined) exhausted.add(account.key);
          if (!account || !exhausted.has(account.key)) return quota;
          return { ...quota, remaining: 0, reset: Math.ceil(now() / 1000) + 2, refusedFor: 2 };
        },
      };
    },
  },
  'limit-of-two-instances': {
    about: 'two instances answer in turn, and each counts for itself alone',
    mutate: (truth, { usage }) => {
      const elsewhere: typeof usage = new Map();
      let last = 0;
      return {
        meter: (call, account) => {
          const window = account && usage.get(account.key);
          const other = account && elsewhere.get(account.key);
          if (window && other && call.number % 2 !== last % 2) {
            usage.set(account.key, other);
            elsewhere.set(account.key, window);
          }
          last = call.number;
          const quota = truth.meter(call, account);
          const begun = account && usage.get(account.key);
          if (begun && !window) elsewhere.set(account.key, { ...begun, used: 0 });
          return quota;
        },
      };
    },
  },
  'limit-shared-by-all-keys': {
    about: 'when one key is exhausted, all are refused',
    mutate: (truth, { now }) => {
      let until = 0;
      return {
        meter: (call, account) => {
          const quota = truth.meter(call, account);
          if (quota.refusedFor !== undefined) until = now() + quota.refusedFor * 1000;
          return account && now() < until
            ? { ...quota, remaining: 0, refusedFor: Math.ceil((until - now()) / 1000) }
            : quota;
        },
      };
    },
  },
};

export const rate429Rows = family('rate-429', '§8', entries);

/** Refuses `by` calls later than Remaining says. */
function shifted(by: number): Mutate {
  return (truth, { usage, settings }) => ({
    meter: (call, account) => {
      if (!account) return truth.meter(call, account);
      const limit = settings.plans[account.plan]?.minute ?? 0;
      const window = usage.get(account.key);
      const used = window?.used ?? 0;
      const quota = truth.meter(call, account);
      if (by > 0 && used >= limit && window && used < limit + by) {
        window.used += 1;
        return { limit: quota.limit, remaining: 0, reset: quota.reset };
      }
      if (by < 0 && window && used >= limit + by && window.used > used) {
        window.used = used;
        return { ...quota, remaining: limit - used, refusedFor: 60 };
      }
      return quota;
    },
  });
}
