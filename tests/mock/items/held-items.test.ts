import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const send = withJson;
const own = (path: string, name: string) => `
  GET ${path} -> [${name}]
  POST ${path} New${name} -> 201 ${name}
  GET ${path}/{id} -> ${name}
  PATCH ${path}/{id} New${name} -> ${name}
  PUT ${path}/{id} New${name} -> ${name}
  DELETE ${path}/{id} -> 204
`;

/** Customers and tags, and orders that have one of these and several of those. */
const shop = (schemas = {}, more = '') =>
  documentOf(own('/customers', 'Customer') + own('/tags', 'Tag') + own('/orders', 'Order') + more, {
    NewCustomer: '{ name }',
    Customer: '{ readonly id: int, name! }',
    NewTag: '{ name }',
    Tag: '{ readonly id: int, name! }',
    NewOrder: '{ customer_id: int, tag_ids: [int], note }',
    Order:
      '{ readonly id: int, customer_id: int, readonly customer!: Customer, readonly tags!: [Tag], note }',
    ...schemas,
  });

async function serveShop(document = shop()) {
  const { call } = await serveDocument(document);
  const post = async (path: string, body: unknown) => (await call(path, send('POST', body))).json;
  return { call, post };
}

it('shows the items whose ids were sent, and other ones after a change', async () => {
  const { call, post } = await serveShop();
  const anna = await post('/customers', { name: 'Anna' });
  const red = await post('/tags', { name: 'red' });
  const sent = { customer_id: anna.id, tag_ids: [red.id, 1], note: 'n' };
  const order = await post('/orders', sent);
  const { json: first } = await call('/tags/1');
  const expected = { customer_id: anna.id, customer: anna, tags: [red, first], note: 'n' };
  expect(order).toMatchObject(expected);
  const path = `/orders/${order.id}`;
  const { json: other } = await call('/customers/1');
  for (const method of ['PATCH', 'PUT']) {
    await call(path, send(method, { ...sent, customer_id: 1 }));
    expect((await call(path)).json).toMatchObject({ ...expected, customer_id: 1, customer: other });
    await call(path, send('PATCH', { customer_id: anna.id }));
    await call(path, send('PATCH', { note: 'm' }));
    expect((await call(path)).json).toMatchObject({ ...expected, note: 'm' });
  }
});

it.each([
  '{ id!: int, name! }',
  { ...schemaOf('{ id!: int, name! }'), additionalProperties: false },
])('shows of a held item what a read must have, if lists may show that: %j', async (Brief) => {
  const document = documentOf(
    `${own('/customers', 'Customer')}
      GET /orders -> [{ id!: int, customer!: Brief }]
      GET /orders/{id} -> { id!: int, customer!: Customer }`,
    { Brief, NewCustomer: '{ name!, email! }', Customer: '{ id!: int, name!, email! }' },
  );
  const { call } = await serveDocument(document);
  const { json: customer } = await call('/customers/1');
  const [first] = (await call('/orders')).json;
  const isOpen = typeof Brief === 'string';
  const { email: _, ...brief } = customer;
  expect(first.customer).toEqual(isOpen ? customer : brief);
  expect((await call('/orders/1')).json.customer).toMatchObject(isOpen ? customer : brief);
});

it('shows a held item as it is after a change, and as it was when it was deleted', async () => {
  const { call, post } = await serveShop();
  const anna = await post('/customers', { name: 'Anna' });
  const red = await post('/tags', { name: 'red' });
  const { id } = await post('/orders', { customer_id: anna.id, tag_ids: [red.id] });
  await call(`/customers/${anna.id}`, send('PATCH', { name: 'Zoe' }));
  await call(`/tags/${red.id}`, send('PUT', { name: 'blue' }));
  const expected = { customer: { ...anna, name: 'Zoe' }, tags: [{ ...red, name: 'blue' }] };
  expect((await call(`/orders/${id}`)).json).toMatchObject(expected);
  await call(`/customers/${anna.id}`, { method: 'DELETE' });
  expect((await call(`/orders/${id}`)).json).toMatchObject({ customer_id: anna.id, ...expected });
});

it('begins with items that hold those of other collections', async () => {
  const { call } = await serveShop();
  const { json: orders } = await call('/orders');
  for (const { customer, customer_id = customer.id, tags } of orders) {
    expect(customer_id).toBe(customer.id);
    for (const tag of tags) expect((await call(`/tags/${tag.id}`)).json).toEqual(tag);
    expect((await call(`/customers/${customer.id}`)).json).toEqual(customer);
  }
});

it('creates items that nothing was sent of with one that is there, and with empty lists', async () => {
  const { call, post } = await serveShop();
  const { json: customer } = await call('/customers/1');
  expect(await post('/orders', {})).toMatchObject({ customer, customer_id: 1, tags: [] });
});

it('keeps what was sent of a held item, and adds what was not sent', async () => {
  const held = {
    NewOrder: '{ customer: Customer, tags: [Tag] }',
    Order: '{ readonly id: int, customer: Customer, customerId: int, tags: [Tag] }',
    Customer: '{ id: int, name, city }',
    Tag: '{ id: int, name }',
    NewCustomer: '{ name, city }',
  };
  const { call, post } = await serveShop(shop(held));
  const anna = await post('/customers', { name: 'Anna', city: 'Rom' });
  const { id } = anna;
  const { json: tag } = await call('/tags/2');
  expect(await post('/orders', { customer: { id }, tags: [{ id: 2 }] })).toMatchObject({
    ...{ customer: anna, customerId: id, tags: [tag] },
  });
  const customer = { id, name: 'Bea' };
  const sent = { customer, tags: [{ id: 99, name: 'new' }, { name: 'bare' }] };
  const order = await post('/orders', sent);
  expect(order).toMatchObject({ ...sent, customer: { ...customer, city: 'Rom' } });
  await call(`/customers/${id}`, send('PATCH', { name: 'Zoe', city: 'Bern' }));
  const { json: later } = await call(`/orders/${order.id}`);
  expect(later).toMatchObject({ ...sent, customer: { ...customer, city: 'Bern' } });
});

it('shows no more of a held item than its schema has, also where that is only like it', async () => {
  const held = {
    Customer: '{ readonly id: int, name!, secret }',
    NewCustomer: '{ name, secret }',
    NewOrder: '{ customerId: int }',
    Order: '{ readonly id: int, customerId: int, customer: Short }',
    Short: '{ id: int, name }',
  };
  const { post } = await serveShop(shop(held));
  const { id } = await post('/customers', { name: 'Anna', secret: 'x' });
  const order = await post('/orders', { customerId: id });
  expect(order).toEqual({ id: order.id, customerId: id, customer: { id, name: 'Anna' } });
});

it('shows items that hold each other, and their own kind, one within the other', async () => {
  const held = {
    NewCustomer: '{ name, parentId: int }',
    Customer: '{ readonly id: int, name!, parentId: int, parent: Customer, orders: [Order] }',
    NewOrder: '{ customerId: int }',
    Order: '{ readonly id: int, customerId: int, customer: Customer }',
  };
  const { call, post } = await serveShop(shop(held));
  const top = await post('/customers', { name: 'top' });
  const low = await post('/customers', { name: 'low', parentId: top.id });
  const lowest = await post('/customers', { name: 'lowest', parentId: low.id });
  expect(lowest.parent).toEqual({ id: low.id, name: 'low', parentId: top.id });
  const order = await post('/orders', { customerId: low.id });
  expect(order.customer).toMatchObject({ id: low.id, parentId: top.id });
  for (const name of ['a', 'b', 'c'])
    for (const { id } of [low, top]) await call(`/customers/${id}`, send('PATCH', { name }));
  const { json } = await call(`/orders/${order.id}`);
  expect(json.customer).toMatchObject({ name: 'c' });
  expect(JSON.stringify(json).length).toBeLessThan(300);
});

it('names held items by other properties than their ids, and none by null', async () => {
  const held = {
    NewCustomer: '{ login }',
    Customer: '{ readonly id: int, login! }',
    NewOrder: schemaOf('{ customer, customer_id: int | null }'),
    Order: {
      type: 'object',
      properties: {
        id: { type: 'integer', readOnly: true },
        customer_id: { type: ['integer', 'null'] },
        customer: { oneOf: [{ $ref: '#/components/schemas/Customer' }, { type: 'null' }] },
      },
    },
  };
  const { call, post } = await serveShop(shop(held));
  const customer = await post('/customers', { login: 'anna' });
  const order = await post('/orders', { customer: 'anna' });
  expect(order).toMatchObject({ customer, customer_id: customer.id });
  await call(`/orders/${order.id}`, send('PATCH', { customer_id: null }));
  expect((await call(`/orders/${order.id}`)).json).toMatchObject({ customer: null });
});

it('takes a property of ids for that of objects that are called longer', async () => {
  const held = {
    NewOrder: '{ customer!: int, tags: [int] }',
    Order:
      '{ readonly id: int, customer!: int, customerDetail!: Customer, tags: [int], tag_list: [Tag] }',
  };
  const { call, post } = await serveShop(shop(held));
  const customer = await post('/customers', { name: 'Anna' });
  const order = await post('/orders', { customer: customer.id, tags: [2] });
  expect(order).toMatchObject({ customer: customer.id, customerDetail: customer, tags: [2] });
  expect(order.tag_list).toEqual([(await call('/tags/2')).json]);
  const { json: orders } = await call('/orders');
  for (const one of orders) expect(one.customerDetail.id).toBe(one.customer);
});

it('has items below another hold that one', async () => {
  const more = `
    GET /customers/{customerId}/notes -> [Note]
    POST /customers/{customerId}/notes NewNote -> 201 Note
    GET /customers/{customerId}/notes/{noteId} -> Note
  `;
  const held = { NewNote: '{ text }', Note: '{ readonly id: int, text, customer!: Customer }' };
  const { call, post } = await serveShop(shop(held, more));
  const customer = await post('/customers', { name: 'Anna' });
  const note = await post(`/customers/${customer.id}/notes`, { text: 'hi' });
  expect(note).toMatchObject({ text: 'hi', customer });
  const { json: notes } = await call('/customers/1/notes');
  const { json: first } = await call('/customers/1');
  expect(notes.map((one: { customer: object }) => one.customer)).toEqual([first, first]);
});

it('keeps what was sent of objects within items where it names them, though it is readOnly', async () => {
  const held = '{ readonly id!, readonly summary!, type }';
  const item = schemaOf(`{ readonly id: int, policy: ${held}, steps: [${held}] }`);
  const { call, post } = await serveShop(
    documentOf(own('/services', 'Service'), { NewService: item, Service: item }),
  );
  const sent = { policy: { id: '6', type: 'ref' }, steps: [{ id: 'a' }, { id: 'b' }] };
  const { json: made } = await call('/services', send('POST', sent));
  expect(made).toMatchObject(sent);
  const path = `/services/${made.id}`;
  const other = { policy: { id: '7' }, steps: [made.steps[1], { id: 'c' }] };
  for (const method of ['PUT', 'PATCH']) {
    expect((await call(path, send(method, other))).json).toMatchObject(other);
    const { json } = await call(path, send(method, { policy: { type: 'x' } }));
    expect(json.policy).toMatchObject({ id: '7', type: 'x' });
  }
  expect(await post('/services', {})).not.toHaveProperty('policy');
});

it('holds what a JSON Patch sets, also by an id, and what it sets of a held item', async () => {
  const patch = { content: { 'application/json-patch+json': { schema: { type: 'array' } } } };
  const document = shop({
    NewOrder: '{ customer: Customer, tags: [Tag] }',
    Order: '{ readonly id: int, customerId: int, customer: Customer, tags: [Tag] }',
    Customer: '{ id: int, name }',
    Tag: '{ id: int, name }',
  });
  Object.assign(document.paths['/orders/{id}']?.patch ?? {}, { requestBody: patch });
  const { call, post } = await serveShop(document);
  const { id } = await post('/orders', { customer: { id: 1 }, tags: [{ id: 1 }] });
  const change = async (path: string, value: unknown) => {
    const body = JSON.stringify([{ op: 'add', path, value }]);
    const headers = { 'content-type': 'application/json-patch+json' };
    await call(`/orders/${id}`, { method: 'PATCH', headers, body });
    return (await call(`/orders/${id}`)).json;
  };
  expect((await change('/customer/name', 'New')).customer).toEqual({ id: 1, name: 'New' });
  expect((await change('/tags/-', { id: 2, name: 'b' })).tags).toMatchObject([
    { id: 1 },
    { id: 2 },
  ]);
  expect((await change('/tags', [])).tags).toEqual([]);
  const customer = { id: 77, name: 'Other' };
  expect(await change('/customer', customer)).toMatchObject({ customer, customerId: 77 });
  const second = (await call('/customers/2')).json;
  expect(await change('/customerId', 2)).toMatchObject({ customerId: 2, customer: second });
});

it('mixes no two held items, and keeps what was sent of one, at any depth', async () => {
  const address = 'address: { city, zip }';
  const document = shop({
    NewCustomer: `{ name, city, ${address} }`,
    Customer: `{ readonly id: int, name!, city, ${address} }`,
    NewOrder: `{ customer: { id: int, name, city, ${address} } }`,
    Order: '{ readonly id: int, customer: Customer }',
  });
  const { call, post } = await serveShop(document);
  const anna = await post('/customers', { name: 'Anna', city: 'Rom' });
  const bea = await post('/customers', { name: 'Bea', address: { city: 'Bern', zip: '1' } });
  const order = await post('/orders', { customer: { id: anna.id, name: 'Ann' } });
  const patch = async (customer: unknown) =>
    (await call(`/orders/${order.id}`, send('PATCH', { customer }))).json.customer;
  expect(await patch({ id: anna.id, city: 'Ulm' })).toEqual({ ...anna, name: 'Ann', city: 'Ulm' });
  expect(await patch({ id: bea.id })).toEqual(bea);
  const other = { id: bea.id, address: { city: 'Genf' } };
  expect((await post('/orders', { customer: other })).customer).toMatchObject(other);
});

it('keeps what was sent of held items beside their ids, and ids of unknown ones', async () => {
  const sent = '{ customerId: int, customer: { id: int, name }, tags: [int] }';
  const { call, post } = await serveShop(
    shop({
      NewOrder: sent,
      Order: '{ readonly id: int, customerId: int, customer: Customer, tags: [Tag] }',
      Customer: '{ readonly id: int, name!, city }',
    }),
  );
  const customer = { name: 'Mine' };
  const order = await post('/orders', { customerId: 1, customer, tags: [1, 99] });
  expect(order).toMatchObject({ customerId: 1, customer: { id: 1, ...customer } });
  expect(order.tags).toMatchObject([(await call('/tags/1')).json, { id: 99 }]);
  await call(`/orders/${order.id}`, send('PATCH', { customerId: 99 }));
  const { json } = await call(`/orders/${order.id}`);
  expect(json).toEqual({ id: order.id, customerId: 99, tags: order.tags });
});

it.each(['ä', 'a"b', 'a\\b'])('finds and refreshes items by the id %s', async (id) => {
  const document = shop({
    NewCustomer: '{ id, name, login }',
    Customer: '{ id, name!, login }',
    NewOrder: { type: 'object', properties: { customer: { type: 'string' } } },
    Order: '{ readonly id: int, customer: Customer }',
  });
  const { call, post } = await serveShop(document);
  await post('/customers', { id, name: 'Anna', login: `l ${id}` });
  const { id: order, customer } = await post('/orders', { customer: `l ${id}` });
  expect(customer).toMatchObject({ id, name: 'Anna' });
  await call(`/customers/${encodeURIComponent(id)}`, send('PATCH', { name: 'Zoe' }));
  expect((await call(`/orders/${order}`)).json.customer).toMatchObject({ id, name: 'Zoe' });
  await call(`/orders/${order}`, send('PATCH', { customer: 'nobody' }));
  expect((await call(`/orders/${order}`)).json.customer.name).not.toBe('Zoe');
});

it('replaces long lists of named objects in time', { timeout: 5000 }, async () => {
  const own = '{ readonly id: int, parts: [{ id: int, name }] }';
  const { call } = await serveDocument(`
    PUT /kits/{id} Kit -> Kit, 404
    Kit: ${own}
  `);
  const parts = Array.from({ length: 16_000 }, (_, id) => ({ id, name: 'p' }));
  await call('/kits/1', send('PUT', { parts }));
  const { json } = await call('/kits/1', send('PUT', { parts: parts.toReversed() }));
  expect(json.parts[0]).toEqual({ id: 15_999, name: 'p' });
});

it('shows the parent of an item as it is, also in what its children show of it', async () => {
  const { send } = await serveEmpty(`
    GET /folders -> [Folder]
    POST /folders { name, parent: { id: text } } -> 201 Folder
    GET /folders/{id:text} -> Folder
    PATCH /folders/{id:text} { name } -> Folder
    GET /nodes -> [Node]
    POST /nodes { name, parent_id: text } -> 201 Node
    GET /nodes/{id:text} -> Node
    PATCH /nodes/{id:text} { name } -> Node
    Folder: { id!: text, name, parent: { id: text, name } }
    Node: { id!: text, name, parent_id: text, parent!: Node | null }
  `);
  const folders = ['1', undefined].map((id) => ({ name: 'A', ...(id && { parent: { id } }) }));
  for (const body of folders.toReversed()) await send('POST', '/folders', body);
  await send('PATCH', '/folders/1', { name: 'B' });
  expect((await send('GET', '/folders/2')).json.parent).toEqual({ id: '1', name: 'B' });

  const root = await send('POST', '/nodes', { name: 'root' });
  expect(root.json).toEqual({ id: '1', name: 'root', parent: null });
  for (const parent_id of ['1', '2']) await send('POST', '/nodes', { name: 'kid', parent_id });
  await send('PATCH', '/nodes/1', { name: 'top' });
  const { json } = await send('GET', '/nodes/3');
  expect(json.parent).toMatchObject({ id: '2', parent: { id: '1', name: 'top' } });
});

it('shows the item of the path below which an item was created, though no body names it', async () => {
  const { call, post } = await serveShop(
    documentOf(
      `${own('/customers', 'Customer')}
       GET /customers/{customerId}/orders -> [Order]
       POST /customers/{customerId}/orders { note } -> 201 Order
       GET /orders/{id} -> Order`,
      {
        NewCustomer: '{ name }',
        Customer: '{ readonly id: int, name! }',
        Order: '{ readonly id: int, readonly customer: Customer, note }',
      },
    ),
  );
  const anna = await post('/customers', { name: 'Anna' });
  const order = await post(`/customers/${anna.id}/orders`, { note: 'n' });
  expect(order).toEqual({ id: order.id, note: 'n', customer: anna });
  expect((await call(`/orders/${order.id}`)).json).toEqual(order);
});

it('shows what a list of values has for an item that is a reference, or held by one', async () => {
  const { call, post } = await serveShop(
    documentOf(
      `GET /services -> [Brief]
       POST /services { name } -> 201 Service
       GET /services/{id} -> Service
       GET /incidents -> [Incident]
       POST /incidents { service_id: int } -> 201 Incident
       GET /incidents/{id} -> Incident`,
      {
        Service: '{ readonly id!: int, readonly type!: "service" | "old_service", name! }',
        Brief: '{ id!: int, type!: "service_reference" | "old_service_reference", name! }',
        Incident: '{ id!: int, service_id: int, readonly service!: Brief }',
      },
    ),
  );
  const { id, type } = await post('/services', { name: 'web' });
  const listed = (await call('/services')).json.find((one: { id: number }) => one.id === id);
  expect(listed).toEqual({ id, type: `${type}_reference`, name: 'web' });
  expect((await post('/incidents', { service_id: id })).service).toEqual(listed);
});
