import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { serveDocument, toDocument } from '../../support/serve-document.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (status: number, schema: object) => ({
  responses: { [status]: { description: 'Done.', ...json(schema) } },
});
const order = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    hidden: { type: 'boolean' },
  },
};
const short = { ...order, properties: { ...order.properties, hidden: undefined } };
const { hidden: _, ...shown } = order.properties;
const closed = { ...short, properties: shown, additionalProperties: false };
const id = (name: string) => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'integer' } }],
});
const create = { requestBody: json({ type: 'object', properties: order.properties }) };
const below = (path: string, parameters: object) => ({
  [path]: { ...parameters, post: { ...create, ...answers(201, order) } },
  [`${path}/{id}`]: {
    parameters: [
      ...id('id').parameters,
      ...('parameters' in parameters ? id('shop').parameters : []),
    ],
    get: answers(200, order),
  },
});
const paths = {
  ...below('/orders', {}),
  '/orders/{id}/cancel': { ...id('id'), post: { operationId: 'cancel', ...answers(200, order) } },
  '/orders/{id}/ship': { ...id('id'), put: answers(202, { properties: { order: closed } }) },
  '/orders/{id}/clone': { ...id('id'), post: answers(200, order) },
  '/orders/{id}/child': { ...id('id'), get: answers(200, order) },
  '/orders/{id}/bill': { ...id('id'), post: answers(200, { type: 'object', required: ['sum'] }) },
  ...below('/shops', {}),
  ...below('/shops/{shop}/sales', id('shop')),
  '/shops/{shop}/sales/{id}/close': {
    parameters: [...id('shop').parameters, ...id('id').parameters],
    post: answers(200, order),
  },
};

const serve = () => serveDocument(toDocument(paths));

it('answers what is done to an item with that item', async () => {
  const { send: call } = await serve();
  const { json: item } = await call('POST', '/orders', { title: 'Tea', hidden: true });
  expect(item).toEqual({ id: 3, title: 'Tea', hidden: true });
  expect(await call('POST', '/orders/3/cancel')).toEqual({ status: 200, json: item });
  expect(await call('PUT', '/orders/3/ship')).toEqual({
    status: 202,
    json: { order: { id: 3, title: 'Tea' } },
  });
  expect(await call('POST', '/orders/9/cancel')).toMatchObject({
    status: 404,
    json: { code: 'not_found' },
  });
});

it('answers with an item of the parent in the path alone', async () => {
  const { send: call } = await serve();
  const { json: sale } = await call('POST', '/shops/1/sales', { title: 'Tea' });
  const path = `sales/${(sale as { id: number }).id}/close`;
  expect(await call('POST', `/shops/1/${path}`)).toEqual({ status: 200, json: sale });
  expect((await call('POST', `/shops/2/${path}`)).status).toBe(404);
});

it('takes for no action what copies an item or shows another one, and explains the others', async () => {
  const { document } = await serve();
  const explained = explain(document).operations.filter(({ path }) =>
    path.startsWith('/orders/{id}/'),
  );
  expect(explained.map(({ path, answers }) => [path, answers])).toEqual([
    ['/orders/{id}/cancel', 'item'],
    ['/orders/{id}/ship', 'item'],
    ['/orders/{id}/clone', 'schema'],
    ['/orders/{id}/child', 'schema'],
    ['/orders/{id}/bill', 'schema'],
  ]);
  expect(explained[0]?.because).toBe(
    'its success holds the item of orders in its path, and no value of the item has a form of its last word, so nothing changes',
  );
});

it('sets what the words of an action, its body and its time say of the item', async () => {
  const sub = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      end: { type: 'string', enum: ['cancel', 'renew'] },
      phase: { type: 'string', enum: ['active', 'paused', 'cancelled', 'overdue'] },
      payment_status: {
        anyOf: [{ type: 'string', description: 'OPEN, `paid`, or REFUNDED.' }, { type: 'null' }],
      },
      enabled: { type: 'boolean' },
      owner: { type: 'string' },
      cancelled_at: { type: 'string', format: 'date-time' },
    },
  };
  const param = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  };
  const owned = {
    requestBody: json({ type: 'object', properties: { owner: { type: 'string' } } }),
  };
  const done = { responses: { 204: { description: 'Done.' } } };
  const act = (operation: object) => ({ ...param, post: { ...operation, ...answers(200, sub) } });
  const { send: call, document } = await serveDocument(
    toDocument({
      '/subs': { post: { requestBody: json(sub), ...answers(201, sub) } },
      '/subs/{id}': { ...param, get: answers(200, sub) },
      '/subs/{id}/cancel': act({}),
      '/subs/{id}/resume': act({}),
      '/subs/{id}/mark_as_overdue': act({}),
      '/subs/{id}/refund': act({}),
      '/subs/{id}/disable': act({}),
      '/subs/{id}/assign': act(owned),
      '/subs/{id}/owner': { ...param, put: { ...owned, ...done }, delete: { ...owned, ...done } },
    }),
  );
  const { json: made } = await call('POST', '/subs', {
    id: 's1',
    end: 'renew',
    phase: 'paused',
    owner: 'Al',
  });
  const { id: of } = made as { id: string };
  const after = async (method: string, word: string, body?: object) => {
    await call(method, `/subs/${of}/${word}`, body);
    return (await call('GET', `/subs/${of}`)).json;
  };
  expect(await after('POST', 'resume')).toMatchObject({ phase: 'active' });
  expect(await after('POST', 'mark_as_overdue')).toMatchObject({ phase: 'overdue' });
  expect(await after('POST', 'refund')).toMatchObject({ payment_status: 'REFUNDED' });
  expect(await after('POST', 'disable')).toMatchObject({ enabled: false });
  expect(await after('POST', 'assign', { owner: 'Bo' })).toMatchObject({ owner: 'Bo' });
  expect(await after('PUT', 'owner', { owner: 'Cy' })).toMatchObject({ owner: 'Cy' });
  expect(await after('DELETE', 'owner', { owner: 'Di' })).toMatchObject({ owner: 'Cy' });
  const now = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);
  expect(await after('POST', 'cancel')).toMatchObject({
    end: 'renew',
    phase: 'cancelled',
    cancelled_at: now,
  });
  const { operations } = explain(document);
  const reasonOf = (word: string) =>
    operations.find(({ path, answers }) => path.endsWith(`/${word}`) && answers === 'store')
      ?.because;
  expect(reasonOf('cancel')).toMatch(/last word sets phase to cancelled and cancelled_at to now$/);
  expect(reasonOf('assign')).toMatch(/its body sets owner$/);
  expect(reasonOf('owner')).toBe('its path names the item of subs, and its body sets owner');
});
