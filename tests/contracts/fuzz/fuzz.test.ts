import { expect, it } from 'vitest';
import { fuzzCheckIds } from '../../../contracts/fuzz/symptoms.ts';
import type { Finding, Report } from '../../../contracts/report/events.ts';
import { documentOf } from '../../support/document-of.ts';
import { type Reply, startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { document, type Fault, Shop } from './faulty-shop.ts';

type Options = Parameters<typeof verifyWrites>[2];

async function fuzz(shop: Shop, fault?: Fault, options: Options = {}): Promise<Report> {
  const url = await shop.start(fault);
  const target = { url, keys: ['k-1'] };
  const settings = { fuzz: true, fuzzTime: 300_000, maxRequests: 1000, target, ...options };
  return verifyWrites(url, document, settings);
}

function foundIn({ findings }: Report): Finding[] {
  return findings.filter(({ check }) => fuzzCheckIds.some((id) => id === check));
}

/** The methods and bodies of the requests that show a finding, without marks of the run. */
function requestsOf({ before = [], exchange }: Finding): string[] {
  return [...before.map((one) => one.exchange), exchange].map((one) => {
    const { method, body = '' } = one?.request ?? {};
    return `${method} ${body.replace(/[0-9a-f]{12}/g, '#')}`.trim();
  });
}

it('finds nothing in a fair deployment, and leaves nothing there', async () => {
  const shop = new Shop();
  const report = await fuzz(shop);
  expect(foundIn(report)).toEqual([]);
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect(shop.harmed).toEqual([]);
  expect(shop.left()).toEqual([]);
  const held = fuzzCheckIds.map(
    (id) => report.clauses.find((one) => one.id === id)?.results.target,
  );
  expect(held.map((one) => one?.verdict)).toEqual(fuzzCheckIds.map(() => 'kept'));
});

it('blames no deployment that is busy for a while, or shows a deleted item for a moment', async () => {
  const gone = new Map<string, { body: unknown; until: number }>();
  let calls = 0;
  const report = await fuzz(new Shop(), ({ method, segments, headers }, shop) => {
    calls += 1;
    if (headers['x-key'] !== 'k-1') return undefined;
    if (calls > 100 && calls % 23 === 0) return { status: 503 };
    const id = segments[1] ?? '';
    const body = shop.things.get(id);
    if (method === 'DELETE' && body) gone.set(id, { body, until: Date.now() + 1000 });
    const last = gone.get(id);
    const isShown = method === 'GET' && last && Date.now() < last.until;
    return isShown ? { status: 200, body: last.body } : undefined;
  });
  expect(foundIn(report).filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  const { clauses } = report;
  const ofUse = clauses.find(({ id }) => id === 'use-after-delete');
  expect(ofUse?.results.target?.verdict).toBe('kept');
  expect(calls).toBeGreaterThan(300);
});

it('reduces a crash by a character to one request', async () => {
  const report = await fuzz(new Shop(), ({ method, text }) =>
    method === 'POST' && text.includes("'") ? { status: 500, body: { error: 'SQL' } } : undefined,
  );
  const [crash, ...others] = foundIn(report);
  expect(others).toEqual([]);
  expect(crash?.message).toMatch(/^createThing answers 500 to name: /);
  expect(requestsOf(crash as Finding)).toHaveLength(1);
  expect(crash?.verdict).toBe('drift');
  expect(crash?.clause.source).toBe('#/paths/~1things/post');
});

it('tells crashes of one operation apart by what the server says, also in an object', async () => {
  const say = (message: string) => ({
    status: 500,
    body: { error: { code: 'internal', message } },
  });
  const report = await fuzz(new Shop(), ({ method, sent }) => {
    if (method !== 'POST' || !sent) return undefined;
    if (sent.count === null) return say("Cannot read properties of null (reading 'minutes')");
    const isFar = typeof sent.name === 'string' && sent.name.includes('😀');
    return isFar ? say("Cannot read properties of null (reading 'trim')") : undefined;
  });
  const crashes = foundIn(report).filter(({ check }) => check === 'no-crash');
  expect(crashes.map(({ message }) => message.replace(/:.*/s, '')).toSorted()).toEqual([
    'createThing answers 500 to count',
    'createThing answers 500 to name',
  ]);
});

it('holds a check of fuzzing alone where that is named', async () => {
  const report = await fuzz(new Shop(), undefined, { only: ['no-crash'], maxRequests: 400 });
  expect(report.clauses.map(({ id }) => id)).toEqual(['no-crash']);
});

it('reduces a crash of a change to the create and the change', async () => {
  const report = await fuzz(new Shop(), ({ method, sent }) =>
    method === 'PUT' && sent?.count === null ? { status: 500 } : undefined,
  );
  const [crash, ...others] = foundIn(report);
  expect(others).toEqual([]);
  expect(requestsOf(crash as Finding)).toEqual([
    'POST {"name":"#"}',
    'PUT {"name":"#","count":null}',
  ]);
});

it('finds a crash for a name that another item has', async () => {
  const report = await fuzz(new Shop(), (asked, shop) => {
    const reply = asked.method === 'PUT' ? shop.answer(asked) : undefined;
    return reply?.status === 409 ? { status: 500 } : reply;
  });
  const [crash, ...others] = foundIn(report);
  expect(others).toEqual([]);
  expect(requestsOf(crash as Finding).map((one) => one.split(' ')[0])).toEqual([
    'POST',
    'POST',
    'PUT',
  ]);
});

it('finds the input after which plain calls fail', async () => {
  const shop = new Shop();
  const report = await fuzz(shop, ({ method }) => {
    const isPoisoned = shop.left().some(({ name }) => name.includes('😀'));
    return method === 'POST' && isPoisoned ? { status: 500, body: { error: 'sort' } } : undefined;
  });
  const [crash] = foundIn(report).filter(({ check }) => check === 'no-crash');
  expect(crash?.message).toMatch(/^createThing answers 500, to a plain call after \w+ \(name: /);
  const requests = requestsOf(crash as Finding);
  expect(requests.at(-1)).toBe('POST {"name":"#"}');
  expect(requests.some((one) => one.includes('😀'))).toBe(true);
});

it('finds a call that hangs while a plain one is answered', async () => {
  const report = await fuzz(
    new Shop(),
    ({ method, sent }) =>
      method === 'POST' && sent?.count === 100 ? new Promise(() => {}) : undefined,
    { timeout: 300 },
  );
  const [hang, ...others] = foundIn(report);
  expect(others).toEqual([]);
  expect([hang?.check, hang?.verdict]).toEqual(['no-hang', 'unanswered']);
  expect(requestsOf(hang as Finding)).toEqual(['POST {"name":"#","count":100}']);
});

it('finds an invalid body that is taken, and a valid one that is not', async () => {
  const report = await fuzz(new Shop(), (asked, shop) => {
    const { method, sent } = asked;
    if (method !== 'POST' || typeof sent?.name !== 'string') return undefined;
    if (sent.count === 101)
      return shop.answer({ ...asked, text: JSON.stringify({ name: sent.name }) });
    return sent.count === 0 ? { status: 400 } : undefined;
  });
  expect(foundIn(report).map(({ check, verdict }) => [check, verdict])).toEqual([
    ['invalid-input', 'drift'],
    ['valid-input', 'undocumented'],
  ]);
});

it('finds a deleted item that is still shown', async () => {
  const gone = new Map<string, unknown>();
  const report = await fuzz(new Shop(), (asked, shop) => {
    const id = asked.segments[1] ?? '';
    if (asked.method === 'DELETE') gone.set(id, shop.things.get(id));
    const isShown = asked.method === 'GET' && gone.has(id) && asked.headers['x-key'] === 'k-1';
    return isShown ? { status: 200, body: gone.get(id) } : undefined;
  });
  const [found] = foundIn(report);
  expect(found?.check).toBe('use-after-delete');
  const methods = requestsOf(found as Finding).map((one) => one.split(' ')[0]);
  expect(methods).toEqual(['POST', 'DELETE', 'GET']);
});

it('finds a way in without a key', async () => {
  const report = await fuzz(new Shop(), (asked, shop) =>
    asked.method === 'GET' && asked.headers['x-key'] === undefined
      ? shop.answer({ ...asked, headers: { ...asked.headers, 'x-key': 'k-1' } })
      : undefined,
  );
  expect(foundIn(report).map(({ check }) => check)).toContain('key-always-required');
});

it('sends the same inputs for the same seed', async () => {
  const crash: Fault = ({ method, text }) =>
    method === 'POST' && text.includes('é') ? { status: 500 } : undefined;
  const runs = [await fuzz(new Shop(), crash), await fuzz(new Shop(), crash)];
  const [one, other] = runs.map((report) => foundIn(report).map(({ message }) => message));
  expect(one).toEqual(other);
  expect(one).not.toEqual([]);
});

it('leaves the keys the calls that delete what it made', async () => {
  const shop = new Shop();
  let [left, refused] = [400, 0];
  const report = await fuzz(shop, (asked) => {
    if (asked.headers['x-key'] !== 'k-1') return undefined;
    if (--left < 0) refused += 1;
    const limits = {
      'X-RateLimit-Limit': '400',
      'X-RateLimit-Remaining': String(Math.max(0, left)),
    };
    const { headers, ...answer } = left < 0 ? { status: 429 } : shop.answer(asked);
    return { ...answer, headers: { ...headers, ...limits, 'X-RateLimit-Reset': '3600' } };
  });
  expect(shop.left()).toEqual([]);
  expect([left > 0, refused]).toEqual([true, 0]);
  expect(report.incomplete.join()).toContain('the quota of the keys is short');
});

it('only reads without permission to create', async () => {
  const methods = new Set<string>();
  const shop = new Shop();
  const report = await fuzz(shop, ({ method }) => void methods.add(method), { allowWrites: false });
  expect([...methods].filter((one) => !['GET', 'HEAD', 'TRACE', 'QUERY'].includes(one))).toEqual(
    [],
  );
  expect(foundIn(report)).toEqual([]);
});

it('deletes what it makes below items where that is at another path, and says what it called', async () => {
  const notFound: Reply = { status: 404, body: {} };
  const [shops, things] = [new Map<string, object>(), new Map<string, object>()];
  let last = 0;
  const url = await startServer(({ method, segments, sent }) => {
    const [root, id = '', word] = segments;
    const all = root === 'shops' ? shops : things;
    if (word === 'things' && !shops.has(id)) return notFound;
    if (method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400, body: {} };
      const made = { id: `t-${++last}`, name: sent.name };
      (word === 'things' ? things : shops).set(made.id, made);
      return { status: 201, body: made };
    }
    if (word === 'things') return { status: 200, body: [...things.values()] };
    if (id === '') return { status: 200, body: [...all.values()] };
    if (!all.has(id)) return notFound;
    if (method !== 'DELETE') return { status: 200, body: all.get(id) };
    all.delete(id);
    return { status: 204 };
  });
  const settings = { fuzz: true, fuzzTime: 300_000, maxRequests: 900, target: { url, keys: [] } };
  const report = await verifyWrites(
    url,
    documentOf(
      `GET /shops -> [Shop]
      POST /shops Shop -> 201 Shop, 400
      GET /shops/{shop:text} -> Shop, 404
      DELETE /shops/{shop:text} -> 204, 404
      GET /shops/{shop:text}/things -> [Thing], 404
      POST /shops/{shop:text}/things Thing -> 201 Thing, 400, 404
      GET /things/{thing:text} -> Thing, 404
      DELETE /things/{thing:text} -> 204, 404`,
      { Shop: '{id: text, name!}', Thing: '{id: text, name!}' },
    ),
    settings,
  );
  expect([...things.keys()]).toEqual([]);
  expect(report.residue).toEqual([]);
  const called = report.operations.filter(({ results }) => results.target?.calls);
  const reached = called.filter(({ results }) => results.target?.successes).map(({ id }) => id);
  const { notCalled, refused = [] } = report;
  expect(notCalled.filter((one) => called.some(({ id }) => id === one.operation))).toEqual([]);
  expect(refused.filter((one) => reached.includes(one.operation))).toEqual([]);
  expect(reached).toHaveLength(8);
});

it('makes no more than some items of which nothing deletes any', async () => {
  let made = 0;
  const url = await startServer(({ method, sent, segments }) => {
    if (method === 'GET') return { status: segments.length > 1 ? 404 : 200, body: [] };
    if (typeof sent?.name !== 'string') return { status: 400, body: {} };
    made += 1;
    return { status: 201, body: { id: made, name: sent.name } };
  });
  const undeletable = documentOf(`
    GET /notes -> [Note]
    POST /notes Note! -> 201 Note, 400
    Note: { readonly id!: int, name!, count: int, tags: [text] }
  `);
  await verifyWrites(url, undeletable, { fuzz: true, fuzzTime: 10_000, maxRequests: 600 });
  expect(made).toBeGreaterThan(20);
  expect(made).toBeLessThan(100);
});
