import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const object = (properties: object, required: string[] = []) =>
  jsonOf({ type: 'object', properties, required });
const parameters = [{ name: 'consentId', in: 'path', required: true, schema: text }];
const missing = { description: 'No such consent.' };

const document = toDocument({
  '/consents': {
    get: { responses: { 200: jsonOf({ type: 'array', items: { properties: { bank: text } } }) } },
    post: {
      requestBody: object({ bank: text, until: text }),
      responses: { 201: object({ consentId: text, state: text }, ['consentId', 'state']) },
    },
  },
  '/consents/{consentId}': {
    parameters,
    get: { responses: { 200: object({ bank: text, until: text, state: text }, ['bank', 'host']) } },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
  '/consents/{consentId}/status': {
    parameters,
    get: { responses: { 200: object({ state: text }), 404: missing } },
  },
});

it('reads, lists and deletes what is created, though only the create shows its id', async () => {
  const { call } = await serveDocument(document);
  const headers = { 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: '{"bank":"Ours","until":"May"}' };
  const { status, json } = await call('/consents', sent);
  expect([status, json]).toEqual([201, expect.objectContaining({ state: expect.any(String) })]);
  const path = `/consents/${json.consentId}`;
  const read = { bank: 'Ours', until: 'May', state: json.state, host: expect.anything() };
  expect((await call(path)).json).toMatchObject(read);
  expect((await call('/consents')).json).toContainEqual(expect.objectContaining(read));
  expect((await call(`${path}/status`)).status).toBe(200);
  expect((await call(path, { method: 'DELETE' })).status).toBe(204);
  expect((await call(path)).status).toBe(404);
  expect((await call(`${path}/status`)).status).toBe(404);
});
