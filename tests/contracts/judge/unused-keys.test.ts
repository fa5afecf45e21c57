import { expect, it } from 'vitest';
import { describeUnusedKeys } from '../../../contracts/judge/run-judge.ts';

const document = { plans: { free: { perMinute: 60, perDay: 1000 } } };

it('says which given keys no call used, and names the tokens of a recording, but no key', () => {
  const describe = (unused: string[], others: string[]) =>
    describeUnusedKeys({ unused, others }, document);
  expect(describe([], ['key-1'])).toBeUndefined();
  expect(describe(['free-1'], ['sk-live-77', 'secret'])).toBe(
    'No call used free-1 of the keys that --key names, so nothing is judged by their plans.',
  );
  expect(describe(['free-2', 'key-3'], ['key-1', 'secret', 'target-free-7'])).toBe(
    'No call used free-2, key-3 of the keys that --key names. The recording names keys by tokens (key-1, target-free-7): give --key PLAN=key-1, for example.',
  );
});
