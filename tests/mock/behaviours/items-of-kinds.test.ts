import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson as send } from '../../support/with-json.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const payments = (list: string) =>
  documentOf(
    `
    GET /payments?type -> ${list}
    POST /payments Payment -> 201 Payment
    GET /payments/{id} -> Payment
    PUT /payments/{id} Payment -> Payment
    DELETE /payments/{id} -> 204
    `,
    {
      Card: '{| readonly id!: int, type!: "card", token!, note |}',
      Transfer: '{| readonly id!: int, type!: "transfer", iban!, note |}',
      Payment: { oneOf: [ref('Card'), ref('Transfer')], discriminator: { propertyName: 'type' } },
    },
  );

it.each([
  ['a list', '[Payment]', (json: unknown) => json],
  ['an object', '{ data: [Payment] }', ({ data }: { data: unknown }) => data],
])('keeps items of several kinds, which a discriminator names, in %s', async (_, list, read) => {
  const { call } = await serveDocument(payments(list), { items: 4 });
  const first = read((await call('/payments')).json) as { type: string }[];
  expect(first.map(({ type }) => type)).toEqual(['card', 'transfer', 'card', 'transfer']);
  expect(first[1]).toMatchObject({ id: 2, iban: expect.any(String) });
  expect(first[1]).not.toHaveProperty('token');

  const sent = { type: 'transfer', iban: 'DE1', note: 'a' };
  const created = await call('/payments', send('POST', sent));
  expect([created.status, created.json]).toEqual([201, { id: 5, ...sent }]);
  expect((await call('/payments/5')).json).toEqual({ id: 5, ...sent });
  const other = { type: 'card', token: 't' };
  expect((await call('/payments/5', send('PUT', other))).json).toEqual({ id: 5, ...other });
  expect(read((await call('/payments?type=transfer')).json)).toHaveLength(2);
  const wrong = await call('/payments', send('POST', { type: 'card', iban: 'DE1' }));
  expect([wrong.status, wrong.json.message]).toEqual([
    400,
    expect.stringContaining('"token" is required.'),
  ]);
});

it('answers with an item of one kind alone, where a body could be of several', async () => {
  const mapping = { planet: ref('Planet').$ref, moon: ref('Moon').$ref };
  const { call } = await serveDocument(
    documentOf('POST /bodies object -> 201 Body', {
      Planet: '{ readonly id: int, name!, kind: "planet" }',
      Moon: '{| readonly id: int, name!, kind: "moon" |}',
      Body: {
        oneOf: [ref('Planet'), ref('Moon')],
        discriminator: { propertyName: 'kind', mapping },
      },
    }),
  );
  const { json } = await call('/bodies', send('POST', { name: 'Io' }));
  expect(json).toMatchObject({ name: 'Io', kind: expect.stringMatching(/^(planet|moon)$/) });
});

it.each([
  [{ mode: 'Book', name: 'a' }, 201],
  [{ mode: 'Basic', name: 'a', extra: 'b' }, 201],
  [{ mode: 'Basic', name: 'a', extra: 5 }, 400],
  [{ mode: 'Book', name: 'a', extra: 5 }, 201],
  [{ mode: 'Else', name: 'a' }, 201],
])('judges %j by the kind that it names, though others fit it', async (body, status) => {
  const document = documentOf('POST /apps App -> 201 App\nPUT /apps/{id} App -> App', {
    Book: '{ readonly id!: int, name!, mode! }',
    Basic: '{ readonly id!: int, name!, mode!, extra }',
    App: { oneOf: [ref('Book'), ref('Basic')], discriminator: { propertyName: 'mode' } },
  });
  const { call } = await serveDocument(document);
  const created = await call('/apps', send('POST', body));
  expect(created.status).toBe(status);
  if (status === 201) expect(created.json).toMatchObject(body);
  const replaced = await call('/apps/1', send('PUT', body));
  expect(replaced.status).toBe(status === 201 ? 200 : status);
});

it('begins with items of the one kind that a base has', async () => {
  const discriminator = { propertyName: 'petType' };
  const properties = { id: { type: 'integer' }, petType: { type: 'string' } };
  const document = documentOf('GET /pets -> [Pet]', {
    Pet: { type: 'object', required: ['petType'], discriminator, properties },
    Cat: { allOf: [ref('Pet'), { type: 'object', properties: { lives: { type: 'integer' } } }] },
  });
  const { json } = await (await serveDocument(document)).call('/pets');
  const types = json.map(({ petType }: { petType: string }) => petType);
  expect(new Set(types)).toEqual(new Set(['Cat']));
});

it.each([
  [{ kind: 'circle', radius: 0 }, '"radius" must be more than 0, but is 0.'],
  [{ kind: 'circle' }, '"radius" is required.'],
  [{ kind: 'hexagon', side: 2 }, '"kind" must be "circle" or "square", but is "hexagon".'],
])('says of %j what is wrong with its kind alone', async (body, problem) => {
  const document = documentOf('POST /shapes Shape -> 201 Shape', {
    Circle: {
      required: ['kind', 'radius'],
      properties: { kind: { const: 'circle' }, radius: { type: 'number', exclusiveMinimum: 0 } },
    },
    Square: '{ kind!: "square", side!: number }',
    Shape: { oneOf: [ref('Circle'), ref('Square')] },
  });
  const { status, json } = await (await serveDocument(document)).call(
    '/shapes',
    send('POST', body),
  );
  expect([status, json.message.match(/"\w+" (?:is|must).*?\.(?= |$)/g)]).toEqual([400, [problem]]);
});

it('takes what only another kind describes as it is sent', async () => {
  const document = documentOf('POST /payments Payment -> 201 Payment', {
    Card: '{ readonly id!: int, type!: "card", held: { of: Payment } }',
    Bank: '{ readonly id!: int, type!: "bank", account!: { key! } }',
    Payment: { oneOf: [ref('Card'), ref('Bank')] },
  });
  const { call } = await serveDocument(document);
  const sent = { type: 'card', account: 5, held: { of: { type: 'card', account: 'x' } } };
  expect((await call('/payments', send('POST', sent))).json).toMatchObject(sent);
});
