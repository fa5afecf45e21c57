import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const memo = {
  type: 'object',
  required: ['content'],
  properties: { name: { type: 'string', readOnly: true }, content: { type: 'string' } },
};
const shown = { 200: jsonOf(memo), 404: { description: 'None.' } };
const body = { requestBody: { required: true, ...jsonOf(memo) } };
const onItem = {
  get: { responses: shown },
  patch: { ...body, responses: shown },
  delete: { responses: { 204: { description: 'Gone.' }, 404: { description: 'None.' } } },
};
const users = {
  '/api/users/{user}': {
    parameters: [pathParameter('user', { type: 'string' })],
    get: onItem.get,
    delete: onItem.delete,
  },
};

const toSpec = (itemPath: string, parameter: object) =>
  writeJson(
    toDocument(
      {
        '/api/memos': {
          get: { responses: { 200: jsonOf({ type: 'array', items: memo }) } },
          post: { ...body, responses: { 201: jsonOf(memo), 400: { description: 'Wrong.' } } },
        },
        [itemPath]: { parameters: [parameter], ...onItem },
        ...users,
      },
      { components: { schemas: { Name: { type: 'string', pattern: 'memos\\/[^\\/]+' } } } },
    ),
  );

const text = { type: 'string' };
const shapes: [string, string, string, object][] = [
  [
    'whose pattern has the collection',
    'memos/',
    '/api/{name}',
    pathParameter('name', { ...text, pattern: '^memos/[^/]+$' }),
  ],
  [
    'whose shared pattern has it',
    'memos/',
    '/api/{name}',
    pathParameter('name', { $ref: '#/components/schemas/Name' }),
  ],
  [
    'below the collection',
    'memos/',
    '/api/memos/{name}',
    { ...pathParameter('name', text), example: 'memos/abc' },
  ],
  [
    'whose description says so',
    'memos/',
    '/api/memos/{name}',
    { ...pathParameter('name', text), description: 'Format: memos/{memo}' },
  ],
  ['whose template has a pattern', 'memos/', '/api/{name=memos/*}', pathParameter('name', text)],
  [
    'that keeps reserved characters',
    'a box/',
    '/api/memos/{name}',
    { ...pathParameter('name', text), allowReserved: true },
  ],
  [
    'of two segments',
    'a box/',
    '/api/memos/{name}',
    pathParameter('name', { ...text, pattern: '^[^/]+/[^/]+$' }),
  ],
];

/** Starts a deployment whose memos are called by `toName`, and gives what of others was changed. */
async function start(toName: (id: string) => string, box = '') {
  const items = new Map<string, { name: string; content: string }>([
    ['/api/memos/ours', { name: `${box ? '' : 'memos/'}ours`, content: 'Ours' }],
    ['/api/users/1', { name: 'users/1', content: 'A user' }],
  ]);
  const harmed: string[] = [];
  const asked = new Set<string>();
  let next = 1;
  const url = await startServer(({ method, path, sent }) => {
    asked.add(`${method} ${path}`);
    if (path === '/api/memos' && method === 'POST') {
      if (typeof sent?.content !== 'string') return { status: 400 };
      const id = `m${next++}`;
      const made = { name: toName(id), content: sent.content };
      items.set(`/api/memos/${box}${id}`, made);
      return { status: 201, body: made };
    }
    if (path === '/api/memos') {
      const listed = [...items].filter(([at]) => at.startsWith('/api/memos/'));
      return { status: 200, body: listed.map(([, one]) => one) };
    }
    const found = items.get(path);
    if (!found) return { status: 404 };
    if (method === 'GET') return { status: 200, body: found };
    if (!/\/m\d+$/.test(path)) harmed.push(`${method} ${path}`);
    if (method === 'DELETE') {
      items.delete(path);
      return { status: 204 };
    }
    Object.assign(found, sent);
    return { status: 200, body: found };
  });
  return { url, harmed, items, asked };
}

it.each(shapes)(
  'reads, changes and deletes its own by a parameter %s',
  async (_, box, path, one) => {
    const above = encodeURI(box).replace('memos/', '');
    const { url, harmed, items, asked } = await start((id) => box + id, above);
    const report = await verifyWrites(url, await toSpec(path, one));
    expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
    expect([report.leftAlone ?? [], report.residue, harmed]).toEqual([[], [], []]);
    expect([...items.keys()]).toEqual(['/api/memos/ours', '/api/users/1']);
    const calls = [...asked].filter((call) => call.includes(`/api/memos/${above}m`));
    const methods = new Set(calls.map((call) => call.split(' ')[0]));
    expect([...methods]).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PATCH']));
  },
);

const foreign = ['memos/../users/1', 'users/1', 'memos/ours', 'memos//ours'];

it('reads and deletes its own by the form that the id of its items describes', async () => {
  const { url, items } = await start((id) => `memos/${id}`);
  const described = { ...memo.properties.name, description: 'Format: memos/{memo}, a name.' };
  const spec = await toSpec('/api/memos/{name}', pathParameter('name', text));
  const whole = await readFile(spec, 'utf8');
  const plain = JSON.stringify(memo.properties.name);
  const report = await verifyWrites(
    url,
    await writeJson(JSON.parse(whole.replaceAll(plain, JSON.stringify(described)))),
  );
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([...items.keys()]).toEqual(['/api/memos/ours', '/api/users/1']);
});

it.each(shapes)('changes nothing of others by a parameter %s', async (_, __, path, one) => {
  for (const name of foreign) {
    const { url, items, asked } = await start(() => name);
    await verifyWrites(url, await toSpec(path, one));
    const changing = [...asked].filter((call) => !/^(GET|HEAD) |^POST \/api\/memos$/.test(call));
    expect(changing).toEqual([]);
    expect([...items.keys()].slice(0, 2)).toEqual(['/api/memos/ours', '/api/users/1']);
  }
});

it('reports a call as it was sent', async () => {
  const { url } = await start((id) => `memos/${id}`, 'elsewhere/');
  const { findings } = await verifyWrites(
    url,
    await toSpec('/api/memos/{name}', { ...pathParameter('name', text), example: 'memos/abc' }),
  );
  const [found] = findings.filter(({ verdict }) => verdict === 'drift');
  expect(found?.curl).toMatch(/api\/memos\/m\d+'$/);
});

/** Starts a deployment with the items 1 to 3 of others, whose new items are called `items/N`. */
async function startItems(isEncoded: boolean) {
  const items = new Map(['1', '2', '3'].map((id) => [id, { id, content: `Ours ${id}` }]));
  let next = 1;
  const url = await startServer(({ method, path, sent }) => {
    if (path === '/items' && method !== 'POST') return { status: 200, body: [...items.values()] };
    if (path === '/items' && typeof sent?.content !== 'string') return { status: 400 };
    if (path === '/items') {
      const made = { id: `items/${next++}`, content: String(sent?.content) };
      items.set(made.id, made);
      return { status: 201, body: made };
    }
    const asked = path.slice('/items/'.length);
    const id = isEncoded ? decodeURIComponent(asked) : asked;
    const found = items.get(id);
    if (!found) return { status: 404 };
    if (method === 'DELETE') items.delete(id);
    return method === 'GET' ? { status: 200, body: found } : { status: 204 };
  });
  return { url, items };
}

it.each([
  ['with a read', true, true, undefined],
  ['without a read', true, false, undefined],
  ['at paths that are others', false, false, undefined],
  ['at paths that the document means so', false, false, 'items/1'],
])(
  'deletes no item of others where ids have slashes: %s',
  async (_, isEncoded, hasRead, example) => {
    const { url, items } = await startItems(isEncoded);
    const item = {
      type: 'object',
      required: ['content'],
      properties: { id: { type: 'string', readOnly: true }, content: text },
    };
    const found = { 200: jsonOf(item), 404: { description: 'None.' } };
    const spec = toDocument({
      '/items': {
        get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
        post: {
          requestBody: { required: true, ...jsonOf(item) },
          responses: { 201: jsonOf(item), 400: { description: 'Wrong.' } },
        },
      },
      '/items/{id}': {
        parameters: [{ ...pathParameter('id', text), ...(example && { example }) }],
        ...(hasRead && { get: { responses: found } }),
        delete: { responses: { 204: { description: 'Gone.' }, 404: { description: 'None.' } } },
      },
    });
    const { findings } = await verifyWrites(url, spec);
    expect([...items.keys()].filter((id) => !id.includes('/'))).toEqual(['1', '2', '3']);
    if (isEncoded) expect([items.size, findings]).toEqual([3, []]);
  },
);
