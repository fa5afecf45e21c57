import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

/** The lines of a collection whose items can get another id. */
const linesOf = (path: string, id: string, item: string, fields: string) => `
  GET ${path} -> [${item}]
  POST ${path} { ${fields} } -> 201 ${item}
  GET ${path}/{${id}} -> ${item}, 404
  PATCH ${path}/{${id}} { ${fields}, new_id: int } -> ${item}, 404, 409
  DELETE ${path}/{${id}} -> 204`;

const shop = documentOf(`
  ${linesOf('/orders', 'id', 'Note', 'readonly id: int, note')}
  ${linesOf('/orders/{id}/lines', 'lineId', 'Line', 'readonly id: int, order_id: int, note')}
  ${linesOf('/orders/{id}/lines/{lineId}/notes', 'noteId', 'Note', 'readonly id: int, note')}
  GET /orders/{id}/settings -> { color }
  PUT /orders/{id}/settings { color } -> { color }
  GET /orders/{id}/labels -> [Label]
  POST /orders/{id}/labels Label -> 201 Label, 409
  GET /orders/{id}/labels/{name:text} -> Label, 404
  DELETE /orders/{id}/labels/{name:text} -> 204, 404
  Note: { readonly id!: int, note }
  Line: { readonly id!: int, order_id: int, note }
  Label: { name!, note }
`);

async function serve(onDeleteParent: 'cascade' | 'refuse' = 'cascade') {
  const { send } = await serveDocument(shop, { pets: 0, onDeleteParent });
  const see = async (order: number, line = 1) => {
    const at = `/orders/${order}`;
    const paths = [`${at}/lines`, `${at}/lines/${line}/notes`, `${at}/labels`, `${at}/settings`];
    const all = await Promise.all(paths.map((path) => send('GET', path)));
    return all.map(({ status, json }) => (status === 200 ? json : status));
  };
  return { send, see };
}

it.each(['cascade', 'refuse'] as const)(
  'moves what is below an item that gets another id, at any depth, where deletes %s',
  async (onDeleteParent) => {
    const { send, see } = await serve(onDeleteParent);
    for (const order of [1, 2]) {
      await send('POST', '/orders', { note: 'mine' });
      await send('POST', `/orders/${order}/lines`, { note: `line of ${order}` });
      await send('POST', `/orders/${order}/lines/${order}/notes`, { note: `note of ${order}` });
      await send('POST', `/orders/${order}/labels`, { name: 'bug', note: `label of ${order}` });
      await send('PUT', `/orders/${order}/settings`, { color: `color of ${order}` });
    }
    const others = await see(2, 2);
    const [lines, ...below] = await see(1);
    expect([lines, ...below]).toEqual([
      [{ id: 1, order_id: 1, note: 'line of 1' }],
      [{ id: 1, note: 'note of 1' }],
      [{ name: 'bug', note: 'label of 1' }],
      { color: 'color of 1' },
    ]);
    expect((await send('PATCH', '/orders/1', { new_id: 54 })).status).toBe(200);
    const moved = [{ ...lines[0], order_id: 54 }];
    expect(await see(54)).toEqual([moved, ...below]);
    expect((await send('GET', '/orders/54/labels/bug')).json.note).toBe('label of 1');
    expect((await see(1)).slice(0, 3)).toEqual([404, 404, 404]);

    expect((await send('PATCH', '/orders/2', { new_id: 54 })).status).toBe(409);
    expect((await send('PATCH', '/orders/54', { new_id: 54 })).status).toBe(200);
    expect((await send('PATCH', '/orders/2', { new_id: 1 })).status).toBe(200);
    expect(await see(1, 2)).toEqual([[{ ...others[0][0], order_id: 1 }], ...others.slice(1)]);
    expect((await send('GET', '/orders/1/labels/bug')).json.note).toBe('label of 2');
    expect((await send('PATCH', '/orders/1/lines/2', { new_id: 7 })).status).toBe(200);
    expect((await send('GET', '/orders/1/lines/7/notes')).json).toEqual(others[1]);
    expect(await see(54)).toEqual([moved, ...below]);
  },
);

it('takes what was moved along when the item is deleted', async () => {
  const { send } = await serve();
  await send('POST', '/orders', {});
  await send('POST', '/orders/1/lines', { note: 'line' });
  await send('PATCH', '/orders/1', { new_id: 9 });
  await send('DELETE', '/orders/9');
  const { json } = await send('GET', `/__admin/data/${encodeURIComponent('orders/{id}/lines')}`);
  expect(json.items).toEqual([]);
});
