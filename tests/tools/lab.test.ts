import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broken } from '../../tools/lab/broken.ts';
import { type Deployment, openDeployment } from '../../tools/lab/deployment.ts';
import { fair } from '../../tools/lab/fair.ts';
import { misaddressed } from '../../tools/lab/misaddressed.ts';
import { runScript, type Seen, send } from '../../tools/lab/request-script.ts';
import { openRewritingProxy } from '../../tools/lab/rewriting-proxy.ts';
import type { Row } from '../../tools/lab/row.ts';
import { everyNth } from '../support/sample.ts';

const noon = Date.UTC(2026, 0, 1, 12);

/** Starts a row with a clock that stands still, the rewritten ones before the true deployment. */
async function openRow(
  row: Partial<Row>,
): Promise<Deployment & { pass: (seconds: number) => void }> {
  const { settings, mutate, prefix, rewrite, clockOffset = 0 } = row;
  let time = noon + clockOffset;
  const pass = (seconds: number) => {
    time += seconds * 1000;
  };
  const behind = await openDeployment({
    ...(settings && { settings }),
    ...(mutate && { mutate }),
    ...(prefix && { prefix }),
    now: () => time,
  });
  if (!rewrite) return { ...behind, pass };
  const proxy = await openRewritingProxy(behind.url, rewrite);
  const close = async () => {
    await proxy.close();
    await behind.close();
  };
  return { ...proxy, close, pass };
}

async function transcript(
  row: Partial<Row>,
  until: (line: string, index: number) => boolean = () => false,
): Promise<string[]> {
  const { url, pass, close } = await openRow(row);
  return runScript(url, pass, until).finally(close);
}

let truth: string[];
let truthBehindProxy: string[];
beforeAll(async () => {
  truth = await transcript({});
  truthBehindProxy = await transcript({ rewrite: [] });
});

it('has at least 150 broken and 45 fair rows, each with an id of its own', () => {
  const ids = [...broken, ...fair, ...misaddressed].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(broken.length).toBeGreaterThanOrEqual(150);
  expect(fair.length).toBeGreaterThanOrEqual(45);
});

it('answers the same script the same way twice', async () => {
  expect(await transcript({})).toEqual(truth);
});

it.each(everyNth(10, [...broken, ...fair.filter(({ looksTrue }) => !looksTrue)]))(
  '$id answers otherwise than the true deployment',
  async (row) => {
    const expected = row.rewrite ? truthBehindProxy : truth;
    let differs = '';
    await transcript(row, (line, index) => line !== expected[index] && Boolean((differs = line)));
    expect(differs).not.toBe('');
  },
);

it.each(everyNth(10, fair))('$id lists animals for its key', async (row) => {
  const { url, close } = await openRow(row);
  const key = row.keys?.[0]?.split('=').at(-1) ?? 'k-free-1';
  const answer = (await send(url, {
    path: '/pets?limit=3',
    headers: { Authorization: `Bearer ${key}` },
    deadline: 5000,
  })) as {
    status: number;
  };
  await close();
  expect(answer.status).toBe(200);
});

describe('the true deployment', () => {
  let shop: Deployment & { pass: (seconds: number) => void };
  beforeAll(async () => {
    shop = await openRow({});
  });
  afterAll(() => shop.close());

  type Answered = Exclude<Seen, { failure: string }> & { json: unknown };

  async function ask(
    path: string,
    {
      key = 'k-enterprise',
      method = 'GET',
      body,
    }: { key?: string; method?: string; body?: string } = {},
  ): Promise<Answered> {
    const headers = {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const seen = await send(shop.url, {
      path,
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    if ('failure' in seen) throw new Error(`${method} ${path} ${seen.failure}`);
    return { ...seen, json: JSON.parse(seen.content.toString()) };
  }

  const create = (body: string) => ask('/pets', { method: 'POST', body });
  const list = async (query: string) =>
    (await ask(`/pets${query}`)).json as { id: number; status?: string; name: string }[];

  it('lists all and only the animals of a status, as many as the limit', async () => {
    for (const [query, count] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=100', 45],
    ] as const)
      expect(await list(query)).toHaveLength(count);
    const all = await list('?limit=100');
    expect(await list('?limit=100&status=sold')).toEqual(
      all.filter((animal) => animal.status === 'sold'),
    );
  });

  it('creates, reads and lists an animal to the letter', async () => {
    const sent = '{"name":" Ж e\\u0301 🐕 <b> ","categoryId":9223372036854775807,"status":"sold"}';
    const made = await create(sent);
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: ' Ж e\u0301 🐕 <b> ', status: 'sold' });
    expect(made.content.toString()).toContain('"categoryId":9223372036854775807,');
    const { id } = made.json as { id: number };
    expect((await ask(`/pets/${id}`)).content).toEqual(made.content);
    expect(await list('?limit=100&status=sold')).toContainEqual(made.json);
    expect(((await create('{"name":"x","categoryId":1}')).json as { id: number }).id).not.toBe(id);
  });

  it.each([
    '{"categoryId":1}',
    '{"name":"x"}',
    '{"name":"x","categoryId":"1"}',
    '{"name":"x","categoryId":9223372036854775808}',
    '{"name":"x","categoryId":1,"status":"unknown"}',
    '',
    '{"name":',
  ])('refuses to create %j and stores nothing', async (body) => {
    const before = await list('?limit=100');
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      code: expect.any(String),
      message: expect.any(String),
      status: 400,
    });
    expect(await list('?limit=100')).toEqual(before);
  });

  it('answers 401 without a key, and 404 for an unknown animal', async () => {
    expect(await ask('/pets', { key: '' })).toMatchObject({ status: 401, json: { status: 401 } });
    expect(await ask('/pets/999999')).toMatchObject({ status: 404, json: { status: 404 } });
  });

  it('shows the figures of the plan', async () => {
    expect((await ask('/pets', { key: 'k-pro-1' })).headers).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '299',
    });
    expect((await ask('/pets', { key: 'k-pro-1' })).headers).toMatchObject({
      'x-ratelimit-remaining': '298',
      'x-ratelimit-reset': String(noon / 1000 + 60),
    });
  });

  it('lets 60 calls of a Free key through, then none until Retry-After is over', async () => {
    const calls = await Promise.all(
      Array.from({ length: 61 }, () => ask('/pets/1', { key: 'k-free-1' })),
    );
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = calls.find(({ status }) => status === 429);
    expect(refused?.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
    expect((await ask('/pets/1', { key: 'k-free-2' })).status).toBe(200);
    shop.pass(60);
    expect((await ask('/pets/1', { key: 'k-free-1' })).status).toBe(200);
  });
});
