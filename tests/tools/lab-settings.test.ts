import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeploymentOptions } from '../../tools/lab/deployment.ts';
import type { CheckResult, Judgement } from '../../tools/lab/judge.ts';
import { send } from '../../tools/lab/request-script.ts';
import { openReplicas } from '../../tools/lab/settings/replicas.ts';
import { type SettingName, settings } from '../../tools/lab/settings.ts';
import { findSilentChecks, findStaleReasons } from '../../tools/lab/silent-checks.ts';
import { fetchOverTls } from '../support/tls.ts';

const bulk = { Authorization: 'Bearer k-enterprise' };
const json = { 'Content-Type': 'application/json' };

async function open(name: SettingName, options: DeploymentOptions = {}): Promise<string> {
  const deployment = await settings[name].open(options);
  onTestFinished(() => deployment.close());
  return deployment.url;
}

async function ask(
  url: string,
  path: string,
  headers: Record<string, string> = bulk,
  body?: string,
) {
  const seen = await send(url, {
    path,
    headers,
    ...(body !== undefined && { method: 'POST', body, headers: { ...headers, ...json } }),
  });
  if ('failure' in seen) throw new Error(`${path} ${seen.failure}`);
  return seen;
}

it.each(['plain', 'parallel', 'latency', 'proxy', 'replicas'] as const)(
  'creates and reads an animal in the setting %s',
  async (name) => {
    const url = await open(name);
    const made = JSON.parse(
      String((await ask(url, '/pets', bulk, '{"name":"Rex","categoryId":1}')).content),
    );
    await expect
      .poll(async () =>
        [await ask(url, `/pets/${made.id}`), await ask(url, `/pets/${made.id}`)].map(
          ({ status }) => status,
        ),
      )
      .toEqual([200, 200]);
  },
);

it('speaks TLS with the certificate for localhost', async () => {
  const answer = await fetchOverTls(`${await open('tls')}/pets?limit=2`, { headers: bulk });
  expect(JSON.parse(answer.text)).toHaveLength(2);
});

it('answers calls that are made side by side in another order, and shows what remains when it answers', async () => {
  const url = await open('parallel');
  const answered: number[] = [];
  const calls = Array.from({ length: 24 }, async (_, index) => {
    const { headers } = await ask(url, '/pets?limit=1', { Authorization: 'Bearer k-free-1' });
    answered.push(index);
    return Number(headers['x-ratelimit-remaining']);
  });
  const remaining = await Promise.all(calls);
  expect(answered).not.toEqual(answered.toSorted((left, right) => left - right));
  expect(new Set(remaining).size).toBeLessThan(24);
  expect(Math.min(...remaining)).toBe(36);
});

it('is a reverse proxy with headers of its own that compresses unless gzip is unwelcome', async () => {
  const url = await open('proxy', { now: () => 0 });
  const { headers, rawHeaders, content } = await ask(url, '/pets');
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    server: 'edge',
    via: '1.1 edge',
    'x-ratelimit-limit': '10000',
  });
  expect(Date.parse(headers.date ?? '')).toBeGreaterThan(0);
  expect(rawHeaders).toContain('x-ratelimit-limit');
  expect([...content.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  expect(
    (await ask(url, '/pets', { ...bulk, 'Accept-Encoding': 'identity' })).headers[
      'content-encoding'
    ],
  ).toBeUndefined();
});

it('shows what is created at one of two servers alone for a while, and counts at both', async () => {
  const { url, close } = await openReplicas({}, 60_000);
  onTestFinished(close);
  const agent = new Agent();
  const made = await send(
    url,
    {
      path: '/pets',
      method: 'POST',
      headers: { ...bulk, ...json },
      body: '{"name":"Rex","categoryId":1}',
    },
    agent,
  );
  const { id } = JSON.parse(String('content' in made && made.content));
  const reads = [];
  for (let read = 0; read < 2; read++)
    reads.push(await send(url, { path: `/pets/${id}`, headers: bulk }, agent));
  expect(reads).toMatchObject([
    { status: 404, headers: { 'x-ratelimit-remaining': '9998' } },
    { status: 200, headers: { 'x-ratelimit-remaining': '9997' } },
  ]);
});

it('tells the checks that hold something plain and nothing elsewhere, and those that are undecided there', () => {
  const judgement = (setting: SettingName, checks: Record<string, CheckResult>) =>
    ({ id: 'row', kind: 'fair', setting, checks }) as Judgement;
  const kept = { verdict: 'kept', held: 3 };
  const plain = judgement('plain', {
    same: kept,
    gone: kept,
    undecided: kept,
    never: { verdict: 'vacuous', held: 0 },
  });
  const there = judgement('tls', {
    same: { verdict: 'drift', held: 1 },
    gone: { verdict: 'vacuous', held: 0 },
    undecided: { verdict: 'inconclusive', held: 3, reason: 'why' },
    never: { verdict: 'vacuous', held: 0 },
  });
  expect(findSilentChecks(plain, there).map(({ check }) => check)).toEqual(['gone', 'undecided']);
});

const resultsOf = (checks: Record<string, [verdict: string, held: number]>) =>
  Object.fromEntries(
    Object.entries(checks).map(([id, [verdict, held]]) => [id, { verdict, held }]),
  );

it('tells the checks that found a broken deployment where none of them does elsewhere', () => {
  const judgement = (checks: Record<string, string>) =>
    ({
      id: 'row',
      kind: 'broken',
      setting: 'tls',
      checks: resultsOf(
        Object.fromEntries(Object.entries(checks).map(([id, verdict]) => [id, [verdict, 1]])),
      ),
    }) as unknown as Judgement;
  const plain = judgement({ one: 'drift', other: 'drift', third: 'kept' });
  expect(
    findSilentChecks(plain, judgement({ one: 'kept', other: 'drift', third: 'kept' })),
  ).toEqual([]);
  const lost = findSilentChecks(plain, judgement({ one: 'kept', other: 'kept', third: 'drift' }));
  expect(lost.map(({ check }) => check)).toEqual(['one', 'other']);
});

describe('a reason for silence that excuses nothing', () => {
  const entry = {
    row: /^late-/,
    settings: ['latency' as const],
    checks: ['keys-isolated'],
    reason: 'the window is over',
  };
  const judged = (id: string, setting: SettingName, held: number) => {
    const of = (name: SettingName, times: number) =>
      ({
        id,
        kind: 'fair',
        setting: name,
        checks: resultsOf({ 'keys-isolated': ['kept', times] }),
      }) as Judgement;
    return { plain: of('plain', 1), there: of(setting, held) };
  };
  const all = ['late-1', 'late-2', 'early'].flatMap((id) =>
    (['latency', 'tls'] as const).map((setting) => ({ id, setting })),
  );

  it('is reported where all its rows and settings were judged', () => {
    const pairs = ['late-1', 'late-2'].map((id) => judged(id, 'latency', 1));
    expect(findStaleReasons(pairs, all, [entry])).toEqual([entry]);
  });

  it('is not where it excused one of them, or depends on chance', () => {
    const one = [judged('late-1', 'latency', 1), judged('late-2', 'latency', 0)];
    expect(findStaleReasons(one, all, [entry])).toEqual([]);
    const both = [judged('late-1', 'latency', 1), judged('late-2', 'latency', 1)];
    expect(findStaleReasons(both, all, [{ ...entry, chance: true }])).toEqual([]);
  });

  it('is reported where no row has its name', () => {
    expect(findStaleReasons([], [{ id: 'early', setting: 'tls' }], [entry])).toEqual([entry]);
  });
});
