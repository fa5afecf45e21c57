import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

/** Creates and replaces cups at the path of the collection, and describes no answers of it. */
const silent = documentOf(`
  addCup: POST /cup Cup -> 405
  putCup: PUT /cup Cup -> 404
  findCups: GET /cup/findByName?name -> [Cup]
  getCup: GET /cup/{cupId} -> Cup
  dropCup: DELETE /cup/{cupId} -> default
  searchCups: POST /cup/search Cup -> Cup
  Cup: { id!: int, name!, tags }
`);

async function serve() {
  const { send: call, document, app } = await serveDocument(silent, { pets: 3 });
  return { call, document, app };
}

it('takes what an operation does from its body where its answers are not described', async () => {
  const { document } = await serve();
  const kinds = Object.fromEntries(document.operations.map(({ id, kind }) => [id, kind]));
  expect(kinds).toEqual({
    addCup: 'create',
    putCup: 'replace',
    findCups: 'list',
    getCup: 'read',
    dropCup: 'delete',
    searchCups: undefined,
  });
});

it('creates the item under the id that its body has to have, and answers with it', async () => {
  const { call } = await serve();
  expect(await call('POST', '/cup', { id: 99, name: 'Blue' })).toEqual({
    status: 201,
    json: { id: 99, name: 'Blue' },
  });
  expect(await call('GET', '/cup/99')).toEqual({ status: 200, json: { id: 99, name: 'Blue' } });
  expect((await call('GET', '/cup/findByName?name=Blue')).json).toEqual([{ id: 99, name: 'Blue' }]);
});

it('replaces the item that has the id in the body', async () => {
  const { call } = await serve();
  expect(await call('PUT', '/cup', { id: 2, name: 'Red' })).toMatchObject({ status: 200 });
  expect(await call('GET', '/cup/2')).toEqual({ status: 200, json: { id: 2, name: 'Red' } });
  expect(await call('PUT', '/cup', { id: 77, name: 'Red' })).toMatchObject({ status: 404 });
});

it('shows a call that replaces an item that is there', async () => {
  const { document, app, call } = await serve();
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const [putCup] = document.operations.filter(({ id }) => id === 'putCup');
  const { body = '' } = (putCup && (await toExampleCall(putCup))) ?? {};
  expect(JSON.parse(body)).toMatchObject({ id: 1 });
  expect((await call('PUT', '/cup', JSON.parse(body))).status).toBe(200);
});

it('answers a HEAD like the read', async () => {
  const { call } = await serve();
  expect(await call('HEAD', '/cup/2')).toEqual({ status: 200, json: undefined });
  expect((await call('HEAD', '/cup/77')).status).toBe(404);
});

it('deletes, and is done as the default answer says', async () => {
  const { call } = await serve();
  expect((await call('DELETE', '/cup/2')).status).toBeLessThan(300);
  expect((await call('GET', '/cup/2')).status).toBe(404);
});
