import { expect, it } from 'vitest';
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
  Line: { id!: int, sku!, count!: int }
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
  expect((await send('GET', '/orders/1/lines/')).json).toEqual([json, { ...line, count: 3 }]);
});
