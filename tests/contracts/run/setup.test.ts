import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { type Reply, startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const lines = `GET /shops -> [Shop]
  POST /shops Shop! -> 201 Shop, 400
  GET /shops/{shop:text} -> Shop, 404
  DELETE /shops/{shop:text} -> 204, 404
  GET /shops/{shop:text}/plan -> object, 404
  POST /shops/{shop:text}/open -> object, 409
  POST /shops/{shop:text}/closings -> object
  POST /unlisted {note: text} -> {token: text}`;

/** Starts shops of which only those with a plan open, and gives its URL, its shops and what changed them. */
async function startShops() {
  const shops = new Map([['anna', { id: 'anna', plan: 'free' }]]);
  const changes: string[] = [];
  const notFound: Reply = { status: 404, body: {} };
  const url = await startServer(({ method, path, segments: [root, id = '', word], sent = {} }) => {
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead) changes.push(`${method} ${path}`);
    if (path === '/unlisted') return { status: 200, body: { token: 't1' } };
    if (path === '/shops' && isRead) return { status: 200, body: [...shops.values()] };
    if (path === '/shops') {
      if (typeof sent.id !== 'string' || shops.has(sent.id)) return { status: 400, body: {} };
      const made = { id: sent.id, plan: String(sent.plan ?? '') };
      shops.set(made.id, made);
      return { status: 201, body: made };
    }
    const shop = root === 'shops' ? shops.get(decodeURIComponent(id)) : undefined;
    if (!shop) return notFound;
    if (word === 'open' && shop.plan !== 'pro') return { status: 409, body: {} };
    if (word === 'plan' && shop.plan !== 'pro') return notFound;
    if (word === undefined && method === 'DELETE') shops.delete(shop.id);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: word ? {} : shop };
  });
  return { url, shops, changes };
}

async function specAndSetup(setup: string) {
  const spec = await writeJson(documentOf(lines, { Shop: '{id!, plan}' }));
  return { spec, setup: await writeJson(load(setup)) };
}

it('makes the calls of a setup, gives their values to others, and undoes them', async () => {
  const { url, shops, changes } = await startShops();
  const { spec, setup } = await specAndSetup(`
- call: POST /shops
  body: { id: 'shop-{run}', plan: pro }
  values: { shop: id }
- call: POST /shops/{shop}/closings
- call: POST /unlisted
  body: { note: 'of {shop}' }
  undo: POST /shops/{shop}/open
`);
  const report = await verifyWrites(url, spec, { setup });
  expect(report.refused).toEqual([]);
  expect([...shops.keys()]).toEqual(['anna']);
  expect(changes.filter((one) => one.includes('/anna'))).toEqual([]);
  const [first = '', second, third] = changes;
  expect([first, second, third]).toEqual([
    'POST /shops',
    expect.stringMatching(/^POST \/shops\/shop-[0-9a-f]{6}\/closings$/),
    'POST /unlisted',
  ]);
  const made = second?.replace('POST', 'DELETE').replace('/closings', '');
  expect(changes.filter((one) => one === made)).toEqual([made]);
  expect(report.operations.every(({ results }) => results.target?.successes)).toBe(true);
});

it('deletes nothing that a call of a setup may have found there', async () => {
  const shops = new Map([['anna', { id: 'anna', plan: 'free' }]]);
  const closed: string[] = [];
  const url = await startServer(({ method, segments: [, name = '', word], sent }) => {
    const id = decodeURIComponent(name) || String(sent?.id);
    if (word !== undefined) closed.push(id);
    // By default, the list has only open shops.
    if (method === 'GET' && name === '') return { status: 200, body: [] };
    if (method === 'POST' && !shops.has(id)) shops.set(id, { id, plan: 'pro' });
    const body = shops.get(id);
    if (method === 'DELETE') shops.delete(id);
    return body ? { status: 200, body } : { status: 404, body: {} };
  });
  const { setup } = await specAndSetup(`
- call: POST /shops
  body: { id: anna }
  values: { shop: id }
`);
  const plain = `GET /shops -> [Shop]
    POST /shops Shop! -> Shop, 400
    GET /shops/{shop:text} -> Shop, 404
    DELETE /shops/{shop:text} -> 204, 404
    POST /shops/{shop:text}/closings -> object`;
  const report = await verifyWrites(url, documentOf(plain, { Shop: '{id!, plan}' }), { setup });
  expect([shops.has('anna'), closed.filter((id) => id === 'anna')]).toEqual([true, []]);
  const left = [...report.residue, ...(report.leftAlone ?? [])];
  expect(left.map(({ id }) => id)).toContain('anna');
});

it('changes nothing by the undo of a setup but once, at the end', async () => {
  const changes: string[] = [];
  const url = await startServer(({ method, path }) => {
    if (method === 'PUT' || method === 'POST') changes.push(`${method} ${path}`);
    return { status: 200, body: {} };
  });
  const spec = documentOf(`GET /settings -> object
    PUT /settings { theme } -> object
    POST /settings/reset -> object`);
  const text = '- call: PUT /settings\n  body: { theme: dark }\n  undo: POST /settings/reset';
  await verifyWrites(url, spec, { setup: await writeJson(load(text)) });
  expect(changes).toEqual(['PUT /settings', 'POST /settings/reset']);
});

it.each([
  [
    '- call: POST /shop',
    'call 1: the document has no POST /shop. Give the path below the base URL',
  ],
  ['- call: /shops', 'call 1: "call" must be a method and a path, such as POST /pets'],
  [
    '- call: GET /shops/{shop}',
    'call 1: no call before gives a value for {shop}. Name it in "values" of one',
  ],
  [
    '- { call: GET /shops, takes: { a: b } }',
    'call 1: there is no "takes". A call has "call", "body", "values" and "undo"',
  ],
  [
    '- { call: GET /shops, values: { a: 1 } }',
    'call 1: "a" in "values" must name a member of the answer, such as owner.login',
  ],
])('refuses a setup with %s', async (text, why) => {
  const { url, changes } = await startShops();
  const { spec, setup } = await specAndSetup(text);
  await expect(verifyWrites(url, spec, { setup })).rejects.toThrow(why);
  expect(changes).toEqual([]);
});

it('makes no call that changes something without permission', async () => {
  const { url, changes } = await startShops();
  const { spec, setup } = await specAndSetup('- call: POST /shops');
  const run = verifyWrites(url, spec, { setup, allowWrites: false });
  await expect(run).rejects.toThrow('setup changes something (POST /shops)');
  expect(changes).toEqual([]);
});

it.each([
  [
    '- call: POST /shops\n  body: { id: anna }\n  undo: DELETE /shops/anna',
    'Call 1 of setup (POST /shops) answered 400',
  ],
  [
    '- call: POST /shops\n  body: { id: shop-1 }\n  values: { owner: owner.login }',
    'Call 1 of setup (POST /shops): its answer has no plain value at owner.login',
  ],
])('ends where a call of the setup fails, and undoes those before: %s', async (text, why) => {
  const { url, shops } = await startShops();
  const first = '- call: POST /shops\n  body: { id: "first-{run}" }\n';
  const { spec, setup } = await specAndSetup(first + text);
  await expect(verifyWrites(url, spec, { setup })).rejects.toThrow(why.replace('Call 1', 'Call 2'));
  expect(shops.has('anna')).toBe(true);
  expect([...shops.keys()].filter((one) => one.startsWith('first'))).toEqual([]);
});
