import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

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
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ description: 'Done.', ...json(schema) });
const byId = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];

const document = {
  openapi: '3.1.0',
  info: { title: 'Contacts', version: '1' },
  paths: {
    '/contacts': {
      get: { operationId: 'list', responses: { 200: ok({ type: 'array', items: contact }) } },
      post: { operationId: 'add', requestBody: json(contact), responses: { 201: ok(contact) } },
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
  },
};

it('lets a JSON Patch set what the item has, whatever the JSON body may set', async () => {
  const { api } = await startTwin({ spec: await writeJson(document) });
  const send = async (method: string, path: string, body: unknown, type: string) => {
    const headers = { 'Content-Type': type };
    const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as { id: number } };
  };
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
