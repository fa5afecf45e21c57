import type { Mutate } from '../deployment.ts';
import { type Entries, family } from '../row.ts';
import { header, tamper } from '../tamper.ts';

/**
 * A bucket a key, which refills all the time. Reset says when it will be full, or when the minute
 * ends.
 */
function bucket(shows: 'full' | 'minute'): Mutate {
  return (truth, { usage, settings, now }) => {
    const buckets = new Map<string, { tokens: number; at: number }>();
    return {
      meter: (call, account) => {
        if (!account) return truth.meter(call, account);
        usage.delete(account.key);
        const { minute = 0 } = settings.plans[account.plan] ?? {};
        const seconds = now() / 1000;
        const { tokens: held, at } = buckets.get(account.key) ?? { tokens: minute, at: seconds };
        const tokens = Math.min(minute, held + ((seconds - at) * minute) / 60);
        const passes = tokens >= 1;
        const left = passes ? tokens - 1 : tokens;
        buckets.set(account.key, { tokens: left, at: seconds });
        const reset =
          shows === 'full'
            ? Math.ceil(seconds + ((minute - left) * 60) / minute)
            : (Math.floor(seconds / 60) + 1) * 60;
        const quota = { limit: minute, remaining: Math.floor(left), reset };
        return passes ? quota : { ...quota, refusedFor: 1 };
      },
    };
  };
}

type Log = {
  /** The times of calls that a key made before, in milliseconds. */
  before?: (limit: number, now: number) => number[];
  /** How long after it was made a call comes back, in seconds. */
  seconds?: number;
  /** Whether Reset is when the oldest call comes back, or the newest. */
  shows?: 'oldest' | 'newest';
};

/** Each call comes back some time after it was made. */
function log({ before = () => [], seconds = 60, shows = 'oldest' }: Log = {}): Mutate {
  return (truth, { settings, now }) => {
    const logs = new Map<string, number[]>();
    return {
      meter: (call, account) => {
        if (!account) return truth.meter(call, account);
        const { minute: limit = 0 } = settings.plans[account.plan] ?? {};
        const times = (logs.get(account.key) ?? before(limit, now())).filter(
          (time) => time > now() - seconds * 1000,
        );
        const passes = times.length < limit;
        if (passes) times.push(now());
        logs.set(account.key, times);
        const [oldest = now(), newest = now()] = [times[0], times.at(-1)];
        const toEnd = (time: number) => time + seconds * 1000;
        const reset = Math.ceil(toEnd(shows === 'oldest' ? oldest : newest) / 1000);
        const quota = { limit, remaining: limit - times.length, reset };
        return passes ? quota : { ...quota, refusedFor: Math.ceil((toEnd(oldest) - now()) / 1000) };
      },
    };
  };
}

function afterMilliseconds(delay: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, delay, false));
}

const windows: Entries = {
  'fair-day-in-headers': {
    about: 'the headers show the day; the minute is enforced all the same',
    settings: { shows: 'day' },
  },
  'fair-tightest-in-headers': {
    about: 'the headers show the day once less of it remains than of the minute',
    mutate: (truth, { usage, settings, now }) => ({
      meter: (call, account) => {
        const first = account && !usage.has(account.key);
        const quota = truth.meter(call, account);
        const window = account && usage.get(account.key);
        if (!account || !window) return quota;
        const day = settings.plans[account.plan]?.day ?? 0;
        if (first) window.today = day - 30;
        const left = Math.max(0, day - window.today);
        return left < quota.remaining
          ? {
              ...quota,
              limit: day,
              remaining: left,
              reset: Math.ceil(now() / 1000 / 86_400) * 86_400,
            }
          : quota;
      },
    }),
  },
  'fair-very-high-limits': {
    about: 'a custom plan has a limit of 1e9 a minute',
    settings: { keys: { 'k-custom': 'custom' }, plans: { custom: { minute: 1e9, day: 1e12 } } },
    keys: ['k-custom'],
  },
  'fair-two-second-window-and-ban': {
    about: 'the window is 2 s, and a call before Retry-After is over bans the key for an hour',
    settings: { windowSeconds: 2 },
    mutate: (truth, { now }) => {
      const free = new Map<string, number>();
      return {
        meter: (call, account) => {
          const until = account && free.get(account.key);
          const quota = truth.meter(call, account);
          if (!account) return quota;
          if (until !== undefined && now() < until) {
            free.set(account.key, now() + 3_600_000);
            return { ...quota, remaining: 0, refusedFor: 3600 };
          }
          if (quota.refusedFor !== undefined)
            free.set(account.key, now() + quota.refusedFor * 1000);
          return quota;
        },
      };
    },
  },
  'fair-two-second-window': {
    about: 'the window is 2 s',
    settings: { windowSeconds: 2 },
  },
  'fair-one-second-window': {
    about: 'the window is 1 s',
    settings: { windowSeconds: 1 },
  },
  'fair-ban-for-the-third-429': {
    about: 'the third 429 of a key bans it: 403 for an hour',
    mutate: (truth) => {
      const strikes = new Map<string, number>();
      return {
        meter: (call, account) => {
          const quota = truth.meter(call, account);
          if (account && quota.refusedFor !== undefined)
            strikes.set(account.key, (strikes.get(account.key) ?? 0) + 1);
          return quota;
        },
        answer: (call, answer) => {
          const account = truth.authenticate(call);
          return account && (strikes.get(account.key) ?? 0) >= 3
            ? { ...answer, status: 403 }
            : answer;
        },
      };
    },
  },
  'fair-window-ends-mid-run': {
    about: 'the minute of each key ends 700 ms after its first call',
    mutate: (truth, { usage, now }) => ({
      meter: (call, account) => {
        const first = account && !usage.has(account.key);
        const quota = truth.meter(call, account);
        const window = account && usage.get(account.key);
        if (!first || !window) return quota;
        window.since = now() / 1000 - 59.3;
        return { ...quota, reset: Math.ceil(window.since + 60) };
      },
    }),
  },
  'fair-reset-rounded-down': {
    about: 'Reset is rounded down to the second',
    mutate: tamper(
      {},
      header('X-RateLimit-Reset', (now) => String(Number(now) - 1)),
    ),
  },
  'fair-reset-from-seconds-left': {
    about:
      'Reset is made of the time now and of the seconds that are left, each rounded, so that it moves by a second within a window',
    looksTrue: 'the clock of the script shows whole seconds',
    mutate: (truth, { usage, settings, now }) => ({
      meter: (call, account) => {
        const quota = truth.meter(call, account);
        const since = account && usage.get(account.key)?.since;
        if (since === undefined) return quota;
        const seconds = now() / 1000;
        return {
          ...quota,
          reset: Math.floor(seconds) + Math.ceil(since + settings.windowSeconds - seconds),
        };
      },
    }),
  },
  'fair-window-on-the-clock': {
    about: 'the windows of all keys end at one instant, whenever a key is used first',
    mutate: (truth, { usage, now }) => {
      const start = Math.floor(now() / 1000) - 5;
      return {
        meter: (call, account) => {
          const since = start + Math.floor((now() / 1000 - start) / 60) * 60;
          const window = account && usage.get(account.key);
          if (account && window?.since !== since)
            usage.set(account.key, { since, used: 0, today: window?.today ?? 0 });
          return truth.meter(call, account);
        },
      };
    },
  },
  'fair-sliding-window': {
    about: 'the window slides: Reset lies a minute ahead of each call',
    mutate: (truth, { now }) => ({
      meter: (call, account) => ({
        ...truth.meter(call, account),
        reset: Math.ceil(now() / 1000) + 60,
      }),
    }),
  },
  'fair-sliding-log': {
    about:
      'the window slides: each call comes back a minute after it was made, and Reset is when the oldest one does',
    looksTrue: 'nothing comes back while the script runs',
    mutate: log(),
  },
  'fair-sliding-log-of-a-key-used-before': {
    about: 'the window slides, and a burst of a minute ago comes back while the run goes on',
    mutate: log({
      before: (limit, now) =>
        Array.from({ length: Math.floor(limit * 0.7) }, (_, index) => now - 59_880 + index * 0.6),
    }),
  },
  'fair-sliding-four-seconds-to-the-newest': {
    about: 'the window slides and is 4 s long, and Reset is when the newest call comes back',
    mutate: log({ seconds: 4, shows: 'newest' }),
  },
  'fair-sliding-ten-seconds-to-the-newest': {
    about: 'the same in 10 s, and a burst before the run comes back while it goes on',
    mutate: log({
      seconds: 10,
      shows: 'newest',
      before: (limit, now) =>
        Array.from({ length: Math.floor(limit * 0.7) }, (_, index) => now - 8500 + index * 0.6),
    }),
  },
  'fair-bucket-refills': {
    about: 'a bucket refills with one call a second, so that Remaining may rise',
    mutate: bucket('full'),
  },
  'fair-bucket-refills-while-an-answer-travels': {
    about:
      'a bucket refills with 50 calls a second, and an answer takes 25 ms, so that Remaining rises as often as it falls',
    settings: { keys: { 'k-custom': 'custom' }, plans: { custom: { minute: 3000, day: 100_000 } } },
    keys: ['k-custom'],
    mutate: (truth, shop) => ({
      ...bucket('full')(truth, shop),
      send: () => afterMilliseconds(25),
    }),
  },
  'fair-bucket-with-a-steady-reset': {
    about:
      'a bucket refills with 50 calls a second, an answer takes 25 ms, and Reset is the end of the minute all along',
    settings: { keys: { 'k-custom': 'custom' }, plans: { custom: { minute: 3000, day: 100_000 } } },
    keys: ['k-custom'],
    mutate: (truth, shop) => ({
      ...bucket('minute')(truth, shop),
      send: () => afterMilliseconds(25),
    }),
  },
  'fair-clock-slow': {
    about: "the service's clock is five minutes slow, its Date too",
    clockOffset: -300_000,
    impossibleIn: {
      proxy: "the proxy has a Date of its own, so nothing shows that the service's clock is slow",
    },
  },
  'fair-clock-fast': {
    about: "the service's clock is five minutes fast, its Date too",
    clockOffset: 300_000,
    impossibleIn: {
      proxy: "the proxy has a Date of its own, so nothing shows that the service's clock is fast",
    },
  },
};

export const windowRows = family('fair-windows', '§8', windows);
