import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (schema: object) => jsonOf({ type: 'array', items: schema });
const of = (...names: string[]) => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
});
const error = object(
  { message: text, errors: { type: 'array', items: object({ field: text, code: text }) } },
  'message',
);
const refused = (description: string, schema: object = error) => ({
  ...jsonOf(schema),
  description,
});

async function serve(paths: object, schemas: object = {}) {
  const { call } = await serveDocument(toDocument(paths, { components: { schemas } }));
  return (method: string, path: string, body?: object, headers: object = {}) =>
    call(path, {
      method,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
}

const idOrBuyer = { anyOf: [text, ref('buyer')], description: 'Who pays.' };
const shop = {
  '/buyers': {
    get: { responses: { 200: listOf(ref('buyer')) } },
    post: { requestBody: jsonOf(object({ name: text })), responses: { 201: jsonOf(ref('buyer')) } },
  },
  '/charges': {
    get: {
      parameters: [{ name: 'expand', in: 'query', schema: { type: 'array', items: text } }],
      responses: { 200: jsonOf(object({ data: { type: 'array', items: ref('charge') } }, 'data')) },
    },
    post: {
      requestBody: jsonOf(
        object({
          ...{ id: { ...text, description: 'An id of your choice.' }, buyer: text },
          card: object({ number: text }),
          notes: {
            type: 'object',
            additionalProperties: text,
            description: 'Unset a key by posting an empty value.',
          },
          expand: { type: 'array', items: text },
        }),
      ),
      responses: { 201: jsonOf(ref('charge')), default: jsonOf(error) },
    },
  },
  '/charges/{id}': {
    ...of('id'),
    get: { responses: { 200: jsonOf(ref('charge')) } },
    post: {
      requestBody: jsonOf(
        object({
          notes: {
            type: 'object',
            additionalProperties: text,
            description: 'Unset a key by posting an empty value.',
          },
        }),
      ),
      responses: { 200: jsonOf(ref('charge')) },
    },
    delete: { summary: 'Cancel a charge', responses: { 200: jsonOf(ref('charge')) } },
  },
  '/charges/{id}/confirm': {
    ...of('id'),
    post: {
      requestBody: jsonOf(object({ buyer: text, reason: text })),
      responses: { 200: jsonOf(ref('charge')) },
    },
  },
};
const states = ['canceled', 'pending', 'succeeded'];
const charges = {
  buyer: object({ id: text, name: text }, 'id'),
  charge: object(
    {
      ...{ id: text, buyer: idOrBuyer, card: object({ number: text }), client_secret: text },
      notes: { type: 'object', additionalProperties: text },
      status: { ...text, enum: states, description: 'One of `pending`, `succeeded`, `canceled`.' },
      type: { ...text, enum: ['cash', 'card'] },
      livemode: { type: 'boolean' },
      active: { type: 'boolean' },
      refund_count: { type: 'integer' },
    },
    ...['id', 'type', 'livemode', 'active', 'refund_count'],
  ),
};

it('begins new items as services do', async () => {
  const send = await serve(shop, charges);
  const { json } = await send('POST', '/charges', { id: 'mine', card: { number: '4' } });
  expect(json).toMatchObject({ id: 'mine', status: 'pending', type: 'card' });
  expect(json).toMatchObject({ livemode: false, active: true, refund_count: 0 });
  expect(json.client_secret).toEqual(expect.any(String));
  expect((await send('POST', '/charges', {})).json.type).toBe('cash');
});

it('shows what an item refers to where a request asks for it, and refuses what is not there', async () => {
  const send = await serve(shop, charges);
  const { json: buyer } = await send('POST', '/buyers', { name: 'Ada' });
  const body = { buyer: buyer.id, expand: ['buyer'] };
  const { json: charge } = await send('POST', '/charges', body);
  expect(charge.buyer).toEqual(buyer);
  expect((await send('GET', `/charges/${charge.id}`)).json.buyer).toBe(buyer.id);
  for (const name of ['buyer', 'data.buyer']) {
    const { json } = await send('GET', `/charges?expand=${name}`);
    expect(json.data.at(-1).buyer).toEqual(buyer);
  }
  expect((await send('POST', '/charges', { buyer: 'nobody' })).status).toBe(400);
});

it('refuses to show whole what takes too much memory', async () => {
  const send = await serve(shop, charges);
  const { json: buyer } = await send('POST', '/buyers', { name: 'x'.repeat(1_000_000) });
  for (let count = 0; count < 17; count++) await send('POST', '/charges', { buyer: buyer.id });
  const { status, json } = await send('GET', '/charges?expand=buyer');
  expect([status, json.message]).toEqual([409, expect.stringContaining('16 MiB')]);
  expect((await send('GET', '/charges')).status).toBe(200);
});

it('unsets what empty texts unset, and does what actions and a DELETE that cancels say', async () => {
  const send = await serve(shop, charges);
  const { json: buyer } = await send('POST', '/buyers', { name: 'Ada' });
  const { json } = await send('POST', '/charges', { notes: { a: '1', b: '2' } });
  const at = `/charges/${json.id}`;
  expect((await send('POST', at, { notes: { a: '', c: '3' } })).json.notes).toEqual({
    ...{ b: '2', c: '3' },
  });
  const confirmed = await send('POST', `${at}/confirm`, { buyer: buyer.id, reason: 'Sold' });
  expect(confirmed.json).toMatchObject({ status: 'succeeded', buyer: buyer.id });
  expect((await send('DELETE', at)).json.status).toBe('canceled');
  expect((await send('GET', at)).json).toMatchObject({ status: 'canceled', buyer: buyer.id });
});

it('answers the same to the same Idempotency-Key, until it is reset', async () => {
  const send = await serve(shop, charges);
  const key = { 'Idempotency-Key': 'k1' };
  const { json } = await send('POST', '/buyers', { name: 'Ada' }, key);
  expect((await send('POST', '/buyers', { name: 'Ada' }, key)).json).toEqual(json);
  expect((await send('POST', '/buyers', { name: 'Bob' }, key)).status).toBe(409);
  const other = { 'Idempotency-Key': 'k2' };
  expect((await send('POST', '/buyers', { name: 'Ada' }, other)).json.id).not.toBe(json.id);
});

const label = object({ name: text, color: text }, 'name');
const repo = object(
  {
    id: { type: 'integer' },
    name: text,
    full_name: { ...text, example: 'octo/hello' },
    owner: object({ login: { ...text, example: 'octo' } }, 'login'),
    topics: { type: 'array', items: text },
    labels: { type: 'array', items: { oneOf: [text, label] } },
  },
  ...['id', 'name', 'full_name', 'owner', 'topics'],
);
const hub = {
  '/my/repos': {
    get: { responses: { 200: listOf(ref('repo')) } },
    post: {
      requestBody: jsonOf(object({ name: text }, 'name')),
      responses: {
        201: jsonOf(ref('repo')),
        400: refused('Bad Request', object({ message: text })),
        422: refused('Validation failed'),
      },
    },
  },
  '/repos/{owner}/{repo}': {
    ...of('owner', 'repo'),
    get: { responses: { 200: jsonOf(ref('repo')), 404: jsonOf(error) } },
    patch: {
      requestBody: jsonOf(object({ name: text })),
      responses: { 200: jsonOf(ref('repo')) },
    },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
  '/repos/{owner}/{repo}/topics': {
    ...of('owner', 'repo'),
    get: { responses: { 200: jsonOf(ref('topics')) } },
    put: { requestBody: jsonOf(ref('topics')), responses: { 200: jsonOf(ref('topics')) } },
  },
  '/labels': {
    get: { responses: { 200: listOf(label) } },
    post: {
      requestBody: jsonOf(label),
      responses: { 201: jsonOf(label), 422: refused('Validation failed') },
    },
  },
  '/labels/{name}': {
    ...of('name'),
    get: { responses: { 200: jsonOf(label) } },
    patch: {
      requestBody: jsonOf(object({ new_name: text, color: text })),
      responses: { 200: jsonOf(label), 422: refused('Validation failed') },
    },
  },
};
const hubSchemas = { repo, topics: object({ names: { type: 'array', items: text } }, 'names') };

it('gives what one caller creates the same owner, and texts that hold its name', async () => {
  const send = await serve(hub, hubSchemas);
  const made = [
    await send('POST', '/my/repos', { name: 'a' }),
    await send('POST', '/my/repos', { name: 'b' }),
  ];
  expect(made.map(({ json }) => json.full_name)).toEqual(['octo/a', 'octo/b']);
  const { json } = await send('PATCH', '/repos/octo/a', { name: 'c' });
  expect(json.full_name).toBe('octo/c');
  expect((await send('GET', '/repos/octo/c')).status).toBe(200);
});

it('shows and replaces a list of texts that an item has by another name', async () => {
  const send = await serve(hub, hubSchemas);
  await send('POST', '/my/repos', { name: 'a' });
  const names = ['lab', 'twin'];
  expect((await send('PUT', '/repos/octo/a/topics', { names })).json).toEqual({ names });
  expect((await send('GET', '/repos/octo/a/topics')).json).toEqual({ names });
  expect((await send('GET', '/repos/octo/a')).json.topics).toEqual(names);
});

it('gives an item the new id that a body asks for, if it is free', async () => {
  const send = await serve(hub, hubSchemas);
  for (const name of ['a', 'b']) await send('POST', '/labels', { name, color: 'red' });
  const body = { new_name: 'c', color: 'blue' };
  expect((await send('PATCH', '/labels/a', body)).json).toEqual({ name: 'c', color: 'blue' });
  expect((await send('GET', '/labels/a')).status).toBe(404);
  expect((await send('GET', '/labels/c')).json.color).toBe('blue');
  const taken = { new_name: 'b', color: 'green' };
  expect((await send('PATCH', '/labels/c', taken)).status).toBe(422);
  expect((await send('GET', '/labels/c')).json.color).toBe('blue');
});

it('refuses with the statuses that are described for the case, and names the field', async () => {
  const send = await serve(hub, hubSchemas);
  const { status, json } = await send('POST', '/my/repos', { name: 1 });
  expect([status, json.errors[0].field]).toEqual([422, 'name']);
  await send('POST', '/labels', { name: 'a' });
  expect((await send('POST', '/labels', { name: 'a' })).status).toBe(422);
  const missing = await send('GET', '/repos/nobody/nothing');
  expect([missing.status, missing.json.message]).toEqual([
    404,
    expect.stringMatching(/^Not found/),
  ]);
});
