import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { toText } from '../../../mock/explain/to-text.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const members = (lines = '', more: Parameters<typeof documentOf>[2] = {}) =>
  documentOf(
    `
    GET /members -> [Member]
    GET /members/{id} -> Member
    ${lines}
    `,
    { Member: '{ id!: int, name!, email }' },
    more,
  );

it('creates and updates what a POST describes whose success has no content', async () => {
  const { call } = await serveDocument(
    members(`
      POST /members { name, email } -> 204
      POST /members/{id} { name, email } -> 204
    `),
    { pets: 0 },
  );
  expect((await call('/members', withJson('POST', { name: 'Ada' }))).status).toBe(204);
  expect((await call('/members')).json).toMatchObject([{ id: 1, name: 'Ada' }]);
  expect((await call('/members/1', withJson('POST', { name: 'Bo' }))).status).toBe(204);
  expect((await call('/members/1')).json).toMatchObject({ id: 1, name: 'Bo' });
});

it('creates what a body describes, though the answer has no id of it', async () => {
  const { call } = await serveDocument(
    members('POST /members { name, email } -> { accepted!: int }'),
    { pets: 0 },
  );
  const { status, json } = await call('/members', withJson('POST', { name: 'Ada' }));
  expect([status, json]).toEqual([200, { accepted: expect.any(Number) }]);
  expect((await call('/members')).json).toMatchObject([{ id: 1, name: 'Ada' }]);
});

it('creates nothing of a body that is mostly about something else', async () => {
  const { call } = await serveDocument(
    members('POST /members { name, amount: int, currency } -> { accepted: int }'),
    { pets: 0 },
  );
  expect((await call('/members', withJson('POST', { name: 'Ada' }))).status).toBe(200);
  expect((await call('/members')).json).toEqual([]);
});

it('says in the journal and in explain which things an operation without state leaves alone', async () => {
  const { call, origin, document } = await serveDocument(members('DELETE /members -> 204'), {
    pets: 1,
  });
  expect((await call('/members', { method: 'DELETE' })).status).toBe(204);
  const journal = await (await fetch(`${origin}/__admin/requests`)).text();
  const { requests } = JSON.parse(journal);
  expect(requests[0].reason).toMatchObject({ kind: 'example', besides: 'members' });
  expect(toText(explain(document))).toContain(`
    GET /members       list
    DELETE /members    without state: does not change these items
    GET /members/{id}  read
`);
});

it('takes a key once that is described as a parameter too', async () => {
  const key = { type: 'apiKey', in: 'query', name: 'key' };
  const { call, keys, document } = await serveDocument(
    documentOf(
      'GET /members?key! -> [{ id: int }]',
      {},
      {
        operations: { 'GET /members': { security: [{ key: [] }] } },
        components: { securitySchemes: { key } },
      },
    ),
  );
  expect(document.operations[0]?.parameters).toEqual([]);
  expect((await call('/members')).status).toBe(401);
  expect((await call(`/members?key=${keys[0]?.key}`)).status).toBe(200);
});

it('offers the line that ties a change whose body names the item', async () => {
  const withHint = (hint: object = {}) =>
    members('PATCH /members { id!: int, name } -> Member', {
      operations: { 'PATCH /members': hint },
    });
  const { document } = await serveDocument(withHint());
  const { overlay } = explain(document).operations.find((found) => found.method === 'PATCH') ?? {};
  expect(overlay?.target).toBe("$.paths['/members'].patch");
  const { send } = await serveDocument(withHint(overlay?.update));
  expect(await send('PATCH', '/members', { id: 2, name: 'Ada' })).toMatchObject({ status: 200 });
  expect((await send('GET', '/members/2')).json).toMatchObject({ name: 'Ada' });
});
