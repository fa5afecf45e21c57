import { expect, it } from 'vitest';
import { rateLimitRefusal } from '../../../contracts/checks/rate-limit-refusal.ts';
import type { Mutate } from '../../../tools/lab/deployment.ts';
import { header, tamper } from '../../../tools/lab/tamper.ts';
import {
  alone,
  answer,
  type Call,
  type Counter,
  counting,
  judge,
} from '../../support/counted-calls.ts';
import { verifyDeployment } from '../../support/verify-deployment.ts';

/**
 * Lists what deployments send in place of a whole number of Unix seconds, as slowapi its fractions.
 */
const shapes: Record<string, (now: string) => string> = {
  'a fraction': (now) => `${now}.123`,
  'an ISO date': (now) => new Date(Number(now) * 1000).toISOString(),
  'the seconds that are left': (now) => String(Number(now) - Math.floor(Date.now() / 1000)),
  nothing: () => '',
};

/** A counter for each path that a key calls, and a Reset of a shape. */
const perPath =
  (shape: (now: string) => string): Mutate =>
  (truth, shop) => ({
    meter: (call, account) =>
      truth.meter(call, account && { ...account, key: `${account.key} ${call.path}` }),
    ...tamper({}, header('X-RateLimit-Reset', shape))(truth, shop),
  });

it.each(Object.entries(shapes))(
  'finds a counter for each path where Reset is %s, and that',
  async (_, shape) => {
    const { report } = await verifyDeployment({ mutate: perPath(shape) });
    const found = report.findings.map(({ check, message }) => [check, message]);
    expect(found).toContainEqual([
      'rate-limit-countdown',
      'X-RateLimit-Remaining rises within a window',
    ]);
    expect(found).toContainEqual([
      expect.stringMatching(/^rate-limit-(form|reset)$/),
      expect.stringContaining('X-RateLimit-Reset is not a'),
    ]);
  },
);

it.each(Object.entries(shapes))(
  'blames one counter for nothing but a Reset that is %s',
  async (_, shape) => {
    const mutate = tamper({}, header('X-RateLimit-Reset', shape));
    const { report } = await verifyDeployment({ mutate }, { probeLimits: true });
    const checks = report.findings.map(({ check }) => check);
    expect(checks.filter((check) => /^(rate|retry|keys)-/.test(check))).toEqual([
      expect.stringMatching(/^rate-limit-(form|reset)$/),
    ]);
  },
);

/** A limit of 1,000 that begins anew at these instants, in milliseconds. */
function renewed(...instants: number[]): Counter {
  let [left, ended] = [1000, 0];
  return (_, now) => {
    const over = instants.filter((instant) => instant <= now).length;
    left = over > ended ? 999 : left - 1;
    ended = over;
    return left;
  };
}

const noReset = { resetOf: () => '' };

it('blames no counter whose answers overtake each other while its window ends', () => {
  const slow = (from: number, times: number): Call[] =>
    Array.from({ length: times }, (_, index): Call => {
      const sent = from + index * 3;
      const counted = sent + 2 + ((index * 7) % 5) * 4;
      const ended = counted + 2 + ((index * 11) % 7) * 9;
      return { operation: 'listPets', isError: false, isLowerCase: false, sent, counted, ended };
    });
  const calls = [...alone('listPets', 12, 0), ...slow(200, 300), ...alone('listPets', 12, 1400)];
  for (const instants of [[207], [450], [700], [1100], [100, 1101]]) {
    const transcript = answer(calls, renewed(...instants), noReset);
    expect([instants, judge(transcript).violations]).toEqual([instants, []]);
    expect(judge(transcript, rateLimitRefusal).violations).toEqual([]);
  }
});

it('takes what rises again within a second for no new window', () => {
  const calls = alone('listPets', 120, 0);
  const { violations } = judge(answer(calls, renewed(200, 300), noReset));
  expect(violations).toContain(
    'X-RateLimit-Remaining rises within a window (X-RateLimit-Remaining: 999)',
  );
  expect(
    judge(
      answer(
        calls,
        counting(() => 1),
        noReset,
      ),
    ).violations,
  ).toEqual([]);
});
