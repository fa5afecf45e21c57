import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const form = 'application/x-www-form-urlencoded';

it('creates and updates items by forms', async () => {
  const refunds = documentOf(
    `
    PostRefunds: POST /refunds ${form} { amount!: int, expand } -> Refund
    GetRefund: GET /refunds/{refund:text} -> Refund
    PostRefund: POST /refunds/{refund:text} ${form} { note } -> Refund
    `,
    {
      Id: { type: 'string', example: 're_1Nispe2eZvKYlo2Cd31jOCgZ' },
      Status: { type: 'string', default: 'pending' },
      Refund: '{ id!: Id, amount!: int, note, status!: Status }',
    },
  );
  const twin = await serveDocument(refunds, { pets: 0 });
  expect(twin.document.operations.map(({ kind }) => kind)).toEqual(['create', 'read', 'update']);
  const call = async (path: string, fields?: Record<string, string>) => {
    const body = fields && new URLSearchParams(fields);
    const { status, json } = await twin.call(path, body && { method: 'POST', body });
    return { status, json };
  };
  const json = { id: 're_000000000000000000000001', amount: 500, status: 'pending' };
  expect(await call('/refunds', { amount: '500', expand: 'charge' })).toEqual({
    status: 200,
    json,
  });
  expect((await call('/refunds', { amount: 'much' })).status).toBe(400);
  expect(await call(`/refunds/${json.id}`, { note: 'Late' })).toEqual({
    status: 200,
    json: { ...json, note: 'Late' },
  });
  expect((await call(`/refunds/${json.id}`)).json).toEqual({ ...json, note: 'Late' });
});

const typedDocument = documentOf(
  `
  GET /boxes -> [Box]
  POST /boxes Texts -> 201 Box
  GET /boxes/{id} -> Box
  PUT /boxes/{id} Texts -> Box
  PATCH /boxes/{id} Texts -> Box
  `,
  {
    Texts: '{ title, size, price, isOpen }',
    Size: { type: 'integer', format: 'int64' },
    Box: `{
      readonly id: int, title, size: Size, price: number, isOpen: bool, sizes: [int],
      box: { depth: int }
    }`,
  },
);
const anyBody = {
  requestBody: {
    content: {
      ...Object.fromEntries(
        [form, 'multipart/form-data'].map((type) => [
          type,
          { schema: { $ref: '#/components/schemas/Texts' } },
        ]),
      ),
      'application/json': { schema: { type: 'object' } },
    },
  },
};
Object.assign(typedDocument.paths['/boxes']?.post ?? {}, anyBody);
for (const method of ['put', 'patch'])
  Object.assign(typedDocument.paths['/boxes/{id}']?.[method] ?? {}, anyBody);
const written = { title: '7', size: '9007199254740993', price: '2.5', isOpen: 'true' };
const more = { sizes: ['1', '2'], box: { depth: '3' } };
const toMultipart = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const withJson = (body: object) => ({
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});
const encodings: [name: string, init: RequestInit, more?: string][] = [
  ['a form', { body: new URLSearchParams(written) }],
  ['a multipart form', { body: toMultipart(written) }],
  ['JSON', withJson({ ...written, ...more }), ',"sizes":[1,2],"box":{"depth":3}'],
];

it.each(encodings)('reads texts of %s alike in POST, PUT and PATCH', async (_, init, end = '') => {
  const { call } = await serveDocument(typedDocument, { pets: 0 });
  const made = `{"id":1,"title":"7","size":9007199254740993,"price":2.5,"isOpen":true${end}}`;
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const { status, text } = await call(method === 'POST' ? '/boxes' : '/boxes/1', {
      method,
      ...init,
    });
    expect([method, status, text]).toEqual([method, method === 'POST' ? 201 : 200, made]);
    const change = { method: 'PATCH', ...withJson({ title: 'x', size: 1, isOpen: false }) };
    if (method === 'PUT') expect((await call('/boxes/1', change)).json.size).toBe(1);
  }
});

it('refuses a change to what stands for no value of its type', async () => {
  const { call } = await serveDocument(typedDocument, { pets: 0 });
  await call('/boxes', { method: 'POST', ...withJson({ size: 1 }) });
  for (const wrong of [{ size: 'x' }, { size: '' }, { size: '1.5' }, { isOpen: 'yes' }]) {
    const change = { method: 'PATCH', body: new URLSearchParams(wrong as Record<string, string>) };
    expect([wrong, (await call('/boxes/1', change)).status]).toEqual([wrong, 400]);
  }
});

it('takes a form that is described as a text', async () => {
  const { app, document, call } = await serveDocument(
    documentOf(`POST /cuisines ${form} text! -> { name! }`),
  );
  const send = (body: string) =>
    call('/cuisines', { method: 'POST', headers: { 'Content-Type': form }, body });
  expect((await send('title=Pork&ingredients=1+lb')).status).toBe(200);
  expect((await send('%ff')).status).toBe(400);
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const [example] = await Promise.all(document.operations.map(toExampleCall));
  expect((await send(example?.body ?? '%ff')).status).toBe(200);
});
