import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { toText } from '../../../mock/explain/to-text.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const member = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: integer, name: text, email: text },
};
const fields = { type: 'object', properties: { name: text, email: text } };
const ofBody = (schema: object) => ({ requestBody: jsonOf(schema) });
const noContent = { responses: { 204: { description: 'Done' } } };
const list = { get: { responses: { 200: jsonOf({ type: 'array', items: member }) } } };
const one = { parameters: [pathParameter('id', integer)] };
const read = { get: { responses: { 200: jsonOf(member) } } };

it('creates and updates what a POST describes whose success has no content', async () => {
  const { call } = await serveDocument(
    toDocument({
      '/members': { ...list, post: { ...ofBody(fields), ...noContent } },
      '/members/{id}': { ...one, ...read, post: { ...ofBody(fields), ...noContent } },
    }),
    { pets: 0 },
  );
  expect((await call('/members', withJson('POST', { name: 'Ada' }))).status).toBe(204);
  expect((await call('/members')).json).toMatchObject([{ id: 1, name: 'Ada' }]);
  expect((await call('/members/1', withJson('POST', { name: 'Bo' }))).status).toBe(204);
  expect((await call('/members/1')).json).toMatchObject({ id: 1, name: 'Bo' });
});

it('creates what a body describes, though the answer has no id of it', async () => {
  const receipt = { type: 'object', required: ['accepted'], properties: { accepted: integer } };
  const { call } = await serveDocument(
    toDocument({
      '/members': { ...list, post: { ...ofBody(fields), responses: { 200: jsonOf(receipt) } } },
      '/members/{id}': { ...one, ...read },
    }),
    { pets: 0 },
  );
  const { status, json } = await call('/members', withJson('POST', { name: 'Ada' }));
  expect([status, json]).toEqual([200, { accepted: expect.any(Number) }]);
  expect((await call('/members')).json).toMatchObject([{ id: 1, name: 'Ada' }]);
});

it('creates nothing of a body that is mostly about something else', async () => {
  const order = { type: 'object', properties: { name: text, amount: integer, currency: text } };
  const receipt = { type: 'object', properties: { accepted: integer } };
  const { call } = await serveDocument(
    toDocument({
      '/members': { ...list, post: { ...ofBody(order), responses: { 200: jsonOf(receipt) } } },
      '/members/{id}': { ...one, ...read },
    }),
    { pets: 0 },
  );
  expect((await call('/members', withJson('POST', { name: 'Ada' }))).status).toBe(200);
  expect((await call('/members')).json).toEqual([]);
});

it('says in the journal and in explain which things an operation without state leaves alone', async () => {
  const paths = {
    '/members': { ...list, delete: noContent },
    '/members/{id}': { ...one, ...read },
  };
  const { call, origin, document } = await serveDocument(toDocument(paths), { pets: 1 });
  expect((await call('/members', { method: 'DELETE' })).status).toBe(204);
  const journal = await (await fetch(`${origin}/__admin/requests`)).text();
  const { requests } = JSON.parse(journal);
  expect(requests[0].reason).toMatchObject({ kind: 'example', besides: 'members' });
  expect(toText(explain(document))).toContain(`
    GET /members       list
    DELETE /members    without state: changes none of these items
    GET /members/{id}  read
`);
});

it('takes a key once that is described as a parameter too', async () => {
  const schemes = { key: { type: 'apiKey', in: 'query', name: 'key' } };
  const key = { in: 'query', name: 'key', required: true, schema: text };
  const get = { ...list.get, parameters: [key], security: [{ key: [] }] };
  const { call, keys, document } = await serveDocument(
    toDocument({ '/members': { get } }, { components: { securitySchemes: schemes } }),
  );
  expect(document.operations[0]?.parameters).toEqual([]);
  expect((await call('/members')).status).toBe(401);
  expect((await call(`/members?key=${keys[0]?.key}`)).status).toBe(200);
});

it('offers the line that ties a change whose body names the item', async () => {
  const patch = { ...ofBody(member), responses: { 200: jsonOf(member) } };
  const withHint = (hint?: object) =>
    toDocument({
      '/members': { ...list, patch: { ...patch, ...hint } },
      '/members/{id}': { ...one, ...read },
    });
  const { document } = await serveDocument(withHint());
  const { overlay } = explain(document).operations.find((found) => found.method === 'PATCH') ?? {};
  expect(overlay?.target).toBe("$.paths['/members'].patch");
  const { send } = await serveDocument(withHint(overlay?.update));
  expect(await send('PATCH', '/members', { id: 2, name: 'Ada' })).toMatchObject({ status: 200 });
  expect((await send('GET', '/members/2')).json).toMatchObject({ name: 'Ada' });
});
