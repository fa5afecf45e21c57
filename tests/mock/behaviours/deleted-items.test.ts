import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const schemas = {
  Customer: '{ id!, name }',
  Deleted: schemaOf('{ id!, deleted!: bool(enum=[true]) }'),
  Either: schemaOf('Customer | Deleted'),
};

it('reads what was deleted as deleted, where the document has a form for that', async () => {
  const { send } = await serveDocument(
    documentOf(
      `
      GET /customers -> [Customer]
      POST /customers { name } -> 201 Customer
      GET /customers/{id:text} -> Either, 404
      DELETE /customers/{id:text} -> Deleted, 404
      `,
      schemas,
    ),
  );
  const { id } = (await send('POST', '/customers', { name: 'Ada' })).json;
  const gone = { status: 200, json: { id, deleted: true } };
  expect(await send('DELETE', `/customers/${id}`)).toEqual(gone);
  expect(await send('GET', `/customers/${id}`)).toEqual(gone);
  const listed = (await send('GET', '/customers')).json as { id: string }[];
  expect(listed.map((one) => one.id)).not.toContain(id);
  expect((await send('DELETE', `/customers/${id}`)).status).toBe(404);
  const [number] = id.match(/\d+/) as [string];
  const unknown = id.replace(number, String(Number(number) + 1));
  expect((await send('GET', `/customers/${unknown}`)).status).toBe(404);
});

it('lists the id of what was deleted, where the answer has a list of ids', async () => {
  const { send } = await serveDocument(`
    GET /goals/{id} -> { id!: int, name }
    POST /goals { name } -> 201 { id!: int, name }
    DELETE /goals/{id} -> { deleted: [int], errors: [text] }
  `);
  const { id } = (await send('POST', '/goals', { name: 'Fast' })).json;
  expect((await send('DELETE', `/goals/${id}`)).json.deleted).toEqual([id]);
});
