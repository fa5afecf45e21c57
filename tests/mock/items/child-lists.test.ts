import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

/** Orders with lines below them, which are changed below the order or at `/lines`. */
const orders = (itemPath: string) => `
  POST /orders { note, lines: [NewLine] } -> 201 Order
  GET /orders -> [Order]
  GET /orders/{id} -> Order
  PATCH /orders/{id} { note, lines: [Line] } -> Order
  DELETE /orders/{id} -> 204
  POST /orders/{id}/lines NewLine -> 201 Line
  GET /orders/{id}/lines -> [Line]
  PATCH ${itemPath}/lines/{line_id} { sku, count: int } -> Line
  DELETE ${itemPath}/lines/{line_id} -> 204
  Order: { id!: int, note, lines!: [Line] }
  NewLine: { sku!, count: int(default=1) }
  Line: { readonly id!: int, sku!, count!: int(default=1) }
`;

it.each(['/orders/{id}', ''])(
  'shows in an item what is changed below it at %s/lines',
  async (path) => {
    const { send } = await serveEmpty(orders(path));
    const linesOf = async (id: number) => (await send('GET', `/orders/${id}`)).json.lines;
    expect(await send('POST', '/orders', {})).toMatchObject({ json: { id: 1, lines: [] } });
    await send('POST', '/orders', {});
    await send('POST', '/orders/1/lines', { sku: 'a' });
    await send('POST', '/orders/1/lines', { sku: 'b', count: 3 });
    const lines = [
      { id: 1, sku: 'a', count: 1 },
      { id: 2, sku: 'b', count: 3 },
    ];
    expect((await send('GET', '/orders')).json).toMatchObject([{ lines }, { lines: [] }]);
    const at = `${path.replace('{id}', '1')}/lines`;
    expect(await send('PATCH', `${at}/1`, { count: 9 })).toMatchObject({ status: 200 });
    expect(await send('DELETE', `${at}/2`)).toMatchObject({ status: 204 });
    expect(await linesOf(1)).toEqual([{ id: 1, sku: 'a', count: 9 }]);
    const { json } = await send('PATCH', '/orders/1', { note: 'x' });
    expect(json).toEqual({ id: 1, note: 'x', lines: [{ id: 1, sku: 'a', count: 9 }] });
  },
);

it('adds, changes and removes what is below an item by the list in a body', async () => {
  const { send } = await serveEmpty(orders('/orders/{id}'));
  const { json } = await send('POST', '/orders', { lines: [{ sku: 'a', count: 2 }, { sku: 'b' }] });
  const [first, second] = [
    { id: 1, sku: 'a', count: 2 },
    { id: 2, sku: 'b', count: 1 },
  ];
  expect(json.lines).toEqual([first, second]);
  const added = { id: 9, sku: 'c', count: 4 };
  const sent = [{ ...second, count: 5 }, added];
  const lines = [
    { ...second, count: 5 },
    { ...added, id: 3 },
  ];
  expect(await send('PATCH', '/orders/1', { lines: sent })).toMatchObject({ json: { lines } });
  expect((await send('GET', '/orders/1/lines')).json).toEqual(lines);
  expect(await send('DELETE', '/orders/1/lines/1')).toMatchObject({ status: 404 });
});

it('begins with items that show what is below them', async () => {
  const { send } = await serveDocument(orders('/orders/{id}'));
  const { lines } = (await send('GET', '/orders/1')).json;
  expect(lines).toHaveLength(2);
  expect((await send('GET', '/orders/1/lines')).json).toEqual(lines);
});

it('keeps the elements that an item was given, and their ids when they change', async () => {
  const line = { id: 7, sku: 'a', count: 2 };
  const { send } = await serveEmpty(orders('/orders/{id}'));
  await send('POST', '/__admin/data/orders', { id: 1, lines: [line] });
  const { json } = await send('POST', '/orders/1/lines', { sku: 'b', count: 1 });
  expect((await send('GET', '/orders/1')).json.lines).toEqual([line, json]);
  await send('PATCH', '/orders/1', { lines: [{ ...line, count: 3 }, json] });
  expect((await send('GET', '/orders/1/lines/')).json).toEqual([{ ...line, count: 3 }, json]);
});

it('shows the elements of a list in the order that a body gave them', async () => {
  const { send } = await serveEmpty(orders('/orders/{id}'));
  await send('POST', '/orders', { lines: [{ sku: 'a' }, { sku: 'b' }] });
  const [a, b] = [
    { id: 1, sku: 'a', count: 1 },
    { id: 2, sku: 'b', count: 1 },
  ];
  const { json } = await send('PATCH', '/orders/1', { lines: [b, { sku: 'c', count: 2 }, a] });
  const c = { id: 3, sku: 'c', count: 2 };
  expect(json.lines).toEqual([b, c, a]);
  expect((await send('GET', '/orders/1/lines')).json).toEqual([b, c, a]);
  await send('DELETE', '/orders/1/lines/2');
  const { json: d } = await send('POST', '/orders/1/lines', { sku: 'd' });
  expect((await send('GET', '/orders/1')).json.lines).toEqual([c, a, d]);
});

it('adds an element without an id before others that stay, whatever their ids are', async () => {
  const { send } = await serveEmpty(orders('/orders/{id}'));
  const skus = (all: string) => [...all].map((sku) => ({ sku, count: 1 }));
  await send('POST', '/orders', { lines: skus('abcdefghijkl') });
  const { lines } = (await send('GET', '/orders/1')).json;
  const { json } = await send('PATCH', '/orders/1', { lines: [...skus('z'), ...lines] });
  expect(json.lines).toEqual([{ id: 13, sku: 'z', count: 1 }, ...lines]);
});

it('has the lines that a body sends be whole lines', async () => {
  const { send } = await serveEmpty(`
    POST /orders { lines!: [NewLine] } -> 201 Order
    GET /orders/{id} -> Order
    PATCH /orders/{id} { lines: [NewLine] | null } -> Order
    DELETE /orders/{id} -> 204
    GET /orders/{id}/lines -> [Line]
    POST /orders/{id}/lines NewLine -> 201 Line
    DELETE /orders/{id}/lines/{line_id} -> 204
    Order: { readonly id!: int, lines: [Short] }
    NewLine: { sku! }
    Short: { readonly id!: int, sku! }
    Line: { readonly id!: int, sku!, readonly created_at!: date-time, count!: int(default=1) }
  `);
  await send('POST', '/orders', { lines: [{ sku: 'a' }] });
  const { json: added } = await send('POST', '/orders/1/lines', { sku: 'b' });
  const { json: all } = await send('GET', '/orders/1/lines');
  expect(all).toEqual([{ id: 1, sku: 'a', count: 1, created_at: expect.any(String) }, added]);
  const [first, second] = all.map((one: { created_at: string }) => Date.parse(one.created_at));
  expect(second - first).toBeLessThan(60_000);
  expect(await send('PATCH', '/orders/1', { lines: null })).toMatchObject({ status: 200 });
  expect((await send('GET', '/orders/1/lines')).json).toEqual([]);
});

it('leaves a list that may not be empty as it was given', async () => {
  const lines = { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Line' } };
  const document = documentOf(orders('/orders/{id}').replaceAll(/: \[(New)?Line\]/g, ': Lines'), {
    Lines: lines,
  });
  const { send } = await serveEmpty(document);
  const line = { id: 5, sku: 'a', count: 1 };
  await send('POST', '/orders', { lines: [line] });
  await send('POST', '/orders/1/lines', { sku: 'b' });
  await send('PATCH', '/orders/1', { note: 'x' });
  await send('DELETE', '/orders/1/lines/1');
  expect((await send('GET', '/orders/1')).json).toEqual({ id: 1, note: 'x', lines: [line] });
});

it('gives elements the ids that a body sends, unless they are readOnly', async () => {
  const { send } = await serveEmpty(orders('/orders/{id}').replaceAll('readonly id', 'id'));
  const [first, second] = [
    { id: 7, sku: 'a', count: 1 },
    { id: 3, sku: 'b', count: 1 },
  ];
  await send('POST', '/orders', {});
  const { json } = await send('PATCH', '/orders/1', { lines: [first, second] });
  expect(json.lines).toEqual([first, second]);
  await send('POST', '/orders', {});
  const { json: other } = await send('PATCH', '/orders/2', { lines: [first] });
  expect(other.lines).toEqual([{ ...first, id: 8 }]);
});

it('shows the items below one that gets another name', async () => {
  const { send } = await serveEmpty(`
    POST /boards { name!, cards: [{ text! }] } -> 201 Board
    GET /boards/{name:text} -> Board
    PATCH /boards/{name:text} { name } -> Board
    DELETE /boards/{name:text} -> 204
    GET /boards/{name:text}/cards -> [Card]
    DELETE /boards/{name:text}/cards/{card_id} -> 204
    Board: { name!, cards: [Card] }
    Card: { readonly id!: int, text! }
  `);
  const { json } = await send('POST', '/boards', { name: 'a', cards: [{ text: 'x' }] });
  const renamed = { ...json, name: 'b' };
  expect(await send('PATCH', '/boards/a', { name: 'b' })).toMatchObject({ json: renamed });
  expect((await send('GET', '/boards/b')).json).toEqual(renamed);
});

it('shows and changes what is below the items in a list', async () => {
  const { send } = await serveEmpty(`
    POST /boards { columns: [NewColumn] } -> 201 Board
    GET /boards/{id} -> Board
    PATCH /boards/{id} { columns: [NewColumn] } -> Board
    DELETE /boards/{id} -> 204
    GET /boards/{id}/columns -> [Column]
    POST /boards/{id}/columns NewColumn -> 201 Column
    GET /boards/{id}/columns/{column_id} -> Column
    DELETE /boards/{id}/columns/{column_id} -> 204
    GET /boards/{id}/columns/{column_id}/cards -> [Card]
    POST /boards/{id}/columns/{column_id}/cards Card -> 201 Card
    DELETE /boards/{id}/columns/{column_id}/cards/{card_id} -> 204
    GET /cards -> [Card]
    Board: { readonly id!: int, columns: [Column] }
    NewColumn: { title!, cards: [Card] }
    Column: { readonly id!: int, title!, cards: [Card] }
    Card: { readonly id!: int, text! }
  `);
  const [x, y, z] = [
    { id: 1, text: 'x' },
    { id: 2, text: 'y' },
    { id: 3, text: 'z' },
  ];
  const column = { id: 1, title: 'a', cards: [x, y] };
  const cards = [{ text: 'x' }, { text: 'y' }];
  const { json } = await send('POST', '/boards', { columns: [{ title: 'a', cards }] });
  expect(json).toEqual({ id: 1, columns: [column] });
  expect((await send('GET', '/boards/1/columns/1/cards')).json).toEqual([x, y]);
  await send('POST', '/boards/1/columns/1/cards', { text: 'z' });
  await send('DELETE', '/boards/1/columns/1/cards/1');
  const changed = { ...column, cards: [y, z] };
  expect((await send('GET', '/boards/1')).json.columns).toEqual([changed]);
  expect((await send('GET', '/boards/1/columns/1')).json).toEqual(changed);
  const { json: last } = await send('PATCH', '/boards/1', {
    columns: [{ ...changed, cards: [z] }],
  });
  expect(last.columns).toEqual([{ ...column, cards: [z] }]);
  expect((await send('GET', '/boards/1/columns/1/cards')).json).toEqual([z]);
  expect((await send('GET', '/cards')).json).toEqual([z]);
  await send('PATCH', '/boards/1', { columns: [] });
  expect((await send('GET', '/cards')).json).toEqual([]);
});

it('has the items below one be those that a body names by their ids alone', async () => {
  const { send } = await serveEmpty(`
    POST /orders { lines: [NewLine] } -> 201 Order
    GET /orders/{id} -> Order
    PATCH /orders/{id} { lines: [int] } -> Order
    GET /orders/{id}/lines -> [Line]
    POST /orders/{id}/lines NewLine -> 201 Line
    DELETE /orders/{id}/lines/{line_id} -> 204
    Order: { readonly id!: int, lines: [Line] }
    NewLine: { sku! }
    Line: { readonly id!: int, sku! }
  `);
  const { json } = await send('POST', '/orders', {
    lines: [{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }],
  });
  const [, b, c] = json.lines;
  expect((await send('PATCH', '/orders/1', { lines: [3, 2] })).json.lines).toEqual([c, b]);
  expect((await send('GET', '/orders/1/lines')).json).toEqual([c, b]);
});

it('removes the items below one whose list a JSON Patch removes', async () => {
  const patch = 'application/json-patch+json [{ op!, path!, value: any }]';
  const document = orders('/orders/{id}')
    .replace('{ note, lines: [Line] } -> Order', `${patch} -> Order`)
    .replace('lines!: [Line]', 'lines: [Line]');
  const { send } = await serveEmpty(document);
  await send('POST', '/orders', { lines: [{ sku: 'a' }, { sku: 'b' }] });
  const at = (path: string) => [{ op: 'remove', path }];
  const type = 'application/json-patch+json';
  const { json } = await send('PATCH', '/orders/1', at('/lines/0'), type);
  expect(json.lines).toEqual([{ id: 2, sku: 'b', count: 1 }]);
  await send('PATCH', '/orders/1', at('/lines'), type);
  expect((await send('GET', '/orders/1/lines')).json).toEqual([]);
});

it('shows the items below one that another holds, and removes all at the path of the list', async () => {
  const { send } = await serveEmpty(`${orders('/orders/{id}')}
    DELETE /orders/{id}/lines -> 204
    POST /shipments { order_id!: int } -> 201 Shipment
    GET /shipments/{id} -> Shipment
    Shipment: { readonly id!: int, order_id: int, order: Order }
  `);
  const { json: order } = await send('POST', '/orders', { lines: [{ sku: 'a' }] });
  expect((await send('POST', '/shipments', { order_id: 1 })).json.order).toEqual(order);
  await send('DELETE', '/orders/1/lines');
  expect((await send('GET', '/orders/1')).json.lines).toEqual([]);
  expect((await send('GET', '/orders/1/lines')).json).toEqual([]);
});

it('copies what is below an item, or adds what the body has instead', async () => {
  const { send } = await serveEmpty(`
    POST /orders { note, lines: [NewLine] } -> 201 Order
    GET /orders/{id} -> Order
    POST /orders/{id}/duplicate { lines: [NewLine] } -> 201 Order
    GET /orders/{id}/lines -> [Line]
    POST /orders/{id}/lines NewLine -> 201 Line
    GET /orders/{id}/lines/{line_id} -> Line
    Order: { readonly id!: int, note, lines!: [Line] }
    NewLine: { sku! }
    Line: { readonly id!: int, sku! }
  `);
  await send('POST', '/orders', { note: 'a', lines: [{ sku: 'a' }, { sku: 'b' }] });
  const linesOf = (skus: string, first = 1) =>
    [...skus].map((sku, index) => ({ id: first + index, sku }));
  const { json: copy } = await send('POST', '/orders/1/duplicate', {});
  expect(copy).toEqual({ id: 2, note: 'a', lines: linesOf('ab', 3) });
  const { json: other } = await send('POST', '/orders/1/duplicate', { lines: [{ sku: 'c' }] });
  expect(other).toEqual({ id: 3, note: 'a', lines: linesOf('c', 5) });
  for (const [id, lines] of [linesOf('ab'), linesOf('ab', 3), linesOf('c', 5)].entries())
    expect((await send('GET', `/orders/${id + 1}/lines`)).json).toEqual(lines);
});

it('has what a list in a body adds hold the items that it names', async () => {
  const { send } = await serveEmpty(`
    POST /products { name! } -> 201 Product
    GET /products/{id} -> Product
    POST /orders { lines: [NewLine] } -> 201 Order
    GET /orders/{id} -> Order
    PATCH /orders/{id} { lines: [NewLine] } -> Order
    GET /orders/{order_id}/lines -> [Line]
    POST /orders/{order_id}/lines NewLine -> 201 Line
    GET /orders/{order_id}/lines/{id} -> Line
    Product: { readonly id!: int, name! }
    Order: { readonly id!: int, lines: [Line] }
    NewLine: { product_id!: int }
    Line: { readonly id!: int, product_id!: int, product: Product }
  `);
  const lines = ['a', 'b'].map((name, index) => {
    const id = index + 1;
    return { id, product_id: id, product: { id, name } };
  });
  for (const { product } of lines) await send('POST', '/products', { name: product.name });
  const sent = lines.map(({ product_id }) => ({ product_id }));
  expect((await send('POST', '/orders', { lines: sent })).json.lines).toEqual(lines);
  await send('PATCH', '/orders/1', { lines: sent.toReversed() });
  const { json } = await send('GET', '/orders/1/lines');
  expect(json.map(({ product }: { product: object }) => product)).toEqual(
    lines.map(({ product }) => product).toReversed(),
  );
});

it('leaves items that have a home elsewhere as they are', async () => {
  const { send } = await serveEmpty(`
    POST /projects { name!, tasks: [Task] } -> 201 Project
    GET /projects/{project_id} -> Project
    PATCH /projects/{project_id} { tasks: [Task] } -> Project
    GET /projects/{project_id}/tasks -> [Task]
    GET /projects/{project_id}/tasks/{id} -> Task
    GET /tasks -> [Task]
    POST /tasks { title!, project_id: int } -> 201 Task
    GET /tasks/{id} -> Task
    Project: { readonly id!: int, name!, tasks: [Task] }
    Task: { readonly id!: int, title, project_id: int }
  `);
  await send('POST', '/projects', { name: 'a' });
  for (const title of ['t1', 't2']) await send('POST', '/tasks', { title, project_id: 1 });
  const { json: tasks } = await send('GET', '/tasks');
  const changed = await send('PATCH', '/projects/1', { tasks: [{ id: 2 }] });
  expect(changed.json.tasks).toEqual([tasks[1]]);
  expect((await send('GET', '/tasks')).json).toEqual(tasks);
});
