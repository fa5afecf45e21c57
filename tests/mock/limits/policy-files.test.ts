import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { PolicyError, parseKeys, parsePlans } from '../../../mock/limits/plans.ts';
import { compile } from '../../../openapi/index.ts';
import { projectFile, startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const stated = (await compile(projectFile('contracts/openapi.yaml'))).plans;
const ban = { strikes: 2, withinSeconds: 10, seconds: 20, maxSeconds: 40 };
const enterprise = { perMinute: 10, perDay: 100 };
const base = parsePlans({ plans: { enterprise }, ban }, stated);

function planProblem(file: unknown): string {
  return problemOf(() => parsePlans(file, {}, base));
}

function keyProblem(...keys: unknown[]): string {
  return problemOf(() => parseKeys({ keys }, base.plans, (key) => key));
}

function problemOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyError);
    return (error as Error).message;
  }
  throw new Error('The file was taken');
}

it('has the plans that the interface states, and the figures of its own for the custom one', async () => {
  const { policy } = await startTwin();
  expect(policy.plans).toEqual({
    free: { name: 'free', perMinute: 60, perDay: 1000 },
    pro: { name: 'pro', perMinute: 300, perDay: 10_000 },
    business: { name: 'business', perMinute: 1000, perDay: 100_000 },
    enterprise: { name: 'enterprise', perMinute: 10_000, perDay: 1_000_000 },
  });
  expect(policy.ban).toEqual({ strikes: 10, withinSeconds: 60, seconds: 300, maxSeconds: 3600 });
});

it('has the same plans for another document, but where that states figures', async () => {
  const { policy } = await startTwin({ spec: projectFile('examples/learn/orders.yaml') });
  expect(policy.plans).toEqual((await startTwin()).policy.plans);
  const gold = { perMinute: 5, perDay: 50 };
  const { plans } = parsePlans({ plans: { enterprise } }, { gold, enterprise: gold });
  expect(plans.enterprise).toEqual({ name: 'enterprise', ...gold });
});

it('adds the plans of a file, and lets them replace those of the same name', () => {
  const more = { free: { perMinute: 1, perDay: 2 }, trial: { perMinute: 3, perDay: 4 } };
  const { plans } = parsePlans({ plans: more }, {}, base);
  expect(plans.free).toEqual({ name: 'free', perMinute: 1, perDay: 2 });
  expect(plans.trial).toEqual({ name: 'trial', perMinute: 3, perDay: 4 });
  expect(plans.pro).toEqual({ name: 'pro', perMinute: 300, perDay: 10_000 });
});

it('keeps the ban where a file has none, changes it, or switches it off', () => {
  expect(parsePlans({}, {}, base).ban).toEqual(ban);
  expect(parsePlans({ ban: { ...ban, strikes: 5 } }, {}, base).ban).toEqual({ ...ban, strikes: 5 });
  expect(parsePlans({ ban: false }, {}, base).ban).toBe(false);
});

it('gives a key its plan, or figures of its own', () => {
  const keys = [
    { key: 'a', plan: 'free' },
    { key: 'b', plan: 'free', name: 'Team B', perMinute: 7 },
    { key: 'c', plan: 'pro', perDay: 9 },
  ];
  const free = { name: 'free', perMinute: 60, perDay: 1000 };
  const pro = { name: 'pro', perMinute: 300, perDay: 9 };
  expect(parseKeys({ keys }, base.plans, (_, index) => `key-${index + 1}`)).toEqual([
    { key: 'a', name: 'key-1', own: {}, plan: free },
    { key: 'b', name: 'Team B', own: { perMinute: 7 }, plan: { ...free, perMinute: 7 } },
    { key: 'c', name: 'key-3', own: { perDay: 9 }, plan: pro },
  ]);
});

it('names the file of what is wrong', async () => {
  const plans = await writeJson({ plans: { free: {} } });
  const problem = 'plans.free.perMinute must be a whole number of at least 1, but is missing.';
  const error = new UsageError(`--plans ${plans}: ${problem}`);
  await expect(startTwin({ plans })).rejects.toThrow(error);
});

const whole = 'must be a whole number of at least 1, but is';
const planFields = 'known are strikes, withinSeconds, seconds, maxSeconds, assumed.';

it.each(
  Object.entries({
    'The file must be an object.': [],
    'The file has an unknown field "plan"; known are plans, ban.': { plan: {} },
    '"plans" must be an object.': { plans: [] },
    'plans.a must be an object.': { plans: { a: 5 } },
    [`plans.a.perDay ${whole} missing.`]: { plans: { a: { perMinute: 1 } } },
    [`plans.a.perMinute ${whole} 1.5.`]: { plans: { a: { perMinute: 1.5, perDay: 1 } } },
    'plans.a has an unknown field "perHour"; known are perMinute, perDay, assumed.': {
      plans: { a: { perMinute: 1, perDay: 1, perHour: 1 } },
    },
    '"ban" must be an object.': { ban: true },
    [`ban.strikes ${whole} 0.`]: { ban: { ...ban, strikes: 0 } },
    'ban.maxSeconds must be at least ban.seconds.': { ban: { ...ban, maxSeconds: 19 } },
    [`"ban" has an unknown field "minutes"; ${planFields}`]: { ban: { ...ban, minutes: 1 } },
  }),
)('says of a plans file: %s', (problem, file) => {
  expect(planProblem(file)).toBe(problem);
});

describe('refuses a key', () => {
  const free = { key: 'a', plan: 'free' };
  const text = 'keys[0].key must be a text of printable ASCII, without spaces at its ends.';
  const plans = 'keys[0].plan must be one of enterprise, free, pro, business, but is';
  const keyFields = 'known are key, plan, name, perMinute, perDay, redirectUris, assumed.';

  it.each([
    [{ plan: 'free' }, text],
    [{ key: 'a ', plan: 'free' }, text],
    [{ key: 'a' }, `${plans} missing.`],
    [{ key: 'a', plan: 'gold' }, `${plans} "gold".`],
    [{ ...free, perDay: 0 }, `keys[0].perDay ${whole} 0.`],
    [{ ...free, limit: 1 }, `keys[0] has an unknown field "limit"; ${keyFields}`],
    ['a', 'keys[0] must be an object.'],
  ])('that is %j', (key, problem) => {
    expect(keyProblem(key)).toBe(problem);
  });

  it.each(['', '.', '..', 'a\ud800'])('whose name no URL can contain: %j', (name) => {
    const problem = 'keys[0].name must be a text that a URL can contain.';
    expect(keyProblem({ ...free, name })).toBe(problem);
  });

  it.each([
    'javascript:alert(1)',
    'https://app.example/#a',
    'https://app.example/\u00e9',
    'https://app.example/a b',
    'https://app.example\\@evil.example/',
    '/callback',
  ])('that would redirect to %j', (uri) => {
    expect(keyProblem({ ...free, redirectUris: ['https://app.example/cb', uri] })).toBe(
      'keys[0].redirectUris must be a list of URLs in ASCII, without spaces, backslashes or a fragment.',
    );
  });

  it('that is there twice, or named as another, or where there is none', () => {
    expect(keyProblem(free, { key: 'a', plan: 'pro' })).toBe('keys[1].key is used twice.');
    const [one, other] = [free, { key: 'b', plan: 'pro' }].map((key) => ({ ...key, name: 'x' }));
    expect(keyProblem(one, other)).toBe('keys[1].name is used twice.');
    const none = '"keys" must be a list with at least one key.';
    expect(keyProblem()).toBe(none);
    expect(problemOf(() => parseKeys({}, base.plans, (key) => key))).toBe(none);
  });
});
