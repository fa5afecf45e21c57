import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

async function serve(document: object) {
  const { call } = await serveDocument(document);
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    call(path, body ? withJson(method, body, headers) : { method, headers });
}

const unset = { description: 'Unset a key by posting an empty value.' };
const shop = documentOf(
  `
  GET /buyers -> [Buyer]
  POST /buyers { name } -> 201 Buyer
  GET /charges?expand:[text]&expand[]:[text] -> { data!: [Charge] }
  POST /charges NewCharge -> 201 Charge, default Error
  GET /charges/{id:text} -> Charge
  POST /charges/{id:text} { notes: Notes } -> Charge
  DELETE /charges/{id:text} -> Charge
  POST /charges/{id:text}/confirm { buyer, reason } -> Charge
  `,
  {
    Error: '{ message!, errors: [{ field, code }] }',
    Buyer: '{ id!, name }',
    Notes: { type: 'object', additionalProperties: { type: 'string' }, ...unset },
    Status: {
      enum: ['canceled', 'pending', 'succeeded'],
      description: 'One of `pending`, `succeeded`, `canceled`.',
    },
    Id: { type: 'string', description: 'An id of your choice.' },
    NewCharge: '{ id: Id, buyer, card: { number }, notes: Notes, expand: [text] }',
    Charge: `{
      id!, buyer: text | Buyer, card: { number }, client_secret, notes: Notes, status: Status,
      type!: "cash" | "card", livemode!: bool, active!: bool, refund_count!: int
    }`,
  },
  { operations: { 'DELETE /charges/{id}': { summary: 'Cancel a charge' } } },
);

it('begins new items as services do', async () => {
  const send = await serve(shop);
  const { json } = await send('POST', '/charges', { id: 'mine', card: { number: '4' } });
  expect(json).toMatchObject({ id: 'mine', status: 'pending', type: 'card' });
  expect(json).toMatchObject({ livemode: false, active: true, refund_count: 0 });
  expect(json.client_secret).toEqual(expect.any(String));
  expect((await send('POST', '/charges', {})).json.type).toBe('cash');
});

it.each([
  ['one that is free', 'joe', 'joe'],
  ['the next for one that is taken', '1', '3'],
  ['the next for a placeholder', 'string', '3'],
])('gives a new item the id of its body: %s', async (_, id, expected) => {
  const { send } = await serveDocument(`
    POST /users { id: text, nick } -> 201 { id!: text, nick }
    GET /users -> [{ id!: text, nick }]
    GET /users/{id:text} -> { id!: text, nick }
  `);
  expect((await send('POST', '/users', { id, nick: 'n' })).json).toEqual({
    id: expected,
    nick: 'n',
  });
  expect((await send('GET', `/users/${expected}`)).json.nick).toBe('n');
});

it('shows what an item refers to where a request asks for it, and refuses what is not there', async () => {
  const send = await serve(shop);
  const { json: buyer } = await send('POST', '/buyers', { name: 'Ada' });
  const body = { buyer: buyer.id, expand: ['buyer'] };
  const { json: charge } = await send('POST', '/charges', body);
  expect(charge.buyer).toEqual(buyer);
  expect((await send('GET', `/charges/${charge.id}`)).json.buyer).toBe(buyer.id);
  for (const query of ['expand=buyer', 'expand=data.buyer', 'expand[]=buyer']) {
    const { json } = await send('GET', `/charges?${query}`);
    expect(json.data.at(-1).buyer).toEqual(buyer);
  }
  expect((await send('POST', '/charges', { buyer: 'nobody' })).status).toBe(400);
});

it('answers without content where a request asks to show whole what the answer does not show', async () => {
  const { send } = await serveDocument(`
    GET /buyers -> [Buyer]
    GET /orders -> [Order]
    GET /orders/{id:text} -> Order
    PATCH /orders/{id:text} { note, expand: [text] } -> 204
    Buyer: { id!, name }
    Order: { id!, note, buyer: text | Buyer }
  `);
  const { json: orders } = await send('GET', '/orders');
  const path = `/orders/${orders[0].id}`;
  expect((await send('PATCH', path, { note: 'a', expand: ['buyer'] })).status).toBe(204);
});

it('refuses to show whole what takes too much memory', async () => {
  const send = await serve(shop);
  const { json: buyer } = await send('POST', '/buyers', { name: 'x'.repeat(1_000_000) });
  for (let count = 0; count < 17; count++) await send('POST', '/charges', { buyer: buyer.id });
  const { status, json } = await send('GET', '/charges?expand=buyer');
  expect([status, json.message]).toEqual([409, expect.stringContaining('16 MiB')]);
  expect((await send('GET', '/charges')).status).toBe(200);
});

it('unsets what empty texts unset, and does what actions and a DELETE that cancels say', async () => {
  const send = await serve(shop);
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

const hub = documentOf(
  `
  GET /my/repos -> [Repo]
  POST /my/repos { name! } -> 201 Repo, 400 { message } (Bad Request), 422 Error (Validation failed)
  GET /repos/{owner:text}/{repo:text} -> Repo, 404 Error
  PATCH /repos/{owner:text}/{repo:text} { name } -> Repo
  DELETE /repos/{owner:text}/{repo:text} -> 204
  GET /repos/{owner:text}/{repo:text}/topics -> { names!: [text] }
  PUT /repos/{owner:text}/{repo:text}/topics { names!: [text] } -> { names!: [text] }
  GET /labels -> [Label]
  POST /labels Label -> 201 Label, 422 Error (Validation failed)
  GET /labels/{name:text} -> Label
  PATCH /labels/{name:text} { new_name, color } -> Label, 422 Error (Validation failed)
  `,
  {
    Error: '{ message!, errors: [{ field, code }] }',
    Label: '{ name!, color }',
    FullName: { type: 'string', example: 'octo/hello' },
    Login: { type: 'string', example: 'octo' },
    Repo: `{
      id!: int, name!, full_name!: FullName, owner!: { login!: Login }, topics!: [text],
      labels: [text | Label]
    }`,
  },
);

it('gives what one caller creates the same owner, and texts that hold its name', async () => {
  const send = await serve(hub);
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
  const send = await serve(hub);
  await send('POST', '/my/repos', { name: 'a' });
  const names = ['lab', 'twin'];
  expect((await send('PUT', '/repos/octo/a/topics', { names })).json).toEqual({ names });
  expect((await send('GET', '/repos/octo/a/topics')).json).toEqual({ names });
  expect((await send('GET', '/repos/octo/a')).json.topics).toEqual(names);
});

it('refuses with the statuses that are described for the case, and names the field', async () => {
  const send = await serve(hub);
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

const topics = `GET /v1/topics -> [Topic]
  POST /v1/topics?topicId Topic! -> 200 Topic, 409
  GET /v1/topics/{topic:text} -> Topic, 404
  DELETE /v1/topics/{topic:text} -> 204, 404`;

it.each([
  ['the id itself', '{ readonly name: text, title }', 'news'],
  ['it behind the collection', '{ readonly name: text(example="topics/a"), title }', 'topics/news'],
])('gives a new item the id that its query names, and shows %s', async (_, Topic, name) => {
  const { send } = await serveDocument(documentOf(topics, { Topic }));
  const made = { name, title: 'News' };
  expect((await send('POST', '/v1/topics?topicId=news', { title: 'News' })).json).toEqual(made);
  expect((await send('GET', '/v1/topics/news')).json).toEqual(made);
  expect((await send('POST', '/v1/topics?topicId=news', { title: 'More' })).status).toBe(409);
  const other = (await send('POST', '/v1/topics', { title: 'Other', name })).json;
  expect([other.title, other.name === name]).toEqual(['Other', false]);
});

it('takes no query of items that have parents among them for the id of a new one', async () => {
  const { send } = await serveDocument(`
    GET /folders -> [{ id!: text, parentId: text, title }]
    POST /folders?folderId { title }! -> 201 { id!: text, parentId: text, title }, 409
    GET /folders/{id:text} -> { id!: text, parentId: text, title }
  `);
  const { status, json } = await send('POST', '/folders?folderId=1', { title: 'Below' });
  expect([status, json.id]).toEqual([201, expect.not.stringMatching(/^1$/)]);
});
