import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { projectFile } from '../../support/twin.ts';

const spec = projectFile('tests/support/tickets.yaml');

async function serve() {
  const twin = await serveDocument(spec, { pets: 3, strictRequests: true });
  const call = (method: string, path: string, body?: unknown, type = 'application/json') => {
    const sent = { headers: { 'Content-Type': type }, body: JSON.stringify(body) };
    return twin.call(path, { method, ...(body !== undefined && sent) });
  };
  return { ...twin, call };
}

const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';

it('replaces, updates and deletes items, and gives no id again', async () => {
  const { call } = await serve();
  const added = await call('POST', '/tickets', { title: 'Door', state: 'open', pin: '1' });
  expectAnswer(added, 201, { id: 4, title: 'Door', openedAt: date });
  const replaced = await call('PUT', '/tickets/4', { title: 'Gate', state: 'closed', pin: '2' });
  expect(replaced.status).toBe(200);
  const { openedAt } = added.json as { openedAt: string };
  expect(replaced.json).toEqual({ id: 4, title: 'Gate', state: 'closed', openedAt });
  const updated = await call('PATCH', '/tickets/4', { state: 'open' }, mergePatch);
  expectAnswer(updated, 200, { ...(replaced.json as object), state: 'open' });
  expect((await call('GET', '/tickets/4')).json).toEqual(updated.json);
  expect((await call('GET', '/tickets?state=open')).json).toContainEqual(updated.json);
  expectAnswer(await call('DELETE', '/tickets/4'), 204, undefined);
  for (const method of ['GET', 'DELETE'])
    expectAnswer(await call(method, '/tickets/4'), 404, { code: 'not_found', status: 404 });
  expectAnswer(await call('PATCH', '/tickets/4', { state: 'open' }, mergePatch), 404);
  const ids = async () =>
    ((await call('GET', '/tickets')).json as { id: number }[]).map(({ id }) => id);
  expect(await ids()).toEqual([1, 2, 3]);
  expect(await call('POST', '/tickets', { title: 'New', state: 'open', pin: '3' })).toMatchObject({
    json: { id: 5 },
  });
  expectAnswer(await call('PUT', '/tickets/9', { title: 'Nine', state: 'open', pin: '4' }), 201, {
    id: 9,
    title: 'Nine',
  });
  expect(await call('POST', '/tickets', { title: 'Ten', state: 'open', pin: '5' })).toMatchObject({
    json: { id: 10 },
  });
  expect(await ids()).toEqual([1, 2, 3, 5, 9, 10]);
});

it('answers what the document states', async () => {
  const { call } = await serve();
  const [{ id }, second] = (await call('GET', '/labels')).json as [{ id: string }, object];
  expectAnswer(await call('PUT', `/labels/${id}`, { name: 'red' }), 204, undefined);
  expect((await call('GET', '/labels')).json).toContainEqual({ id, name: 'red' });
  expectAnswer(await call('DELETE', `/labels/${(second as { id: string }).id}`), 200, second);
  const gone = `/labels/${id.replace(/.$/, 'f')}`;
  for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { name: 'red' }]] as const)
    expectAnswer(await call(method, gone, body), 410, { status: 410 });
  const [{ id: job }] = (await call('GET', '/jobs')).json as [{ id: string }];
  expectAnswer(await call('DELETE', `/jobs/${job}`), 202, { status: 'cancelling' });
  expectAnswer(await call('DELETE', `/jobs/${job}`), 404);
  expectAnswer(await call('PUT', '/tickets/x', { title: 'X', state: 'open', pin: '' }), 404);
});

it('takes the id of the path or none', async () => {
  const { call } = await serve();
  const ticket = { title: 'Door', state: 'open', pin: '1' };
  expectAnswer(await call('PUT', '/tickets/1', { ...ticket, id: 1 }), 200);
  expectAnswer(await call('PUT', '/tickets/1', { ...ticket, id: 2 }), 400, {
    code: 'invalid_body',
    message:
      'The body is not valid for an item of tickets. "id" must be 1, as in the path, but is 2. The id of an item cannot be changed.',
  });
  expectAnswer(await call('PATCH', '/tickets/1', { id: 2 }, mergePatch), 422);
  expectAnswer(await call('PATCH', '/tickets/1', { id: null }, mergePatch), 422);
  expect((await call('GET', '/tickets/1')).json).toMatchObject({ id: 1, title: 'Door' });
});

it('changes nothing by a patch that makes no valid item', async () => {
  const { call } = await serve();
  const before = (await call('GET', '/tickets/1')).json;
  for (const [body, message] of [
    [{ title: null }, '"title" is required.'],
    [{ title: '' }, '"title" must have at least 1 character, but is "".'],
    [{ contact: { name: 7 } }, '"contact/name" must be a string, but is 7.'],
  ] as const)
    expectAnswer(await call('PATCH', '/tickets/1', body, mergePatch), 422, {
      status: 422,
      message: expect.stringContaining(message),
    });
  expect((await call('GET', '/tickets/1')).json).toEqual(before);
});

it('applies a JSON Patch as a whole or not at all', async () => {
  const { call } = await serve();
  const patch = (...operations: object[]) => call('PATCH', '/tickets/1', operations, jsonPatch);
  const before = (await call('GET', '/tickets/1')).json as object;
  const patched = await patch(
    { op: 'replace', path: '/title', value: 'Door' },
    { op: 'test', path: '/title', value: 'Door' },
    { op: 'add', path: '/contact', value: { name: 'Ann' } },
    { op: 'copy', from: '/title', path: '/contact/phone' },
    { op: 'remove', path: '/openedAt' },
  );
  expectAnswer(patched, 200, { ...before, title: 'Door', contact: { name: 'Ann', phone: 'Door' } });
  for (const [operation, reason] of [
    [{ op: 'test', path: '/title', value: 'Gate' }, 'the value there differs from the tested one'],
    [{ op: 'remove', path: '/nothing' }, "can't remove nonexistent property"],
    [{ op: 'add', path: '/__proto__/x', value: 1 }, 'it must not name __proto__'],
    [{ op: 'jump', path: '/title' }, "expected 'op' to be one of 'add', 'remove'"],
    [{ op: 'replace', path: '/title' }, "missing property 'value'"],
    [{ op: 'move', path: '/title' }, "missing property 'from'"],
  ] as const)
    expect(
      await patch({ op: 'replace', path: '/title', value: 'Lost' }, operation),
      reason,
    ).toMatchObject({
      status: 422,
      json: {
        message: expect.stringContaining(`Operation 1 of the patch cannot be applied: ${reason}`),
      },
    });
  expect((await call('GET', '/tickets/1')).json).toEqual(patched.json);
  const doubling = Array.from({ length: 40 }, (_, index) => ({
    op: 'copy',
    from: '/contact',
    path: `/contact/${index}`,
  }));
  expectAnswer(await patch(...doubling), 422, {
    message: expect.stringContaining('the item may have at most 2097152 characters'),
  });
  const tests = Array.from({ length: 101 }, () => ({ op: 'test', path: '/title', value: 'Door' }));
  expectAnswer(await patch(...tests), 422);
  expectAnswer(await call('PATCH', '/tickets/1', {}, jsonPatch), 422);
  // Plain JSON too, which the document does not describe for it.
  for (const type of ['text/plain', 'application/json']) {
    const refused = await call('PATCH', '/tickets/1', { title: 'Gate' }, type);
    expectAnswer(refused, 415);
    expect(refused.headers.get('Accept-Patch')).toBe(`${mergePatch}, ${jsonPatch}`);
  }
});

it('asks for no readOnly property, takes none, and shows no writeOnly one', async () => {
  const { call } = await serve();
  const contact = { name: 'Ann', password: 'secret', token: 'mine' };
  const added = await call('POST', '/tickets', {
    title: 'Door',
    state: 'open',
    pin: '1234',
    openedAt: '1999-12-31T00:00:00Z',
    contact,
  });
  expectAnswer(added, 201, { openedAt: date, contact: { name: 'Ann' } });
  const ticket = added.json as { openedAt: string; contact: { token: string } };
  expect(Object.keys(ticket).toSorted()).toEqual(['contact', 'id', 'openedAt', 'state', 'title']);
  expect(Object.keys(ticket.contact).toSorted()).toEqual(['name', 'token']);
  expect([ticket.openedAt, ticket.contact.token]).not.toContain('1999-12-31T00:00:00Z');
  expect(ticket.contact.token).not.toBe('mine');
  const replaced = await call('PUT', '/tickets/4', {
    title: 'Gate',
    state: 'open',
    pin: '1',
    contact: { name: 'Bob', password: 'x' },
  });
  expect(replaced.json).toEqual({
    ...ticket,
    title: 'Gate',
    contact: { name: 'Bob', token: ticket.contact.token },
  });
  expectAnswer(await call('POST', '/tickets', { title: 'Door', state: 'open' }), 422, {
    message: expect.stringContaining('"pin" is required.'),
  });
  const listed = (await call('GET', '/tickets')).json as object[];
  for (const one of listed) expect(one).not.toHaveProperty('pin');
});

it('says in the journal and the admin what each operation did', async () => {
  const { call, origin } = await serve();
  await call('PUT', '/tickets/1', { title: 'Door', state: 'open', pin: '1' });
  await call('PATCH', '/tickets/1', { title: 'Gate' }, mergePatch);
  await call('DELETE', '/tickets/1');
  const admin = async (path: string) => (await fetch(`${origin}/__admin/${path}`)).json();
  const { requests } = (await admin('requests')) as { requests: { reason: object }[] };
  expect(requests.toReversed().map(({ reason }) => reason)).toMatchObject([
    { step: 'behaviour', kind: 'replace' },
    { step: 'behaviour', kind: 'update' },
    { step: 'behaviour', kind: 'delete' },
  ]);
  expect(await admin('collections')).toMatchObject({
    collections: expect.arrayContaining([
      expect.objectContaining({
        name: 'tickets',
        operations: {
          list: 'listTickets',
          create: 'addTicket',
          read: 'getTicket',
          replace: 'putTicket',
          update: 'patchTicket',
          delete: 'deleteTicket',
        },
      }),
    ]),
  });
});

it.each([
  ['a number', { type: 'integer' }, 1],
  ['a text', { type: 'string' }, '1'],
])('answers a delete by a note with the id of the item, %s', async (_, id, own) => {
  const { call, lines } = await serveDocument(
    documentOf(
      `
      GET /things -> [{ id!: Id, name }]
      GET /things/{id} -> { id!: Id, name }
      DELETE /things/{id} -> { id!: Id, deleted!: true }
      `,
      { Id: id },
    ),
  );
  expect((await call('/things/1')).json).not.toHaveProperty('deleted');
  const deleted = await call('/things/1', { method: 'DELETE' });
  expect([deleted.status, deleted.json]).toEqual([200, { id: own, deleted: true }]);
  expect((await call('/things/1')).status).toBe(404);
  expect(lines.join('\n')).not.toContain('do not match their schema');
});

it('answers a create by the id alone, as a text of the number that items have', async () => {
  const { send } = await serveDocument(`
    GET /things -> [{ id: int, name }]
    POST /things { name } -> 201 { id! }
    GET /things/{id} -> { id: int, name }
  `);
  const { json } = await send('POST', '/things', { name: 'First' });
  expect(json).toEqual({ id: expect.stringMatching(/^\d+$/) });
  const read = await send('GET', `/things/${(json as { id: string }).id}`);
  expectAnswer(read, 200, { name: 'First' });
});

it('says of what it deleted that it is deleted', async () => {
  const { send } = await serveDocument(`
    GET /things -> [{ id!: int, name! }]
    DELETE /things/{id} -> { id!: int, deleted!: bool, is_removed!: bool, success!: bool }
  `);
  const json = { id: 1, deleted: true, is_removed: true, success: true };
  expect(await send('DELETE', '/things/1')).toEqual({ status: 200, json });
});

it('says of what it deleted no more than it must, unless an example shows more', async () => {
  const { send } = await serveDocument(`
    GET /pets -> [{ id!: int, name! }]
    DELETE /pets/{id} -> { id: int, deleted: bool, object: "pet", name: text, tags: [text] }
  `);
  expect((await send('DELETE', '/pets/1')).json).toEqual({ id: 1, deleted: true, object: 'pet' });
});
