import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { documentOf, hintsOf } from '../../../support/document-of.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { projectFile } from '../../../support/twin.ts';
import { withJson } from '../../../support/with-json.ts';

type Hints = Readonly<Record<string, object>>;

/** The orders of examples/learn with `x-twin` of operations, by their ids, and of the whole. */
function toOrders(hints: Hints, ofAll?: object): object {
  const text = readFileSync(projectFile('examples/learn/orders.yaml'), 'utf8');
  const document = load(text) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) {
      const hint = hints[operation.operationId ?? ''];
      if (hint) Object.assign(operation, { 'x-twin': hint });
    }
  return { ...document, security: [], ...(ofAll && { 'x-twin': ofAll }) };
}

const serve = (hints: Hints, ofAll?: object, settings = {}) =>
  serveDocument(toOrders(hints, ofAll), { pets: 0, ...settings });

it('gives members of new items the values of rules, unless these were sent', async () => {
  const { send } = await serve({
    createCustomer: { values: { name: 'Nobody', slug: '{slug(name)}', orders_count: 0 } },
  });
  const { json: unsent } = await send('POST', '/customers', {});
  expect(unsent).toMatchObject({ name: 'Nobody', slug: 'nobody', orders_count: 0 });
  const { json } = await send('POST', '/customers', { name: 'Big Co' });
  expect(json).toMatchObject({ name: 'Big Co', slug: 'big-co' });
  expect((await send('GET', `/customers/${json.id}`)).json).toEqual(json);
});

it('gives members after those that their values name', async () => {
  const values = { slug: '{slug(name)}-{orders_count}', orders_count: 7, name: 'Ada' };
  const { send } = await serve({ createCustomer: { values } });
  const { json } = await send('POST', '/customers', {});
  expect(json).toMatchObject({ slug: 'ada-7', orders_count: 7 });
});

it('sets members whatever was sent, and leaves out those that are absent', async () => {
  const { send } = await serve({
    createCustomer: { sets: { email: '{lower(body.email)}', livemode: '{absent}' } },
    updateCustomer: { sets: { orders_count: '{before.orders_count + 1}' } },
  });
  const { json } = await send('POST', '/customers', { email: 'A@B.CO' });
  expect(json).toMatchObject({ email: 'a@b.co' });
  expect(json).not.toHaveProperty('livemode');
  const { json: patched } = await send('PATCH', `/customers/${json.id}`, { name: 'B' });
  expect(patched.name).toBe('B');
});

it('knows the item above, sums and the time, and counts there', async () => {
  const ofOrder = { title: 'Order of {parent.name}', total: '{sum(lines.amount)}' };
  const { send } = await serve({
    createCustomer: { values: { orders_count: 0 } },
    createOrder: {
      values: { ...ofOrder, created: '{now}', finalized_at: null },
      parent: { orders_count: '{orders_count + 1}' },
    },
  });
  const { json: customer } = await send('POST', '/customers', { name: 'Ada' });
  const orders = `/customers/${customer.id}/orders`;
  const { json } = await send('POST', orders, { lines: [{ amount: 2 }, { amount: 5 }] });
  expect(json).toMatchObject({ title: 'Order of Ada', total: 7, finalized_at: null });
  expect(Math.abs(json.created - Date.now() / 1000)).toBeLessThan(60);
  await send('POST', orders, { lines: [] });
  expect((await send('GET', `/customers/${customer.id}`)).json.orders_count).toBe(2);
});

it('refuses by the state of the item, and changes nothing then', async () => {
  const unless = { 'item.status': 'draft' };
  const refuses = [{ unless, status: 409, body: { error: 'is {item.status}' } }];
  const { send } = await serve({
    createOrder: { values: { status: 'draft' } },
    finalizeOrder: { sets: { status: 'open' }, refuses },
  });
  const { json: customer } = await send('POST', '/customers', { name: 'Ada' });
  const { json: order } = await send('POST', `/customers/${customer.id}/orders`, {});
  const finalize = `/orders/${order.id}/finalize`;
  expect((await send('POST', finalize)).json).toMatchObject({ status: 'open' });
  expect(await send('POST', finalize)).toEqual({ status: 409, json: { error: 'is open' } });
  expect((await send('GET', `/orders/${order.id}`)).json.status).toBe('open');
  expect((await send('POST', '/orders/gone/finalize')).status).toBe(404);
});

it('refuses by what was sent, where a member that is missing is null', async () => {
  const { send } = await serve({
    createCustomer: { refuses: [{ when: { 'body.name': [null, ''] }, status: 400 }] },
  });
  for (const body of [{}, { name: '' }])
    expect((await send('POST', '/customers', body)).status).toBe(400);
  expect((await send('POST', '/customers', { name: 'Ada' })).status).toBe(201);
});

it('answers errors as rules of an operation say, else as those of the document', async () => {
  const body = { at: '{server.base}', id: 'E-{random 8}' };
  const not_found = { status: 410, body, headers: { 'X-Gone': '1' } };
  const hints = {
    getCustomer: { errors: { not_found: { body: { message: 'No {path.customer} here' } } } },
    createCustomer: { unique: ['email'], errors: { value_taken: { status: 422 } } },
  };
  const { call, send } = await serve(hints, { errors: { not_found } });
  const missing = await send('GET', '/customers/x');
  expect(missing).toEqual({ status: 404, json: { message: 'No x here' } });
  const gone = await call('/orders/x');
  expect([gone.status, gone.headers.get('X-Gone')]).toEqual([410, '1']);
  expect(gone.json.at).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(gone.json.id).toMatch(/^E-[\da-f]{8}$/);
  await send('POST', '/customers', { email: 'a@b.co' });
  expect((await send('POST', '/customers', { email: 'a@b.co' })).status).toBe(422);
});

it('gives ids like the one that is shown, lists in an order, and statuses', async () => {
  const { send } = await serve({
    createCustomer: { newId: 'cus_00000000000000', status: 200 },
    listCustomers: { order: 'newest-first' },
  });
  const made = await send('POST', '/customers', { name: 'Ada' });
  expect([made.status, made.json.id]).toEqual([200, 'cus_00000000000001']);
  await send('POST', '/customers', { name: 'Ben' });
  const { json } = await send('GET', '/customers');
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['Ben', 'Ada']);
});

it('gives a new item the id that the caller prefers, if it is free and new ids have its form', async () => {
  const { call } = await serve({
    createCustomer: { newId: 'cus_00000000000000', values: { slug: 'of-{id}' } },
  });
  const create = async (id: string) => {
    const sent = withJson('POST', { name: 'Ada' }, { Prefer: `id="${id}"` });
    const { json, headers } = await call('/customers', sent);
    return [json.id, json.slug, headers.get('Preference-Applied')];
  };
  const id = 'cus_9s6XKzkNRiz8i3';
  expect(await create(id)).toEqual([id, `of-${id}`, `id=${id}`]);
  expect((await call(`/customers/${id}`)).json).toMatchObject({ id, name: 'Ada' });
  expect((await create(id))[0]).toBe('cus_00000000000003');
  for (const other of ['ord_9s6XKzkNRiz8i3', 'cus_9s6XKzkNRiz8i', '7']) {
    const [made, slug, applied] = await create(other);
    expect([made, applied]).toEqual([expect.stringMatching(/^cus_0{12}\d\d$/), null]);
    expect(slug).toBe(`of-${made}`);
  }
  const invalid = await call('/customers', withJson('POST', {}, { Prefer: 'id="a b"' }));
  expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('Preference')]);
});

it.each([
  ['uuid', '3f2b4f7a-6a0c-4a86-9a8e-0d8c53a1d1f0', 'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz'],
  ['text(pattern="^N[0-9a-f]{8}$")', 'N3f2b4f7a', 'X3f2b4f7a'],
])('prefers no id that breaks %s', async (form, right, wrong) => {
  const document = documentOf(`
    POST /notes object -> 201 { id: ${form} }
    GET /notes/{id:text} -> { id: ${form} }
  `);
  const { send } = await serveDocument(document);
  const create = async (id: string) =>
    (await send('POST', '/notes', {}, { Prefer: `id="${id}"` })).json.id;
  expect(await create(right)).toBe(right);
  expect(await create(wrong)).not.toBe(wrong);
});

it('orders a list by a property, unless the query asks for another order', async () => {
  const { send } = await serve({ listCustomers: { order: '-name' } });
  for (const name of ['Ada', 'Cleo', 'Ben']) await send('POST', '/customers', { name });
  const { json } = await send('GET', '/customers');
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['Cleo', 'Ben', 'Ada']);
});

it('writes the time in the form of an example, whatever form it has in the document', async () => {
  const { send } = await serveDocument(
    documentOf(
      'GET /status -> { at!: date-time(example="2020-01-01T00:00:00Z") }',
      {},
      {
        operations: hintsOf({
          'GET /status': { values: { at: '{now}' }, times: '2026-01-01T00:00:00' },
        }),
      },
    ),
  );
  const { json } = await send('GET', '/status');
  expect(json.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
});

it('writes times in the form of an example, and gives first items the values too', async () => {
  const document = toOrders({ createCustomer: { values: { object: 'customer' } } });
  const { send } = await serveDocument(document, { pets: 2 });
  const { json } = await send('GET', '/customers');
  expect(json.map(({ object }: { object: string }) => object)).toEqual(['customer', 'customer']);
  const created = '"created":{"type":"string","format":"date-time"}';
  const text = JSON.stringify(document).replace('"created":{"type":"integer"}', created);
  const stamped = JSON.parse(text);
  const times = '2026-01-01T00:00:00+00:00';
  const other = await serveDocument({ ...stamped, 'x-twin': { times } });
  const made = await other.send('POST', '/customers', { name: 'Ada' });
  expect(made.json.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  const mail = { times: 'Thu, 01 Jan 2026 00:00:00 +0000' };
  Object.assign(stamped.paths['/customers'].post, { 'x-twin': mail });
  const third = await serveDocument(stamped);
  const { json: sent } = await third.send('POST', '/customers', { name: 'Ada' });
  expect(sent.created).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/);
});

it('keeps what rules set in a persistent store', async () => {
  const store = `sqlite:${join(makeFolder(), 'twin.db')}`;
  const hints = { createCustomer: { values: { slug: '{slug(name)}' } } };
  const { send } = await serve(hints, undefined, { store });
  const { json } = await send('POST', '/customers', { name: 'Big Co' });
  expect((await send('GET', `/customers/${json.id}`)).json.slug).toBe('big-co');
});

it('answers successes with the body and the headers of rules', async () => {
  const { send, call } = await serve({
    createCustomer: { headers: { Link: '{absent}', 'X-Name': '{body.name}' } },
    updateCustomer: { status: 202, body: { done: true, id: '{path.customer}', was: '{name}' } },
    finalizeOrder: { body: '{item}' },
    getOrder: { shows: { note: 'Shown' } },
  });
  const created = await call('/customers', withJson('POST', { name: '{Ada}' }));
  expect([created.status, created.headers.get('x-name')]).toEqual([201, '{Ada}']);
  const { id } = created.json;
  const changed = await send('PATCH', `/customers/${id}`, { name: '{Eve}' });
  expect(changed).toMatchObject({ status: 202, json: { done: true, id, was: '{Eve}' } });
  const { json: order } = await send('POST', `/customers/${id}/orders`, { lines: [] });
  const finalized = await send('POST', `/orders/${order.id}/finalize`);
  expect(finalized.json).toEqual((await send('GET', `/orders/${order.id}`)).json);
});

it('answers a text with the media type of a rule', async () => {
  const responses = { 200: { content: { 'application/text': { example: 'pong' } } } };
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const { call } = await serveDocument({
    ...documentOf('GET /ping -> 200'),
    paths: { '/ping': { get: { responses, 'x-twin': { headers } } } },
  });
  const { text, headers: sent } = await call('/ping');
  expect([text, sent.get('content-type')]).toEqual(['pong', headers['content-type']]);
  expect(sent.get('content-security-policy')).toBe('sandbox');
});

it('finds items by an alias, and minds nothing that a rule ignores', async () => {
  const hints = { createCustomer: { ignores: ['idempotency-key'] } };
  const { send } = await serve(hints, { aliases: { '/customers': 'email' } });
  const ada = { name: 'Ada', email: 'ada@mail.test' };
  const create = async () =>
    (await send('POST', '/customers', ada, { 'Idempotency-Key': 'k' })).json;
  const [{ id }, other] = [await create(), await create()];
  expect(other.id).not.toBe(id);
  expect((await send('GET', '/customers/ada@mail.test')).json).toMatchObject({ id });
  expect((await send('GET', `/customers/${id}`)).json).toMatchObject({ id });
});

it('gives several new items the rules of one', async () => {
  const rules = { values: { of: ['{body.text}', 'x'] }, shows: { text: '{absent}' } };
  const document = documentOf(
    `
    GET /notes -> [Note]
    POST /notes Note -> 201 Note
    POST /notes/batch [Note] -> 201 [Note]
    Note: { id: int, text: any, of: any }
    `,
    {},
    { operations: hintsOf({ 'POST /notes': rules }) },
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const { json } = await send('POST', '/notes/batch', [{ text: 'a' }, { text: 'b', of: [] }]);
  expect(json).toEqual([
    { id: 1, of: ['a', 'x'] },
    { id: 2, of: [] },
  ]);
});

it('refuses those who did not create an item, also once others changed it, and ids by their form', async () => {
  const { send } = await serve({
    updateCustomer: {
      refuses: [
        { when: { 'plain(path.customer)': [false] }, status: 400 },
        { when: { 'body.name': ['Eve'], 'caller.isCreator': [false] }, status: 403 },
      ],
    },
  });
  const as = (user: string) => ({ Authorization: `Basic ${btoa(user)}` });
  const { json } = await send('POST', '/customers', { name: 'Ada' }, as('ada:1'));
  const path = `/customers/${json.id}`;
  const change = async (user: string, name: string, at = path) =>
    (await send('PATCH', at, { name }, as(user))).status;
  expect(await change('eve:2', 'Bob')).toBe(200);
  expect(await change('eve:2', 'Eve')).toBe(403);
  expect(await change('ada:1', 'Eve')).toBe(200);
  expect(await change('ada:1', 'Eve', '/customers/no%20id')).toBe(400);
  expect((await send('GET', path)).json).not.toHaveProperty('{/creator}');
});
