import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { pathParameter } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const text = { type: 'string' };

/** Describes memos at a path whose parameter `name` has these fields. */
function toSpec(path: string, parameter: object, name: object = {}) {
  const document = documentOf(
    `
    GET /api/memos -> [Memo]
    POST /api/memos Memo! -> 201 Memo, 400
    GET ${path} -> Memo, 404
    PATCH ${path} Memo! -> Memo, 404
    DELETE ${path} -> 204, 404
    GET /api/users/{user:text} -> Memo, 404
    DELETE /api/users/{user:text} -> 204, 404
    `,
    {
      Memo: {
        type: 'object',
        required: ['content'],
        properties: { name: { ...text, readOnly: true, ...name }, content: text },
      },
      Name: { type: 'string', pattern: 'memos\\/[^\\/]+' },
    },
  );
  const parameters = [{ ...pathParameter('name', text), ...parameter }];
  return Object.assign(document, {
    paths: { ...document.paths, [path]: { ...document.paths[path], parameters } },
  });
}

const below = '/api/memos/{name}';
const patternOf = (pattern: string) => ({ schema: { ...text, pattern } });
const shapes: [string, string, string, object][] = [
  ['whose pattern has the collection', 'memos/', '/api/{name}', patternOf('^memos/[^/]+$')],
  [
    'whose shared pattern has it',
    ...(['memos/', '/api/{name}'] as const),
    { schema: { $ref: '#/components/schemas/Name' } },
  ],
  ['below the collection', 'memos/', below, { example: 'memos/abc' }],
  ['whose items all show it', 'memos/', below, {}],
  ['whose description says so', 'memos/', below, { description: 'Format: memos/{memo}' }],
  ['whose description shows one', 'memos/', below, { description: 'Such as `memos/123`.' }],
  ['whose template has a pattern', 'memos/', '/api/{name=memos/*}', {}],
  ['that keeps reserved characters', 'a box/', below, { allowReserved: true }],
  ['of two segments', 'a box/', below, patternOf('^[^/]+/[^/]+$')],
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
    const report = await verifyWrites(url, toSpec(path, one));
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
  const described = { description: 'Format: memos/{memo}, a name.' };
  const report = await verifyWrites(url, toSpec(below, {}, described));
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([...items.keys()]).toEqual(['/api/memos/ours', '/api/users/1']);
});

it.each(shapes)('changes nothing of others by a parameter %s', async (_, __, path, one) => {
  for (const name of foreign) {
    const { url, items, asked } = await start(() => name);
    await verifyWrites(url, toSpec(path, one));
    const changing = [...asked].filter((call) => !/^(GET|HEAD) |^POST \/api\/memos$/.test(call));
    expect(changing).toEqual([]);
    expect([...items.keys()].slice(0, 2)).toEqual(['/api/memos/ours', '/api/users/1']);
  }
});

it('reports a call as it was sent', async () => {
  const { url } = await start((id) => `memos/${id}`, 'elsewhere/');
  const { findings } = await verifyWrites(url, toSpec(below, { example: 'memos/abc' }));
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
  ['with a read', true, true, {}],
  ['without a read', true, false, {}],
  ['at paths that are others', false, false, {}],
  ['at paths that the document means so', false, false, { example: 'items/1' }],
])(
  'deletes no item of others where ids have slashes: %s',
  async (_, isEncoded, hasRead, example) => {
    const { url, items } = await startItems(isEncoded);
    const spec = documentOf(`
      GET /items -> [Item]
      POST /items Item! -> 201 Item, 400
      ${hasRead ? 'GET /items/{id:text} -> Item, 404' : ''}
      DELETE /items/{id:text} -> 204, 404
      Item: { readonly id, content! }
    `);
    for (const one of spec.paths['/items/{id}']?.parameters ?? []) Object.assign(one, example);
    const { findings } = await verifyWrites(url, spec);
    expect([...items.keys()].filter((id) => !id.includes('/'))).toEqual(['1', '2', '3']);
    if (isEncoded) expect([items.size, findings]).toEqual([3, []]);
  },
);

it('gives its items ids in the query that creates need, and finds them behind their collection', async () => {
  const topics = new Map([['news', { name: 'topics/news', title: 'News' }]]);
  const url = await startServer(({ method, segments: [, id = ''], query, sent }) => {
    if (id === '' && method !== 'POST') return { status: 200, body: [...topics.values()] };
    const given = query.get('topicId') ?? '';
    if (id === '') {
      if (!/^[a-z][a-z0-9-]+$/.test(given) || typeof sent?.title !== 'string')
        return { status: 400 };
      if (topics.has(given)) return { status: 409 };
      topics.set(given, { name: `topics/${given}`, title: sent.title });
      return { status: 200, body: topics.get(given) };
    }
    if (!topics.has(id)) return { status: 404 };
    if (method !== 'DELETE') return { status: 200, body: topics.get(id) };
    topics.delete(id);
    return { status: 200, body: {} };
  });
  const spec = documentOf(
    `
    GET /topics -> [Topic]
    create: POST /topics Topic! -> Topic, 400, 409
    GET /topics/{topic:text} -> Topic, 404
    DELETE /topics/{topic:text} -> object, 404
    Topic: { readonly name, title! }
    `,
    {},
    {
      operations: {
        'POST /topics': {
          parameters: [
            {
              ...{ name: 'topicId', in: 'query', required: true },
              schema: { ...text, pattern: '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$' },
            },
          ],
        },
      },
    },
  );
  const report = await verifyWrites(url, spec);
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect(report.operations.filter(({ results }) => !results.target?.successes)).toEqual([]);
  expect([[...topics.keys()], report.residue]).toEqual([['news'], []]);
});
