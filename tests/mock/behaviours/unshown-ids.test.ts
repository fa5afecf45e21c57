import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const Consent = {
  type: 'object',
  properties: Object.fromEntries(
    ['bank', 'until', 'state'].map((name) => [name, { type: 'string' }]),
  ),
  required: ['bank', 'host'],
};
const document = documentOf(
  `
  GET /consents -> [{ bank }]
  POST /consents { bank, until } -> 201 { consentId!, state! }
  GET /consents/{consentId:text} -> Consent
  DELETE /consents/{consentId:text} -> 204
  GET /consents/{consentId:text}/status -> { state }, 404
  `,
  { Consent },
);

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
