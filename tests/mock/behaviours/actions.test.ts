import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { documentOf } from '../../support/document-of.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { serveDocument } from '../../support/serve-document.ts';

const orders = documentOf(`
  GET /orders/{id} -> Order
  POST /orders { id: int, title, hidden: bool } -> 201 Order
  cancel: POST /orders/{id}/cancel -> Order
  PUT /orders/{id}/ship -> 202 { order: {| id!: int, title! |} }
  POST /orders/{id}/clone -> Order
  GET /orders/{id}/child -> Order
  POST /orders/{id}/bill -> { sum!: any }
  GET /shops/{id} -> Order
  POST /shops { id: int, title, hidden: bool } -> 201 Order
  GET /shops/{shop}/sales/{id} -> Order
  POST /shops/{shop}/sales { id: int, title, hidden: bool } -> 201 Order
  POST /shops/{shop}/sales/{id}/close -> Order
  Order: { id!: int, title!, hidden: bool }
`);

const serve = () => serveDocument(orders);

it('answers what is done to an item with that item', async () => {
  const { send: call } = await serve();
  const { json: item } = await call('POST', '/orders', { title: 'Tea', hidden: true });
  expect(item).toEqual({ id: 3, title: 'Tea', hidden: true });
  expect(await call('POST', '/orders/3/cancel')).toEqual({ status: 200, json: item });
  expect(await call('PUT', '/orders/3/ship')).toEqual({
    status: 202,
    json: { order: { id: 3, title: 'Tea' } },
  });
  expectAnswer(await call('POST', '/orders/9/cancel'), 404, { code: 'not_found' });
});

it('answers with an item of the parent in the path alone', async () => {
  const { send: call } = await serve();
  const { json: sale } = await call('POST', '/shops/1/sales', { title: 'Tea' });
  const path = `sales/${(sale as { id: number }).id}/close`;
  expect(await call('POST', `/shops/1/${path}`)).toEqual({ status: 200, json: sale });
  expect((await call('POST', `/shops/2/${path}`)).status).toBe(404);
});

it('makes copies of an item, with an id and times of their own and what is sent', async () => {
  const { send } = await serveDocument(`
    GET /makers -> [Maker]
    POST /makers { name } -> 201 Maker
    POST /shops/{shop}/orders { title, tags: [text], maker_id: int } -> 201 Order
    GET /shops/{shop}/orders -> [Order]
    GET /shops/{shop}/orders/{id} -> Order
    POST /shops/{shop}/orders/{id}/duplicate/ { title, other } -> 201 Order, 404
    Maker: { id!: int, name }
    Order: {
      id!: int, title!, tags: [text], maker!: Maker, status!: "open" | "closed",
      readonly created_at!: date-time
    }
  `);
  const { json: maker } = await send('POST', '/makers', { name: 'Io' });
  const body = { title: 'Tea', tags: ['a'], maker_id: maker.id };
  const { json: order } = await send('POST', '/shops/7/orders', body);
  const at = '/shops/7/orders';
  const { status, json: copy } = await send('POST', `${at}/${order.id}/duplicate/`, {
    title: 'Tee',
  });
  expect(copy).toEqual({ ...order, id: copy.id, title: 'Tee', created_at: copy.created_at });
  expect([status, copy.id === order.id]).toEqual([201, false]);
  expect((await send('GET', at)).json).toEqual([order, copy]);
  expect((await send('POST', `${at}/99/duplicate/`)).status).toBe(404);
});

it('completes what the body of a copy says of an object in it', async () => {
  const { send } = await serveDocument(
    documentOf(
      `GET /files/{id} -> File
       GET /files -> [Brief]
       POST /files { name } -> 201 File
       POST /files/{id}/copy { name, folder: { id! } } -> 201 File`,
      {
        File: '{ id: int, readonly type!: "file", name, folder: { id!, type! } }',
        Brief: '{ id: int, type!: "file_reference" }',
      },
    ),
  );
  const { json } = await send('POST', '/files/1/copy', { folder: { id: '7' } });
  expect(json).toMatchObject({ folder: { id: '7', type: expect.any(String) } });
});

it('gives a copy the name that its body has', async () => {
  const { send } = await serveDocument(`
    POST /boards Board -> 201 Board
    GET /boards/{name:text} -> Board
    POST /boards/{name:text}/clone { name!, note } -> 201 Board, 409
    POST /boards/{name:text}/fork { new_name } -> 201 Board
    Board: { name!, note }
  `);
  await send('POST', '/boards', { name: 'a', note: 'n' });
  const [b, c] = ['b', 'c'].map((name) => ({ status: 201, json: { name, note: 'n' } }));
  expect(await send('POST', '/boards/a/clone', { name: 'b' })).toEqual(b);
  expect(await send('POST', '/boards/a/fork', { new_name: 'c' })).toEqual(c);
  expect((await send('POST', '/boards/a/clone', { name: 'b' })).status).toBe(409);
});

it('does to all items of a list what an action on all says', async () => {
  const { send, document } = await serveDocument(`
    GET /users/{user}/notes -> [Note]
    POST /users/{user}/notes { title, read: bool } -> 201 Note
    POST /users/{user}/notes/read-all -> 204
    PUT /users/{user}/notes/mark-all-as-unread/ -> { ok: bool, updated: int }
    POST /users/{user}/notes/unread-all { ids: [int] } -> 204
    POST /users/{user}/notes/mark-all-unread?title -> 204
    POST /users/{user}/notes/export-all -> 202
    Note: { readonly id!: int, title, read!: bool, readonly read_at: date-time | null }
  `);
  for (const user of [7, 8])
    await send('POST', `/users/${user}/notes`, { title: 'a', read: false });
  const read = async (user: number) => (await send('GET', `/users/${user}/notes`)).json;
  expect((await send('POST', '/users/7/notes/read-all')).status).toBe(204);
  expect(await read(7)).toMatchObject([{ read: true, read_at: expect.any(String) }]);
  expect(await read(8)).toMatchObject([{ read: false }]);
  // Some of them alone are meant by a body or a query.
  await send('POST', '/users/7/notes/unread-all', { ids: [9] });
  await send('POST', '/users/7/notes/mark-all-unread?title=b');
  expect(await read(7)).toMatchObject([{ read: true }]);
  const undone = await send('PUT', '/users/7/notes/mark-all-as-unread/');
  expect(undone).toMatchObject({ status: 200 });
  expect(await read(7)).toMatchObject([{ read: false, read_at: null }]);
  const reasons = explain(document).operations.map(({ because }) => because);
  expect(reasons).toContainEqual(
    'its path names all items of users/{user}/notes; the last word of its path sets read to true and read_at to now',
  );
});

it('takes for no action what shows another item, and explains the others', async () => {
  const { document } = await serve();
  const explained = explain(document).operations.filter(({ path }) =>
    path.startsWith('/orders/{id}/'),
  );
  expect(explained.map(({ path, answers }) => [path, answers])).toEqual([
    ['/orders/{id}/cancel', 'item'],
    ['/orders/{id}/ship', 'item'],
    ['/orders/{id}/clone', 'store'],
    ['/orders/{id}/child', 'schema'],
    ['/orders/{id}/bill', 'schema'],
  ]);
  expect(explained[0]?.because).toBe(
    'it returns the item of orders that its path names; no property of the item matches the last word of its path, so nothing changes',
  );
});

it('sets what the words of an action, its body and its time say of the item', async () => {
  const { send: call, document } = await serveDocument(
    documentOf(
      `
      POST /subs Sub -> 201 Sub
      GET /subs/{id:text} -> Sub
      POST /subs/{id:text}/cancel -> Sub
      POST /subs/{id:text}/resume -> Sub
      POST /subs/{id:text}/mark_as_overdue -> Sub
      POST /subs/{id:text}/refund -> Sub
      POST /subs/{id:text}/disable -> Sub
      POST /subs/{id:text}/assign { owner } -> Sub
      PUT /subs/{id:text}/owner { owner } -> 204
      DELETE /subs/{id:text}/owner { owner } -> 204
      `,
      {
        Sub: `{
          id!, end: "cancel" | "renew", phase: "active" | "paused" | "cancelled" | "overdue",
          payment_status: Status | null, enabled: bool, owner, cancelled_at: date-time
        }`,
        Status: { type: 'string', description: 'OPEN, `paid`, or REFUNDED.' },
      },
    ),
  );
  const options = { id: 's1', end: 'renew', phase: 'paused', owner: 'Al' };
  expectAnswer(await call('POST', '/subs', options), 201);
  const after = async (method: string, word: string, body?: object) => {
    await call(method, `/subs/s1/${word}`, body);
    return (await call('GET', '/subs/s1')).json;
  };
  expect(await after('POST', 'resume')).toMatchObject({ phase: 'active' });
  expect(await after('POST', 'mark_as_overdue')).toMatchObject({ phase: 'overdue' });
  expect(await after('POST', 'refund')).toMatchObject({ payment_status: 'REFUNDED' });
  expect(await after('POST', 'disable')).toMatchObject({ enabled: false });
  expect(await after('POST', 'assign', { owner: 'Bo' })).toMatchObject({ owner: 'Bo' });
  expect(await after('PUT', 'owner', { owner: 'Cy' })).toMatchObject({ owner: 'Cy' });
  expect(await after('DELETE', 'owner', { owner: 'Di' })).toMatchObject({ owner: 'Cy' });
  const cancelled_at = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);
  const cancelled = { end: 'renew', phase: 'cancelled', cancelled_at };
  expect(await after('POST', 'cancel')).toMatchObject(cancelled);
  const { operations } = explain(document);
  const reasonOf = (word: string) =>
    operations.find(({ path, answers }) => path.endsWith(`/${word}`) && answers === 'store')
      ?.because;
  expect(reasonOf('cancel')).toMatch(
    /last word of its path sets phase to cancelled and cancelled_at to now$/,
  );
  expect(reasonOf('assign')).toMatch(/its body sets owner$/);
  expect(reasonOf('owner')).toBe('its path names an item of subs; its body sets owner');
});
