import { expect, it, onTestFinished } from 'vitest';
import { type Behaviours, type Call, createTwin } from '../../../../package/twin.ts';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { jsonOf } from '../../../support/serve-document.ts';
import { writeJson } from '../../../support/write-json.ts';
import { callerOf } from './serve-shop.ts';

const told = {
  post: { requestBody: jsonOf(schemaOf('Book')), responses: { 204: { description: 'Fine.' } } },
};
const document = documentOf(
  `
  GET /books -> [Book]
  POST /books Book -> 201 Book
  getBook: GET /books/{id} -> Book
  PATCH /books/{id} Book -> Book, 412
  `,
  { Book: '{ readonly id!: int, title!, reads: int, shown }' },
  { webhooks: { 'book.read': told } },
);
for (const response of [
  document.paths['/books']?.post.responses[201],
  document.paths['/books/{id}']?.get.responses[200],
  document.paths['/books/{id}']?.patch.responses[200],
])
  Object.assign(response, { headers: { ETag: { schema: { type: 'string' } } } });

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
  const spec = await writeJson(document);
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
