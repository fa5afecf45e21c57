import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

/** Pets, whose item has further responses. */
function pets(responses: object): object {
  const document = documentOf(`
    GET /pets -> [{ id!: int, name! }]
    GET /pets/{id} -> { id!: int, name! }
  `);
  Object.assign(document.paths['/pets/{id}']?.get.responses, responses);
  return document;
}

const byExample = (example: unknown, more: object = {}) => ({
  description: 'Wrong.',
  content: { 'application/json': { example, ...more } },
});

it('answers errors by the example of their status, and by its form for others', async () => {
  const form = { errors: [{ code: 'NOPE' }] };
  const { call } = await serveDocument(
    pets({ 404: byExample(form), 500: byExample({ boom: true }, { schema: { type: 'object' } }) }),
  );
  const missing = await call('/pets/99');
  expect(missing).toMatchObject({ status: 404, json: form });
  expect(missing.headers.get('X-Problem')).toBe('There is nothing at /pets/99.');
  const asked = (code: number) => call('/pets/1', { headers: { Prefer: `code=${code}` } });
  expect(await asked(500)).toMatchObject({ status: 500, json: { boom: true } });
  expect(await asked(429)).toMatchObject({ json: { errors: [{ code: expect.any(String) }] } });
});

it('sends the headers that errors require or show', async () => {
  const trace = { required: true, schema: { type: 'string', minLength: 3 } };
  const headers = {
    'X-Trace': trace,
    'X-Why': { schema: { type: 'string' }, example: 'gone' },
    'X-Other': { schema: { type: 'string' } },
  };
  for (const content of [undefined, { 'application/json': { example: { problem: 'NOPE' } } }]) {
    const { call } = await serveDocument(
      pets({ 404: { description: 'Wrong.', headers, ...(content && { content }) } }),
    );
    const { status, headers: sent } = await call('/pets/99');
    expect([status, sent.get('X-Why'), sent.get('X-Other')]).toEqual([404, 'gone', null]);
    expect(sent.get('X-Trace')).toMatch(/^\w{3,}/);
    expect((await call('/pets/1')).headers.get('X-Trace')).toBe(null);
  }
});

it('answers an error without a schema as an Error object', async () => {
  for (const content of [{}, { schema: {} }, { schema: { description: 'Any.' } }]) {
    const response = { description: 'Wrong.', content: { 'application/json': content } };
    const { call } = await serveDocument(pets({ 404: response }));
    expect(await call('/pets/99')).toMatchObject({ json: { code: 'not_found', status: 404 } });
  }
});

it('answers an error as a bare text only where its own response is one', async () => {
  const text = { description: 'Wrong.', content: { 'text/plain': { example: 'oops' } } };
  const { call } = await serveDocument(pets({ 409: text, default: text }));
  expect((await call('/pets/99')).text).toContain('nothing at /pets/99');
  expect(await call('/owners')).toMatchObject({ json: { code: 'unknown_path', status: 404 } });
});

it.each([
  ['status', [400, 404, 409], 404],
  ['code', ['INVALID', 'NOT_FOUND', 'CONFLICT'], 'NOT_FOUND'],
  ['type', ['ValidationError', 'ItemNotFoundError'], 'ItemNotFoundError'],
])('takes the alternative whose %s is that of the error', async (name, values, expected) => {
  for (const keyword of ['oneOf', 'anyOf'])
    for (const toSchema of [
      (value: unknown) => ({ const: value }),
      (one: unknown) => ({ enum: [one] }),
    ]) {
      const alternatives = values.map((value) => ({
        type: 'object',
        required: [name, 'message'],
        properties: { [name]: toSchema(value), message: { type: 'string' } },
      }));
      const { call } = await serveDocument(pets({ '4XX': jsonOf({ [keyword]: alternatives }) }));
      const { json } = await call('/pets/99');
      expect(json).toEqual({ [name]: expected, message: expect.stringContaining('Not found') });
    }
});

it('says what is wrong in a list that must have an entry, though no field is', async () => {
  const texts = { name: { type: 'string' }, reason: { type: 'string' } };
  const entry = { type: 'object', required: ['name', 'reason'], properties: texts };
  const fields = { type: 'array', minItems: 1, items: entry };
  for (const code of [{ const: 404 }, { type: 'integer' }]) {
    const error = { type: 'object', required: ['code', 'fields'], properties: { code, fields } };
    const { call } = await serveDocument(pets({ 404: jsonOf(error) }));
    const reason = expect.stringContaining('nothing at /pets/99');
    expect((await call('/pets/99')).json).toEqual({ code: 404, fields: [{ name: '', reason }] });
  }
});

it.each([
  [{ status: 401 }, { status: 404 }],
  [{ code: 'invalid_key' }, { code: 'not_found' }],
  [{ error: { code: 'conflict', type: 'A' } }, { error: { code: 'not_found', type: 'B' } }],
])('takes the example that is of the error, not %j', async (other, expected) => {
  const examples = { other: { value: other }, expected: { value: expected } };
  const response = { description: 'Wrong.', content: { 'application/json': { examples } } };
  const { call } = await serveDocument(pets({ 404: response }));
  expect((await call('/pets/99')).json).toEqual(expected);
});

it.each([
  [
    'a list of texts that is called as a message',
    '{ statusCode!: int, message!: [text] }',
    'message',
  ],
  ['a text whose name ends so', '{ errcode!: int, errmsg!: text }', 'errmsg'],
  ['another one', '{ code!: int, user_message!: text, request_id!: text }', 'user_message'],
])('says what is wrong in %s', async (_, schema, name) => {
  const { call } = await serveDocument(pets({ 404: jsonOf(schemaOf(schema)) }));
  const sentence = expect.stringContaining('nothing at /pets/99');
  const { json } = await call('/pets/99');
  expect([json[name]].flat()).toEqual([sentence]);
  if ('request_id' in json) expect(json.request_id).toBe('');
});

it('answers null for what else is required beside the error and may be null', async () => {
  const answer = schemaOf('{ data!: Pet | null, error!: Fault | null, trace!: text | null }');
  const document = documentOf('GET /pets -> [Pet]\nGET /pets/{id} -> Pet', {
    Pet: '{ id!: int, name! }',
    Fault: '{ message! }',
  });
  Object.assign(document.paths['/pets/{id}']?.get.responses, { 404: jsonOf(answer) });
  const { send } = await serveDocument(document);
  const message = expect.stringContaining('nothing at /pets/99');
  expect((await send('GET', '/pets/99')).json).toEqual({
    data: null,
    error: { message },
    trace: null,
  });
});

const codes = (...values: object[]) =>
  Object.fromEntries(values.map((value, at) => [`e${at}`, { value }]));
const flat = '{ code!, message, field }';

it.each([
  ['of its only example', flat, codes({ code: 'BAD', message: 'It is bad.' }), { code: 'BAD' }],
  [
    'of the example about the same field',
    flat,
    codes({ code: 'NO_AGE', field: 'age' }, { code: 'NO_ID', field: 'id' }),
    { code: 'NO_ID', field: 'id' },
  ],
  [
    'of its own where all are about other fields',
    flat,
    codes({ code: 'NO_AGE', field: 'age' }),
    { code: 'invalid_parameter', field: 'id' },
  ],
  [
    'in an object',
    '{ error!: { type!, message } }',
    codes({ error: { type: 'BAD', message: 'It is bad.' } }),
    { error: { type: 'BAD' } },
  ],
  [
    'beside a message',
    '{ error!, message! }',
    codes({ error: 'BAD', message: 'It is bad.' }),
    { error: 'BAD', message: expect.stringContaining('"id"') },
  ],
  ['that is a number', '{ code: int, message }', codes({ code: 1400 }), { code: 1400 }],
])('answers with the code %s', async (_, schema, examples, expected) => {
  const document = documentOf('GET /pets?id:int -> [{ id!: int }]');
  const bad = jsonOf(schemaOf(schema), { examples });
  Object.assign(document.paths['/pets']?.get.responses, { 400: bad });
  const { send } = await serveDocument(document);
  expect(await send('GET', '/pets?id=x')).toMatchObject({ status: 400, json: expected });
});

it('sends the examples of headers that the mock knows nothing of in a status that is asked for', async () => {
  const integer = { type: 'integer' };
  const headers = { 'retry-after': { schema: integer, example: 30 } };
  const { call } = await serveDocument(
    pets({ 503: { description: 'Busy.', headers }, 500: { description: 'Wrong.' } }),
  );
  const asked = (code: number) => call('/pets/1', { headers: { Prefer: `code=${code}` } });
  expect((await asked(503)).headers.get('Retry-After')).toBe('30');
  expect((await asked(500)).headers.get('Retry-After')).toBe(null);
});
