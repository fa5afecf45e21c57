import { expect, it } from 'vitest';
import type { VersionView } from '../../../mock/extras/admin/twin-handlers.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { serveMock } from '../../support/run-mock.ts';
import { jsonOf, serveDocument, serveEmpty, toDocument } from '../../support/serve-document.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const get = (operationId: string, response: object, more: object = {}) => ({
  get: { operationId, responses: { 200: response }, ...more },
});

const runMock = useRepeatedRuns('mock');

/** How the mock refuses a document, without its file's name. */
async function refusalOf(document: object): Promise<string> {
  const spec = await writeJson(document);
  const { code, stdout, stderr } = await runMock(['--port', '0', '--spec', spec]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^petstore-twin: [^\n]+\n$/);
  expect(stderr).not.toMatch(/\.ts:\d|\bat .*\(/);
  return stderr.slice('petstore-twin: '.length, -1).replaceAll(spec, 'FILE');
}

it('serves a collection whose path has two segments, below a base path of three', async () => {
  const variables = { c: { default: 'd' } };
  const { send, api, origin } = await serveDocument(
    documentOf(
      `
      GET /shop/books -> [Book]
      POST /shop/books Book -> 201 Book
      GET /shop/books/{id} -> Book
      `,
      { Book: '{ id: int, title! }' },
      { servers: [{ url: 'https://x.invalid/a/b/{c}', variables }] },
    ),
  );
  expect(api).toBe(`${origin}/a/b/d`);
  expect((await send('GET', '/shop/books')).json).toMatchObject([{ id: 1 }, { id: 2 }]);
  const json = { id: 3, title: 'T' };
  expect(await send('POST', '/shop/books', { title: 'T' })).toEqual({ status: 201, json });
  expect(await send('GET', '/shop/books/3')).toEqual({ status: 200, json });
});

it('serves parcels without a key, and answers what is nowhere with 404 and 405', async () => {
  const { call } = await serveDocument(projectFile('tests/support/parcels.yaml'));
  expectAnswer(await call('/depot/parcels'), 200);
  expectAnswer(await call('/depot/parcels/00000000-0000-4000-8000-000000000002'), 200);
  expectAnswer(await call('/depot'), 404);
  expectAnswer(await call('/depot/parcels', { method: 'PUT' }), 405);
});

it('stores items under the ids that callers have to give', async () => {
  const thing = '{ id!, size: int }';
  const { send } = await serveEmpty(
    documentOf(`GET /things -> [${thing}]\naddThing: POST /things ${thing} -> 201 ${thing}`),
  );
  expectAnswer(await send('POST', '/things', { id: 'x-9', size: 1 }), 201);
  expectAnswer(await send('POST', '/things', { id: 'x-9', size: 2 }), 409);
  expectAnswer(await send('GET', '/things'), 200, [{ id: 'x-9', size: 1 }]);
});

it('answers text as the text that the document shows, and 501 where it describes no response', async () => {
  const { call } = await serveDocument(
    toDocument({
      '/csv': get('csv', { description: 'A table.', content: { 'text/csv': { example: 'a,b' } } }),
      '/none': { get: { operationId: 'none' } },
      '/empty': get('empty', { description: 'Nothing.' }),
    }),
  );
  expect(await call('/csv')).toMatchObject({ status: 200, type: 'text/csv', text: 'a,b' });
  expect(await call('/empty')).toMatchObject({ status: 200, type: null, text: '' });
  expectAnswer(await call('/none'), 501, { code: 'no_response_described' });
});

it('makes no more than it can hold, whatever a schema asks for', async () => {
  const item = schemaOf('{ id: int, text!: text(minLength=1e+99), list!: [1](minItems=1e+99) }');
  const { call, lines } = await serveDocument(
    toDocument({ '/things': get('listThings', jsonOf({ type: 'array', items: item })) }),
  );
  expect((await call('/things')).status).toBe(200);
  expect(lines.join('\n')).toContain('The items generated for things do not match their schema');
});

it('serves below a base path in which Express would read a pattern', async () => {
  const { call } = await serveDocument(
    toDocument({ '/a': get('a', jsonOf({ const: 1 })) }, { servers: [{ url: '/v(1)/*' }] }),
  );
  expect(await call('/a')).toMatchObject({ status: 200, text: '1' });
  expect((await call('/nowhere')).status).toBe(404);
});

it('warns where it could make no item that fits', async () => {
  const name = { type: 'string', pattern: '^(?!x)x[a-z]+$' };
  const paths = {
    '/things': get(
      'listThings',
      jsonOf({ type: 'array', items: object({ id: { type: 'integer' }, name }, ['name']) }),
    ),
  };
  const { call, lines } = await serveDocument(toDocument(paths));
  await call('/things');
  await call('/things');
  const told = lines.filter((line) => line.includes('The items generated for things do not match'));
  expect(told).toHaveLength(1);
});

const ok = { description: 'Fine.' };

it.each([
  [
    'a plan without figures',
    toDocument(
      { '/a': get('a', ok) },
      { 'x-rate-limits': { plans: { gold: { perMinute: 'lots' } } } },
    ),
    'x-rate-limits.plans.gold must be',
  ],
  [
    'a path of the admin',
    toDocument({ '/__admin/version': get('a', ok) }),
    'describes /__admin/version, which the mock answers itself',
  ],
])('refuses %s in one sentence', async (_, document, reason) => {
  expect(await refusalOf(document)).toContain(reason);
});

const unusable = toDocument(
  {
    '/a': {
      post: {
        requestBody: jsonOf(object({ 'a/b': { type: 'array', items: { type: 'strng' } } })),
        responses: { 201: { description: 'Fine.' } },
      },
      ...get('b', jsonOf({ allOf: [{ required: 7 }] }), {
        parameters: [{ name: 'q', in: 'query', schema: { pattern: '[' } }],
      }),
    },
  },
  { security: [{ nope: [] }] },
);
const inBody = '#/paths/~1a/post/requestBody/content/application~1json/schema';

it('serves a document without what cannot be used of it, and says what that is', async () => {
  const { call, origin, lines } = await serveDocument(unusable);
  expect((await call('/a?q=x')).status).toBe(200);
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  expect((await call('/a', { ...sent, body: '{"a/b":["any"]}' })).status).toBe(201);
  expect((await call('/a', { ...sent, body: '{"a/b":"any"}' })).status).toBe(400);
  expect(lines.filter((line) => line.includes('cannot be used'))).toEqual([
    expect.stringMatching(
      /has 4 parts that cannot be used as written\. GET \/__admin\/version lists them; --strict-spec refuses such a document\. #\/security\/0: components\.securitySchemes does not define "nope"; it is left out\./,
    ),
  ]);
  const version = await fetch(`${origin}/__admin/version`);
  const { document } = (await version.json()) as VersionView;
  expect(document.openapi).toBe('3.1.0');
  expect(document.warnings).toContainEqual({
    pointer: `${inBody}/properties/a~1b/items/type`,
    problem: expect.stringContaining('is none of string, number'),
  });
});

it('begins with no items where none can be made, and says so', async () => {
  const n = { type: 'number', minimum: 1e99, exclusiveMaximum: 5 };
  const item = object({ id: { type: 'integer' }, n }, ['n']);
  const { call, lines } = await serveDocument(
    toDocument({ '/a': get('a', jsonOf({ type: 'array', items: item })) }),
  );
  expect(await call('/a')).toMatchObject({ status: 200, text: '[]' });
  expect(lines.join('\n')).toContain('No items can be made for a by its schema');
});

it('serves a concrete path before a template that stands before it', async () => {
  const { call } = await serveDocument(`
    GET /pets/{id:text} -> "any"
    GET /{kind:text}/mine -> "mine"
    GET /pets/top -> "top"
  `);
  const texts = ['/pets/top', '/pets/7', '/dogs/mine', '/pets/mine'].map(
    async (path) => (await call(path)).text,
  );
  expect(await Promise.all(texts)).toEqual(['"top"', '"any"', '"mine"', '"any"']);
});

it('answers 501 where only statuses that end no request are described', async () => {
  const { call } = await serveDocument(toDocument({ '/a': { get: { responses: { 100: ok } } } }));
  expect((await call('/a')).status).toBe(501);
});

it('answers the same where the success is asked for by its code, examples and defaults of the schema first', async () => {
  const state = object({ state: { type: 'string', default: 'open' }, level: { examples: [3] } });
  const { call } = await serveDocument(toDocument({ '/state': get('getState', jsonOf(state)) }));
  const text = '{"state":"open","level":3}';
  expect(await call('/state')).toMatchObject({ status: 200, text });
  expect(await call('/state', { headers: { Prefer: 'code=200' } })).toMatchObject({ text });
  const made = await call('/state', { headers: { Prefer: 'code=200, dynamic=true' } });
  expect([made.status, made.text === text]).toEqual([200, false]);
});

it('says where content that is not JSON and has no example comes from', async () => {
  const spec = await writeJson(
    toDocument({
      '/text': get('getText', {
        description: 'Fine.',
        content: { 'text/plain': { schema: { type: 'string', default: 'open' } } },
      }),
      '/page': get('getPage', { description: 'Fine.', content: { 'text/html': {} } }),
      '/none': get('getNone', { description: 'Fine.' }),
    }),
  );
  const { stdout } = await serveMock(['--spec', spec]);
  expect(stdout.replace(/\s+/g, ' ')).toContain('getNone (no content)');
  const api = /http:\S+/.exec(stdout)?.[0] ?? '';
  const version = (await (
    await fetch(`${new URL(api).origin}/__admin/version`)
  ).json()) as VersionView;
  expect(version.document.answers).toEqual({
    getText: 'schema',
    getPage: 'schema',
    getNone: 'no content',
  });
  const answer = await fetch(`${api.replace(/\/$/, '')}/text`);
  expect(answer.headers.get('Content-Type')).toBe('text/plain');
  expect(await answer.text()).toBe('open');
});

it('stores items of operations whose success is a range of statuses', async () => {
  const { send } = await serveDocument(`
    GET /items -> 2XX [{ id: int, name }]
    POST /items { id: int, name } -> 2XX { id: int, name }
    GET /items/{id} -> 2XX { id: int, name }
  `);
  const made = { status: 200, json: { id: 3, name: 'a' } };
  expect(await send('POST', '/items', { name: 'a' })).toEqual(made);
  expect(await send('GET', '/items/3')).toEqual(made);
  expect((await send('GET', '/items')).json).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
});
