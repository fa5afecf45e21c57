import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const lines = `
  GET /owners -> { data!: [Owner], total!: int }
  POST /owners { name } -> 201 Owner
  GET /owners/{ownerId} -> Owner
  GET /cats -> [Cat]
  GET /cats/{catId} -> Cat
`;
const shapes = { Owner: '{ id!: int, name }', Cat: '{ id!: int, name, ownerId: int }' };

type Shown = Partial<Record<'list' | 'read' | 'schema' | 'cats', unknown>>;

/** A call of a mock of owners and cats, of whom examples show some. */
async function serve({ list, read, schema, cats }: Shown) {
  const document = documentOf(lines, shapes);
  const show = (path: string, example: unknown) => {
    const content = document.paths[path]?.get.responses[200].content['application/json'];
    if (example !== undefined) content.example = example;
  };
  show('/owners', list);
  show('/owners/{ownerId}', read);
  show('/cats', cats);
  if (schema !== undefined)
    Object.assign(document.components?.schemas?.Owner ?? {}, { example: schema });
  return (await serveDocument(document, { pets: 3 })).send;
}

const ada = { id: 7, name: 'Ada' };

it.each<[string, Shown]>([
  ['a list', { list: { data: [ada], total: 1 } }],
  ['one of them', { read: ada }],
  ['their schema', { schema: ada }],
])('begins with the items that an example of %s shows', async (_, shown) => {
  const call = await serve(shown);
  expect((await call('GET', '/owners/7')).json).toEqual(ada);
  const { json } = await call('GET', '/owners');
  expect(json).toMatchObject({ total: 3, data: [ada, { id: 1 }, { id: 2 }] });
  expect((await call('POST', '/owners', { name: 'new' })).json.id).toBe(8);
});

it('begins with pets that a document shows, and not with those of the Pet Store', async () => {
  const { send } = await serveDocument(
    documentOf(`
      GET /pets -> [Pet]
      GET /pets/{id} -> Pet
      Pet: { id!: int, name! }(example=${JSON.stringify(ada)})
    `),
    { pets: 1 },
  );
  expect((await send('GET', '/pets')).json).toEqual([ada]);
});

it('shows each item once, beside others with other ids', async () => {
  const data = [{ id: 2, name: 'Two' }, ada, { id: 2, name: 'Again' }];
  const call = await serve({ list: { data, total: 3 }, read: { id: 7, name: 'Other' } });
  const { json } = await call('GET', '/owners');
  expect(json.data).toEqual([data[0], ada, { id: 1, name: expect.any(String) }]);
});

it('shows an item whose id is no number, though its path shows that id too', async () => {
  const tag = { id: 'red', name: 'Red' };
  const document = documentOf(`
    GET /tags -> [Tag]
    GET /tags/{id:text} -> Tag
    Tag: { id!, name! }(example=${JSON.stringify(tag)})
  `);
  Object.assign(document.paths['/tags/{id}']?.parameters[0], { example: 'red' });
  const { send } = await serveDocument(document, { pets: 3 });
  const { json } = await send('GET', '/tags');
  expect(json).toHaveLength(3);
  expect(json[0]).toEqual(tag);
});

it('begins with what an example shows below an item, and nothing else there', async () => {
  const order = (id: number, skus: string[]) => ({
    id,
    lines: skus.map((sku) => ({ id: 5, sku })),
  });
  const document = documentOf(`
    GET /orders -> [Order]
    GET /orders/{id} -> Order
    GET /orders/{id}/lines -> [Line]
    POST /orders/{id}/lines { sku } -> 201 Line
    GET /lines/{line_id} -> Line
    Order: { id!: int, lines!: [Line] }
    Line: { id!: int, sku! }
  `);
  const shown = [
    order(7, ['a']),
    order(8, []),
    ...[...'0123456789'].map((n) => order(20 + +n, [])),
  ];
  const last = { id: 40, lines: [{ id: 6, sku: 'b' }] };
  Object.assign(document.paths['/orders']?.get.responses[200].content['application/json'], {
    example: [...shown, last],
  });
  const { send } = await serveDocument(document, { pets: 15 });
  const { json } = await send('GET', '/orders');
  expect(json.slice(0, 13)).toEqual([...shown, last]);
  expect((await send('GET', '/orders/7/lines')).json).toEqual(shown[0]?.lines);
});

it('leaves out what is no item, or none of the schema', async () => {
  const call = await serve({
    list: { data: [{ name: 'None' }, { id: 9, name: 1 }, 'x'], total: 3 },
  });
  expect((await call('GET', '/owners')).json.data).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

it('ties shown items to those that are there', async () => {
  const cats = [7, 99].map((ownerId, index) => ({ id: index + 1, name: 'Rex', ownerId }));
  const call = await serve({ list: { data: [ada], total: 1 }, cats });
  const { json } = await call('GET', '/cats');
  expect(json[0]).toEqual(cats[0]);
  expect([1, 2, 7]).toContain(json[1].ownerId);
});
