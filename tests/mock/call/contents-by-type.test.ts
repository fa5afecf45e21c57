import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const only = (name: string) => object({ [name]: { const: 1 } });
const of = (content: object) => ({ description: 'Fine.', content });

/** A strict mock of a GET, as others answer with what an Accept does not allow. */
async function serveContents(content: object) {
  const operations = { 'GET /a': { responses: { 200: of(content) } } };
  const { call } = await serveDocument(documentOf('GET /a -> 200', {}, { operations }), {
    strictRequests: true,
  });
  return async (Accept: string, more: Record<string, string> = {}) => {
    const { status, type, text } = await call('/a', { headers: { Accept, ...more } });
    return status === 200 ? [type, text] : status;
  };
}

const shown = {
  'application/json': { example: { a: 1 } },
  'application/xml': { example: '<a>1</a>' },
  'text/html': { example: '<p>1</p>' },
  'text/csv': { example: 'a\n1\n' },
};

it('answers with the example of the content that is accepted best', async () => {
  const get = await serveContents(shown);
  const [json, xml, html, csv] = Object.entries(shown).map(([type, { example }]) => [
    type,
    typeof example === 'string' ? example : JSON.stringify(example),
  ]);
  for (const [accept, expected] of [
    ['application/xml', xml],
    ['application/json;q=0.2, text/csv;q=0.8', csv],
    ['*/*;q=0.1, text/html', html],
    ['text/*', html],
    ['application/*', json],
    ['application/json;q=0, */*', xml],
    ['text/csv; charset=utf-8', csv],
    ['', json],
    ['image/png', 406],
    ['application/json;q=0', 406],
    ['garbage', 406],
  ] as const)
    expect({ accept, answer: await get(accept) }).toEqual({ accept, answer: expected });
});

it.each([
  [
    'texts beside texts',
    { 'text/csv': { example: 'a' }, 'text/html': { example: '<p/>' } },
    { 'text/html': '<p/>', '*/*': 'a', 'application/json': 406 },
  ],
  [
    'a text by its schema beside JSON',
    {
      'text/csv': { schema: { ...text, example: 'a,b' } },
      'application/json': { schema: only('a') },
      'text/json': { schema: only('a') },
    },
    { 'text/csv': 'a,b', 'text/json': '{"a":1}', '*/*': '{"a":1}' },
  ],
  ['a number as a text', { 'text/plain': { schema: { ...integer, enum: [7] } } }, { '*/*': '7' }],
  [
    'parameters of a media type',
    {
      'application/json; version=1': { schema: only('one') },
      'application/json; version=2': { schema: only('two') },
    },
    { 'application/json; version="2"': '{"two":1}', '*/*': '{"one":1}' },
  ],
  [
    'types of vendors',
    {
      'application/vnd.api.v1+json': { schema: only('v1') },
      'application/vnd.api.v2+json': { schema: only('v2') },
    },
    { 'application/vnd.api.v2+json': '{"v2":1}', 'application/*': '{"v1":1}' },
  ],
  ['any type', { '*/*': { schema: only('a') } }, { 'application/json': '{"a":1}' }],
  [
    'a type that nothing else is known of',
    { 'application/vnd.api.v1': { schema: only('a') } },
    { '*/*': '{"a":1}' },
  ],
  [
    'types that nothing else is known of',
    { 'application/zip': {}, 'application/gzip': {}, 'text/html': { example: '<p/>' } },
    {
      'application/gzip': expect.stringMatching(/./),
      'application/zip': expect.stringMatching(/^(?!<p)/),
      'text/html': '<p/>',
    },
  ],
  [
    'YAML beside JSON',
    { 'application/json': { schema: only('a') }, 'application/yaml': { schema: only('a') } },
    { 'application/yaml': '{"a":1}', '*/*': '{"a":1}' },
  ],
  [
    'a file beside JSON',
    {
      'application/json': { schema: only('a') },
      'image/svg+xml': { schema: { ...text, format: 'binary', example: '<svg/>' } },
    },
    { 'image/svg+xml': '<svg/>', 'image/*': '<svg/>', '*/*': '{"a":1}' },
  ],
])('chooses by Accept of %s', async (_, content, answers) => {
  const get = await serveContents(content);
  for (const [accept, expected] of Object.entries(answers)) {
    const answer = await get(accept);
    const [type, body] = Array.isArray(answer) ? answer : [accept, answer];
    expect({ accept, body }).toEqual({ accept, body: expected });
    if (!accept.includes('*')) expect(type).toBe(accept.replaceAll('"', ''));
  }
});

it('writes XML by its own schema and example', async () => {
  const xml = (name: string, more: object = {}) => ({
    'application/json': { schema: only('a'), example: { a: 1 } },
    'application/xml': { schema: { ...object({ [name]: integer }), xml: { name: 'r' } }, ...more },
  });
  const own = await serveContents(xml('b'));
  expect(await own('application/xml')).toEqual([
    'application/xml',
    expect.stringMatching(/<r><b>/),
  ]);
  const exampled = await serveContents(xml('a', { example: { a: 7 } }));
  expect(await exampled('application/xml')).toEqual([
    'application/xml',
    expect.stringContaining('<r><a>7</a></r>'),
  ]);
  const { 'application/xml': alone } = xml('a', { example: { a: 7 } });
  const [, text] = [await (await serveContents({ 'application/xml': alone }))('*/*')].flat();
  expect(text).toContain('<r><a>7</a></r>');
});

it('answers with the XML or the text that is accepted where a preference names it', async () => {
  const examples = { one: { value: '<r>1</r>' }, two: { value: '<r>2</r>' } };
  const get = await serveContents({
    'application/json': { examples: { one: { value: 1 }, two: { value: 2 } } },
    'application/xml': { examples },
    'application/soap+xml': { schema: { ...only('a'), xml: { name: 'r' } } },
    'text/csv': { examples: { three: { value: 'a' } } },
  });
  for (const [accept, preference, expected] of [
    ['application/xml', 'example=two', '<r>2</r>'],
    ['application/xml', 'code=200', '<r>1</r>'],
    ['application/soap+xml', 'seed=1', expect.stringContaining('<r><a>1</a></r>')],
    ['text/csv', 'code=200', 'a'],
    ['text/csv', 'example=two', '2'],
    ['application/json', 'example=three', 'a'],
    ['*/*', 'example=two', '2'],
  ] as const)
    expect(await get(accept, { Prefer: preference })).toEqual([expect.anything(), expected]);
});

it('reads no text that is an example of a text as JSON', async () => {
  const get = await serveContents({ 'application/json': { schema: text, example: '{"a": 1}' } });
  expect(await get('*/*')).toEqual(['application/json', JSON.stringify('{"a": 1}')]);
});

it('answers with the named example of the media type', async () => {
  const examples = (name: string) => ({
    examples: { one: { value: { [name]: 1 } }, two: { value: { [name]: 2 } } },
  });
  const get = await serveContents({
    'application/json': examples('a'),
    'application/hal+json': examples('h'),
  });
  const prefer = { Prefer: 'example=two' };
  expect(await get('application/hal+json', prefer)).toEqual(['application/hal+json', '{"h":2}']);
  expect(await get('*/*', prefer)).toEqual(['application/json', '{"a":2}']);
});

it('answers with a text of what is stored, too, and changes it the same', async () => {
  const csv = { 'text/csv': { example: 'id\n1\n' } };
  const contents = (schema: string) =>
    of({ 'application/json': { schema: schemaOf(schema) }, ...csv });
  const operations = {
    'GET /pets': { responses: { 200: contents('[Pet]') } },
    'POST /pets': { responses: { 201: contents('Pet') } },
  };
  const { call, send } = await serveDocument(
    documentOf(
      'GET /pets -> 200\nPOST /pets { name! } -> 201',
      { Pet: '{ id!: int, name! }' },
      { operations },
    ),
  );
  const accept = { Accept: 'text/csv' };
  expect(await call('/pets', { headers: accept })).toMatchObject({ text: 'id\n1\n' });
  const made = await call('/pets', withJson('POST', { name: 'Ada' }, accept));
  expect(made).toMatchObject({ status: 201, type: 'text/csv', text: 'id\n1\n' });
  expect((await send('GET', '/pets')).json).toContainEqual({ id: 3, name: 'Ada' });
});

it('answers with each type that is described beside what is stored', async () => {
  const Pet = schemaOf('Pet');
  const contents = of({
    'application/json': { schema: Pet },
    'application/yaml': { schema: Pet },
    'application/pdf': { schema: { ...text, format: 'binary' } },
    'text/csv': {},
    'application/zip': {},
  });
  const operations = { 'GET /pets/{id}': { responses: { 200: contents } } };
  const lines = 'GET /pets/{id} -> 200\nPOST /pets { name! } -> 201 Pet';
  const { call } = await serveDocument(
    documentOf(lines, { Pet: '{ id!: int, name! }' }, { operations }),
    { strictRequests: true },
  );
  await call('/pets', withJson('POST', { name: 'Ada' }));
  const json = '{"id":3,"name":"Ada"}';
  for (const [accept, own] of [
    ['application/json', true],
    ['application/yaml', true],
    ['application/pdf', false],
    ['text/csv', false],
    ['application/zip', false],
  ] as const) {
    const answer = await call('/pets/3', { headers: { Accept: accept } });
    expect([answer.status, answer.type, answer.text === json]).toEqual([200, accept, own]);
    expect((await call('/pets/9', { headers: { Accept: accept } })).status).toBe(404);
  }
});

const withBody = (requestBody: object) =>
  documentOf('POST /a -> any', {}, { operations: { 'POST /a': { requestBody } } });

const bodies = {
  'application/json': { schema: object({ j: integer }) },
  'application/vnd.v2+json': { schema: object({ v2: integer }) },
  'application/json;version=3': { schema: object({ v3: integer }) },
  'application/x-www-form-urlencoded': { schema: object({ f: integer }) },
  'application/xml': { schema: { ...object({ x: integer }), xml: { name: 'r' } } },
  'text/plain': { schema: { ...text, maxLength: 3 } },
};

it('takes each body by the schema of its media type alone', async () => {
  const { call } = await serveDocument(withBody({ required: true, ...of(bodies) }), {
    strictRequests: true,
  });
  for (const [type, body, status] of [
    ['application/json', '{"j":1}', 200],
    ['APPLICATION/JSON; charset=utf-8', '{"j":1}', 200],
    ['application/json', '{"v2":1}', 400],
    ['application/vnd.v2+json', '{"v2":1}', 200],
    ['application/vnd.v2+json', '{"j":1}', 400],
    ['application/json; version="3"', '{"v3":1}', 200],
    ['application/json;version=3', '{"j":1}', 400],
    ['application/x-www-form-urlencoded', 'f=1', 200],
    ['application/x-www-form-urlencoded', 'j=1', 400],
    ['application/xml', '<r><x>1</x></r>', 200],
    ['application/xml', '<r><j>1</j></r>', 400],
    ['text/plain', 'abc', 200],
    ['text/plain', 'abcd', 400],
    ['image/png', 'x', 415],
    ['text/csv', 'x', 415],
  ] as const) {
    const headers = { 'Content-Type': type };
    const answer = await call('/a', { method: 'POST', headers, body });
    expect({ type, body, status: answer.status }).toEqual({ type, body, status });
  }
});

it('takes JSON of a range of types beside texts of a range', async () => {
  const content = {
    'application/*+json': { schema: object({ type: text }) },
    'text/*': { schema: { ...text, maxLength: 5 } },
  };
  const { call } = await serveDocument(withBody(of(content)), { strictRequests: true });
  for (const [type, body, status] of [
    ['application/cloudevents+json', '{"type":"a"}', 200],
    ['application/cloudevents+json', '{}', 400],
    ['application/json', '{}', 400],
    ['text/markdown', 'abc', 200],
    ['text/markdown', 'abcdef', 400],
    ['image/png', 'abc', 415],
  ] as const) {
    const answer = await call('/a', { method: 'POST', headers: { 'Content-Type': type }, body });
    expect({ type, body, status: answer.status }).toEqual({ type, body, status });
  }
});

it('checks the parts of a multipart form by their encoding', async () => {
  const content = {
    'multipart/form-data': {
      schema: object({ meta: object({ n: integer }), file: { ...text, format: 'binary' } }),
      encoding: {
        meta: { contentType: 'application/json' },
        file: { contentType: 'image/png, image/jpeg' },
      },
    },
  };
  const { api } = await serveDocument(withBody(of(content)));
  const statusOf = async (meta: string, type: string) => {
    const body = new FormData();
    body.append('meta', new Blob([meta], { type: 'application/json' }));
    body.append('file', new Blob(['x'], { type }), 'a.png');
    return (await fetch(`${api}/a`, { method: 'POST', body })).status;
  };
  expect(await statusOf('{"n":1}', 'image/png')).toBe(200);
  expect(await statusOf('{"n":"x"}', 'image/png')).toBe(400);
  expect(await statusOf('{"n":1}', 'text/plain')).toBe(400);
});
