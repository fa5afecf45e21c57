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
  ['below the collection', 'memos/', '/api/memos/{name}', pathParameter('name', text)],
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
    ['/api/memos/ours', { name: 'memos/ours', content: 'Ours' }],
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
    await toSpec('/api/memos/{name}', pathParameter('name', text)),
  );
  const [found] = findings.filter(({ verdict }) => verdict === 'drift');
  expect(found?.curl).toMatch(/api\/memos\/m\d+'$/);
});
