import { expect, it, onTestFinished } from 'vitest';
import { type Behaviours, type Call, createTwin } from '../../../../package/twin.ts';
import { jsonOf, pathParameter, toDocument } from '../../../support/serve-document.ts';
import { writeJson } from '../../../support/write-json.ts';
import { callerOf } from './serve-shop.ts';

const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    ...{ id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
    ...{ reads: { type: 'integer' }, shown: { type: 'string' } },
  },
};
const tagged = { ...jsonOf(book), headers: { ETag: { schema: { type: 'string' } } } };
const paths = {
  '/books': {
    get: { responses: { 200: jsonOf({ type: 'array', items: book }) } },
    post: { requestBody: jsonOf(book), responses: { 201: tagged } },
  },
  '/books/{id}': {
    parameters: [pathParameter('id')],
    get: { operationId: 'getBook', responses: { 200: tagged } },
    patch: {
      requestBody: jsonOf(book),
      responses: { 200: tagged, 412: { description: 'Changed meanwhile.' } },
    },
  },
};
const told = { post: { requestBody: jsonOf(book), responses: { 204: { description: 'Fine.' } } } };

const behaviours: Behaviours = {
  async getBook({ next, items, emit, after, params: { id } }: Call) {
    const { reads = 0, ...shown } = (await next()) as { reads?: number };
    await items('books').patch(id as number, { reads: reads + 1 });
    emit('book.read');
    after({ hours: 1 }, 'remind');
    return { ...shown, reads: 0, shown: 'by its own behaviour' };
  },
  tasks: { remind() {} },
};

it('compares what a behaviour shows, and has nothing follow such a look', async () => {
  const spec = await writeJson(toDocument(paths, { webhooks: { 'book.read': told } }));
  const twin = await createTwin({ spec, behaviours, items: 0, logLevel: 'silent' });
  onTestFinished(() => twin.close());
  const call = callerOf(twin);
  await call('POST /books', { title: 'A' });
  const etag = String((await call('GET /books/1')).headers.get('etag'));
  const sent = { 'If-Match': etag, 'Idempotency-Key': '1' };
  const changed = await call('PATCH /books/1', { title: 'B' }, sent);
  expect(changed.status).toBe(200);
  expect((await call('PATCH /books/1', { title: 'C' }, { 'If-Match': etag })).status).toBe(412);
  expect((await call('PATCH /books/1', { title: 'B' }, sent)).status).toBe(200);
  const tasks = await (await fetch(`${twin.origin}/__admin/tasks`)).json();
  expect([
    await twin.data.get('books', 1),
    (await twin.webhooks.list()).deliveries.map(({ event }) => event),
    (tasks as { tasks: object[] }).tasks.length,
  ]).toEqual([expect.objectContaining({ title: 'B', reads: 1 }), ['book.read'], 1]);
  const next = await call('GET /books/1');
  expect(next.headers.get('etag')).toBe(changed.headers.get('etag'));
});
