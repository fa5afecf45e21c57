import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const content = {
  'application/json': { schema: schemaOf('{ phone }') },
  'application/json-patch+json': { schema: schemaOf('[any]') },
};
const document = documentOf(
  `
  list: GET /contacts -> [Contact]
  add: POST /contacts Contact -> 201 Contact
  read: GET /contacts/{id} -> Contact
  change: PATCH /contacts/{id} -> Contact
  `,
  { Contact: '{ readonly id!: int, lastName!, phone, email: email }' },
  { operations: { 'PATCH /contacts/{id}': { requestBody: { content } } } },
);

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
