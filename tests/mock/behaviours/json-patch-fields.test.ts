import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const contact = {
  type: 'object',
  required: ['id', 'lastName'],
  properties: {
    id: { type: 'integer', readOnly: true },
    lastName: { type: 'string' },
    phone: { type: 'string' },
    email: { type: 'string', format: 'email' },
  },
};
const ok = (schema: object) => ({ description: 'Done.', ...jsonOf(schema) });
const byId = [pathParameter('id')];

const document = toDocument({
  '/contacts': {
    get: { operationId: 'list', responses: { 200: ok({ type: 'array', items: contact }) } },
    post: { operationId: 'add', requestBody: jsonOf(contact), responses: { 201: ok(contact) } },
  },
  '/contacts/{id}': {
    parameters: byId,
    get: { operationId: 'read', responses: { 200: ok(contact) } },
    patch: {
      operationId: 'change',
      requestBody: {
        content: {
          'application/json': {
            schema: { type: 'object', properties: { phone: { type: 'string' } } },
          },
          'application/json-patch+json': { schema: { type: 'array', items: {} } },
        },
      },
      responses: { 200: ok(contact) },
    },
  },
});

it('lets a JSON Patch set what the item has, whatever the JSON body may set', async () => {
  const { send } = await serveDocument(document);
  const patch = (...operations: object[]) =>
    send('PATCH', `/contacts/${added.id}`, operations, 'application/json-patch+json');
  const rex = { lastName: 'Rex', phone: '1', email: 'rex@example.com' };
  const { json: added } = await send('POST', '/contacts', rex, 'application/json');
  expect(await patch({ op: 'replace', path: '/lastName', value: 'Fox' })).toEqual({
    status: 200,
    json: { ...added, lastName: 'Fox' },
  });
  expect(await patch({ op: 'remove', path: '/phone' })).toMatchObject({ status: 200 });
  expect((await patch({ op: 'remove', path: '/lastName' })).status).toBe(400);
  expect((await patch({ op: 'replace', path: '/email', value: 'bad' })).status).toBe(400);
  const { json: last } = await send(
    'PATCH',
    `/contacts/${added.id}`,
    { lastName: 'Cat' },
    'application/json',
  );
  expect(last).toEqual({ id: added.id, lastName: 'Fox', email: 'rex@example.com' });
});
