import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const gone = { description: 'Gone.' };

const itemOf = (properties: object) => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, ...properties },
});

/** The paths of a collection whose items can get another id. */
function pathsOf(path: string, item: { properties: object }, id = 'id') {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const body = { ...item, required: [] };
  const change = { type: 'object', properties: { ...item.properties, new_id: integer } };
  return {
    [path]: {
      parameters: names.map((name) => pathParameter(name)),
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      post: { requestBody: jsonOf(body), responses: { 201: jsonOf(item) } },
    },
    [`${path}/{${id}}`]: {
      parameters: [...names, id].map((name) => pathParameter(name)),
      get: { responses: { 200: jsonOf(item), 404: gone } },
      patch: {
        requestBody: jsonOf(change),
        responses: { 200: jsonOf(item), 404: gone, 409: gone },
      },
      delete: { responses: { 204: gone } },
    },
  };
}

const settings = { type: 'object', properties: { color: text } };
const label = { type: 'object', required: ['name'], properties: { name: text, note: text } };
const single = { 200: jsonOf(settings) };
const shop = toDocument({
  ...pathsOf('/orders', itemOf({ note: text })),
  ...pathsOf('/orders/{id}/lines', itemOf({ order_id: integer, note: text }), 'lineId'),
  ...pathsOf('/orders/{id}/lines/{lineId}/notes', itemOf({ note: text }), 'noteId'),
  '/orders/{id}/settings': {
    parameters: [pathParameter('id')],
    get: { responses: single },
    put: { requestBody: jsonOf(settings), responses: single },
  },
  '/orders/{id}/labels': {
    parameters: [pathParameter('id')],
    get: { responses: { 200: jsonOf({ type: 'array', items: label }) } },
    post: { requestBody: jsonOf(label), responses: { 201: jsonOf(label), 409: gone } },
  },
  '/orders/{id}/labels/{name}': {
    parameters: [pathParameter('id'), pathParameter('name', text)],
    get: { responses: { 200: jsonOf(label), 404: gone } },
    delete: { responses: { 204: gone, 404: gone } },
  },
});

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
