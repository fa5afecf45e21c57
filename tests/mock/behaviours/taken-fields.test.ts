import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';
import { withJson as send } from '../../support/with-json.ts';

it.each([
  ['beside other members', '{ valuation: { amount: int, note }, upsert: bool }', 'valuation'],
  ['in two objects', '{ data: { type, attributes: { amount: int, note } } }', 'data attributes'],
  ['in other cases', '{ Amount: int, NOTE }', '', { amount: 'Amount', note: 'NOTE' }],
  [
    'behind the noun',
    '{ offer_amount: int, offerNote: text }',
    '',
    { amount: 'offer_amount', note: 'offerNote' },
  ],
])('stores and changes what a body has %s', async (_, body, at, ...[names = {}]) => {
  const { call } = await serveEmpty(
    documentOf(
      `
      GET /offers -> [Offer]
      POST /offers Body -> 201 Offer
      GET /offers/{id} -> Offer
      PUT /offers/{id} Body -> Offer
      `,
      { Offer: '{ readonly id: int, amount: int, note }', Body: body },
    ),
  );
  const toBody = (fields: object) => {
    const named = Object.entries(fields).map(([name, value]) => [
      (names as Record<string, string>)[name] ?? name,
      value,
    ]);
    const keys = at.split(' ').filter((key) => key !== '');
    return keys.reduceRight<object>((held, key) => ({ [key]: held }), Object.fromEntries(named));
  };
  const made = await call('/offers', send('POST', toBody({ amount: 5, note: 'a' })));
  expect(made.json).toEqual({ id: 1, amount: 5, note: 'a' });
  await call('/offers/1', send('PUT', toBody({ note: 'b' })));
  expect((await call('/offers/1')).json).toEqual({ id: 1, amount: 5, note: 'b' });
});

it('stores what a flat body has in the object that items have it in', async () => {
  const document = documentOf(`
    POST /articles { title, body } -> 201 { data: Article }
    GET /articles/{id:text} -> { data: Article }
    Article: { id, type, attributes: { title, body } }
  `);
  const { call } = await serveEmpty(document);
  const { json } = await call('/articles', send('POST', { title: 'T', body: 'B' }));
  expect(json.data).toMatchObject({ attributes: { title: 'T', body: 'B' } });
  expect((await call(`/articles/${json.data.id}`)).json).toEqual(json);
});

it('leaves an object of another thing alone', async () => {
  const document = documentOf(`
    POST /bills { customer: { name, mail, street } } -> 201 Bill
    GET /bills/{id} -> Bill
    Bill: { id: int, name, sum: int }
  `);
  const { call } = await serveEmpty(document);
  const { json } = await call('/bills', send('POST', { customer: { name: 'Ann' } }));
  expect(json.name).not.toBe('Ann');
});

it('creates and changes the items of a list below other members', async () => {
  const { call } = await serveEmpty(`
    GET /records -> { records: [Record] }
    POST /records { Records: [{ Name }], strict: bool } -> { records: [Record] }
    PUT /records { records: [Record] } -> { records: [Record] }
    PATCH /records { records: [Record] } -> { records: [Record] }
    DELETE /records { ids: [int] } -> 204, 404
    GET /records/{id} -> Record
    Record: { id: int, name, note }
  `);
  const made = await call('/records', send('POST', { Records: [{ Name: 'a' }, { Name: 'b' }] }));
  expect(made.json).toEqual({
    records: [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ],
  });
  await call('/records', send('PATCH', { records: [{ id: 1, note: 'x' }] }));
  expect((await call('/records/1')).json).toEqual({ id: 1, name: 'a', note: 'x' });
  const put = await call(
    '/records',
    send('PUT', { records: [{ id: 2, name: 'c' }, { name: 'd' }] }),
  );
  expect(put.json).toEqual({
    records: [
      { id: 2, name: 'c' },
      { id: 3, name: 'd' },
    ],
  });
  expect((await call('/records', send('DELETE', { ids: [1, 99, 2] }))).status).toBe(204);
  expect((await call('/records')).json).toEqual({ records: [{ id: 3, name: 'd' }] });
});

it('works on several items at a word below their path', async () => {
  const { call } = await serveEmpty(`
    GET /pets -> [Pet]
    POST /pets Pet -> 201 Pet
    GET /pets/{id} -> Pet
    PUT /pets/bulk [Pet] -> [Pet]
    POST /pets/bulk { pets: [Pet] } -> 201 { pets: [Pet], created!: int }
    POST /pets/bulk-delete { petIds: [int] } -> 204
    POST /pets/bulk-remove { pets: [int] } -> { removedCount!: int }
    Pet: { id: int, name }
  `);
  const made = await call('/pets/bulk', send('POST', { pets: [{ name: 'a' }, { name: 'b' }] }));
  expect(made.json).toEqual({
    pets: [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ],
    created: 2,
  });
  await call('/pets/bulk', send('PUT', [{ id: 2, name: 'c' }]));
  await call('/pets/bulk-delete', send('POST', { petIds: [1] }));
  expect((await call('/pets')).json).toEqual([{ id: 2, name: 'c' }]);
  const removed = await call('/pets/bulk-remove', send('POST', { pets: [1, 2] }));
  expect(removed.json).toEqual({ removedCount: 1 });
  expect((await call('/pets')).json).toEqual([]);
});

it.each([
  ['{ title, categoryId: int }', { categoryId: 3 }, { categoryId: 1 }],
  ['{ title, category_id: int }', { category_id: 3 }, { category_id: 1 }],
  ['{ title, category: int }', { category: 3 }, { category: 1 }],
])(
  'shows the object that a body of %s names, though no collection has it',
  async (body, sent, patched) => {
    const { send } = await serveDocument(`
    GET /products -> [Product]
    POST /products ${body} -> 201 Product
    GET /products/{id} -> Product
    PATCH /products/{id} ${body} -> Product
    Product: { id!: int, title, category!: { id!: int, name! } }
  `);
    const { json } = await send('POST', '/products', { title: 'a', ...sent });
    expect(json).toEqual({ id: 3, title: 'a', category: { id: 3, name: expect.any(String) } });
    expect((await send('PATCH', '/products/3', { title: 'b' })).json).toEqual({
      ...json,
      title: 'b',
    });
    const changed = await send('PATCH', '/products/3', patched);
    expect(changed.json.category).toEqual({ id: 1, name: expect.any(String) });
    expect((await send('GET', '/products')).json).toContainEqual(changed.json);
  },
);

it('shows the objects that several ids name, and none for null', async () => {
  const body = '{ tagIds: [int], ownerId: int | null, shopId: int | null, currencyCode: text }';
  const { send } = await serveDocument(`
    GET /products -> [Product]
    POST /products ${body} -> 201 Product
    PATCH /products/{id} ${body} -> Product
    Product: { id!: int, tags!: [{ id!: int, label! }], ownerId: int | null, owner!: Owner | null, shop!: Owner | null, currency!: { code!, sign! } }
    Owner: { id!: int, name! }
  `);
  const { json } = await send('POST', '/products', {
    tagIds: [7, 8],
    ownerId: 5,
    currencyCode: 'EUR',
  });
  const label = expect.any(String);
  expect(json).toMatchObject({
    tags: [
      { id: 7, label },
      { id: 8, label },
    ],
    ...{ ownerId: 5, owner: { id: 5, name: label }, currency: { code: 'EUR', sign: label } },
  });
  const changed = await send('PATCH', '/products/3', { ownerId: null, shopId: null });
  expect(changed.json).toEqual({ ...json, ownerId: null, owner: null, shop: null });
});

it('takes a value for the property of an object that it is called by', async () => {
  const body = '{ title, countryCode, labelNames: [text], makerId: int }';
  const { send } = await serveEmpty(`
    POST /products ${body} -> 201 Product
    GET /products/{id} -> Product
    PATCH /products/{id} ${body} -> Product
    Product: { readonly id!: int, title, country: { id!, code! }, labels: [{ id!, name! }], maker: { id! } }
  `);
  const sent = { title: 'a', countryCode: 'DE', labelNames: ['x', 'y'], makerId: 5 };
  const { json } = await send('POST', '/products', sent);
  const [x, y] = [
    { id: expect.any(String), name: 'x' },
    { id: expect.any(String), name: 'y' },
  ];
  const country = { id: expect.any(String), code: 'DE' };
  expect(json).toEqual({ id: 1, title: 'a', country, labels: [x, y] });
  const { json: changed } = await send('PATCH', '/products/1', {
    title: 'b',
    labelNames: ['y', 'z'],
  });
  expect(changed.labels[0]).toEqual(json.labels[1]);
});

it('shows a number as the text that items have for it, in another case', async () => {
  const { call } = await serveEmpty(`
    POST /users { integration_id!: int, full_name } -> 201 User
    GET /users/{id:text} -> User
    User: { id, fullName, integrationId }
  `);
  const { json } = await call('/users', send('POST', { integration_id: 2, full_name: 'Ada' }));
  expect(json).toEqual({ id: '1', integrationId: '2', fullName: 'Ada' });
  expect((await call('/users/1')).json).toEqual(json);
});
