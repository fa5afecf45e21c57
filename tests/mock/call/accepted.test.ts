import { expect, it, onTestFinished } from 'vitest';
import { type Call, createTwin } from '../../../package/twin.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';
import { writeJson } from '../../support/write-json.ts';

const number = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: object) => {
  return { type: 'object', required: Object.keys(properties), properties };
};
const schemas = { Pet: '{ readonly id!: int, name! }' };
const Pet = schemaOf('Pet');
const Pets = schemaOf('[Pet]');
const plain = { 'text/plain': { schema: text, example: 'done' } };
const described = (content: object, more: object = {}) => {
  return { description: 'Fine.', content, ...more };
};
const accepting = (type: string) => ({ headers: { Accept: type } });
/** A collection whose answers are JSON or a text. */
const pets = (list: object = jsonOf(Pets)) => {
  const either = described({ 'application/json': { schema: Pet }, ...plain });
  const created = { ...either, headers: { Location: { required: true, schema: text } } };
  return documentOf(
    `
    listPets: GET /pets -> 200
    makePet: POST /pets Pet -> 201
    readPet: GET /pets/{id} -> Pet, 404
    endPet: DELETE /pets/{id} -> 200
    `,
    schemas,
    {
      operations: {
        'GET /pets': { responses: { 200: list } },
        'POST /pets': { responses: { 201: created } },
        'DELETE /pets/{id}': { responses: { 200: either, 404: { description: 'None.' } } },
      },
    },
  );
};

/** A document of one operation with these responses. */
const at = (operation: string, responses: object, more: object = {}) =>
  documentOf(`${operation} -> 200`, schemas, {
    operations: { [operation]: { responses, ...more } },
  });
const one = (content: object) => at('GET /a', { 200: described(content) });

it('answers a change with the text that is accepted, and says where a new item is', async () => {
  const { call } = await serveDocument(pets());
  const created = await call('/pets', withJson('POST', { name: 'a' }, { Accept: 'text/plain' }));
  expect([created.status, created.text]).toEqual([201, 'done']);
  expect(created.headers.get('Location')).toBe('/pets/3');
  const ended = await call('/pets/3', { method: 'DELETE', ...accepting('text/plain') });
  expect([ended.status, ended.type, ended.text]).toEqual([200, 'text/plain', 'done']);
  expect((await call('/pets/3')).status).toBe(404);
});

it('runs a behaviour once, whatever is accepted', async () => {
  let runs = 0;
  const csv = { schema: text, example: 'id\n1' };
  const list = described({ 'application/json': { schema: Pets }, 'text/csv': csv });
  const listPets = ({ next }: Call) => {
    runs += 1;
    return next();
  };
  const twin = await createTwin({ spec: await writeJson(pets(list)), behaviours: { listPets } });
  onTestFinished(() => twin.close());
  const ask = (method: string) => fetch(`${twin.url}/pets`, { method, ...accepting('text/csv') });
  expect(await (await ask('GET')).text()).toBe('id\n1');
  await ask('HEAD');
  expect(runs).toBe(2);
});

it('writes what is stored as a sequence, whatever example that has', async () => {
  const example = '{"id":77,"name":"Example"}\n';
  const list = described({
    'application/json': { schema: Pets },
    'application/x-ndjson': { itemSchema: Pet, example },
  });
  const { call } = await serveDocument(pets(list));
  const { text: sent } = await call('/pets', accepting('application/x-ndjson'));
  const lines = sent.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
});

it.each([
  [{ 'application/json': object({ a: number }), '*/*': object({ b: number }) }, '*/*', 'a'],
  [{ '*/*': object({ b: number }), 'application/json': object({ a: number }) }, '', 'a'],
  [{ 'application/*': object({ b: number }), 'application/json': object({ a: number }) }, '', 'a'],
])('answers with the most specific of %j', async (schemas, accept, name) => {
  const content = Object.entries(schemas).map(([type, schema]) => [type, { schema }]);
  const { call } = await serveDocument(one(Object.fromEntries(content)));
  const answer = await call('/a', accept ? accepting(accept) : {});
  expect([answer.type, Object.keys(answer.json)]).toEqual(['application/json', [name]]);
});

it.each([
  [{ 'text/*': { example: 'hi' } }, '', 'text/plain'],
  [{ 'text/*': { example: 'hi' } }, 'text/html', 'text/html'],
  [{ 'application/*+json': { schema: object({ a: number }) } }, '', 'application/json'],
  [{ 'application/json': { schema: {} }, 'text/*': { example: 'hi' } }, 'text/plain', 'text/plain'],
])('sends %j, of which %j is accepted, as %s', async (content, accept, type) => {
  const { call } = await serveDocument(one(content));
  expect((await call('/a', accept ? accepting(accept) : {})).type).toBe(type);
});

const itemSchema = object({ a: number });

it.each([
  [
    { 'text/event-stream': { itemSchema }, 'application/jsonl': { itemSchema } },
    'application/jsonl',
  ],
  [
    { 'application/jsonl': { itemSchema }, 'text/event-stream': { itemSchema } },
    'text/event-stream',
  ],
  [{ 'text/csv': { schema: text }, 'application/jsonl': { itemSchema } }, 'application/jsonl'],
])('chooses among the sequences of %j by Accept: %s', async (content, accept) => {
  const { call } = await serveDocument(one(content));
  const { type, text: sent } = await call('/a', accepting(accept));
  expect(type).toBe(accept);
  expect(sent).toMatch(accept === 'application/jsonl' ? /^\{"a":/ : /^data: \{"a":/);
});

it('ends events as described, also where they are accepted', async () => {
  const responses = {
    200: described({
      'application/json': { schema: object({ text }) },
      'text/event-stream': { schema: object({ delta: text }) },
    }),
  };
  const chat = {
    description: 'Streams end with data: [DONE].',
    requestBody: jsonOf(object({ stream: { type: 'boolean' } })),
  };
  const { call } = await serveDocument(at('POST /chat', responses, chat));
  const accept = { Accept: 'text/event-stream' };
  const answer = await call('/chat', withJson('POST', { stream: true }, accept));
  expect(answer.text).toMatch(/data: \[DONE\]\n\n$/);
});

const problem = object({ title: text, status: number });

it.each([
  ['application/problem+json', 'application/problem+json', '{"title"'],
  ['application/json', 'application/json', '{"msg"'],
  ['application/xml', 'application/xml', '<error'],
  ['image/png', 'application/json', '{"msg"'],
])('answers with the error that Accept: %s names', async (accept, type, start) => {
  const bad = described({
    'application/json': { schema: object({ msg: text }) },
    'application/problem+json': { schema: problem },
    'application/xml': { schema: { ...object({ msg: text }), xml: { name: 'error' } } },
  });
  const { call } = await serveDocument(at('GET /a/{n}', { 200: jsonOf({}), 400: bad }));
  const answer = await call('/a/x', accepting(`${accept}, */*;q=0.1`));
  expect([answer.status, answer.type]).toEqual([400, type]);
  expect(answer.text).toContain(start);
});

it.each([
  ['application/xml', { schema: { ...object({ msg: text }), xml: { name: 'error' } } }, '<msg>'],
  ['text/html', { example: '<p>Wrong.</p>' }, '<p>Wrong.</p>'],
  ['text/html', { schema: text }, '&quot;n&quot; must be'],
])('answers with an error that is described as %s alone', async (type, content, part) => {
  const responses = { 200: jsonOf({}), 400: described({ [type]: content }) };
  const { call } = await serveDocument(at('GET /a/{n}', responses));
  const answer = await call('/a/x');
  expect([answer.status, answer.type]).toEqual([400, type]);
  expect(answer.text).toContain(part);
});

it('prefers the JSON that is sent without preferences, and finds named examples in others', async () => {
  const hal = { examples: { h: { value: { _links: {} } } } };
  const json = { examples: { one: { value: { id: 1 } } } };
  const content = { 'application/hal+json': hal, 'application/json': json };
  const { call } = await serveDocument(one(content));
  const prefer = (preference: string) => call('/a', { headers: { Prefer: preference } });
  expect(await prefer('code=200')).toMatchObject({ type: 'application/json', json: { id: 1 } });
  expect(await prefer('example=one')).toMatchObject({ status: 200, json: { id: 1 } });
  const ofHal = { type: 'application/hal+json', json: { _links: {} } };
  expect(await prefer('example=h')).toMatchObject(ofHal);
});

it('reads a body by the most specific of its contents, a range too', async () => {
  const content = {
    'application/*': { schema: object({ n: number }) },
    'application/vnd.n+json': { schema: object({ v: number }) },
  };
  const responses = { 200: jsonOf({ const: true }) };
  const { send } = await serveDocument(at('POST /a', responses, { requestBody: { content } }));
  const statuses = [
    await send('POST', '/a', { n: 42 }),
    await send('POST', '/a', { n: 'x' }),
    await send('POST', '/a', { v: 1 }, 'application/vnd.n+json'),
    await send('POST', '/a', { n: 1 }, 'application/vnd.n+json'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 400, 200, 400]);
});

it('sends the webhooks of a create, whatever JSON is accepted', async () => {
  const either = {
    'application/json': { schema: Pet },
    'application/vnd.v2+json': { schema: schemaOf('{ readonly id!: int, name!, v!: 2 }') },
  };
  const webhooks = {
    'pet.created': { post: { requestBody: jsonOf(Pet), responses: { 200: {} } } },
  };
  const lines = 'listPets: GET /pets -> [Pet]\nmakePet: POST /pets Pet -> 201';
  const operations = { 'POST /pets': { responses: { 201: described(either) } } };
  const spec = await writeJson(documentOf(lines, schemas, { webhooks, operations }));
  const twin = await createTwin({ spec, webhookUrl: ['http://127.0.0.1:9/'] });
  onTestFinished(() => twin.close());
  for (const type of ['application/vnd.v2+json', 'application/json']) {
    const sent = withJson('POST', { name: 'a' }, { Accept: type });
    expect((await fetch(`${twin.url}/pets`, sent)).headers.get('Content-Type')).toBe(type);
  }
  expect((await twin.webhooks.list()).deliveries).toHaveLength(2);
});
