import { expect, it } from 'vitest';
import { tickets } from '../../support/documents.ts';
import { expectAnswer, expectError } from '../../support/expect-answer.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

async function serve() {
  const { send: call, ...twin } = await serveDocument(tickets, { pets: 3, strictRequests: true });
  return { ...twin, full: twin.call, call };
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
  const { openedAt } = added.json;
  expect(replaced.json).toEqual({ id: 4, title: 'Gate', state: 'closed', openedAt });
  const updated = await call('PATCH', '/tickets/4', { state: 'open' }, mergePatch);
  expectAnswer(updated, 200, { ...replaced.json, state: 'open' });
  expect((await call('GET', '/tickets/4')).json).toEqual(updated.json);
  expect((await call('GET', '/tickets?state=open')).json).toContainEqual(updated.json);
  expectAnswer(await call('DELETE', '/tickets/4'), 204, undefined);
  for (const method of ['GET', 'DELETE'])
    expectError(await call(method, '/tickets/4'), 404, 'not_found');
  expectAnswer(await call('PATCH', '/tickets/4', { state: 'open' }, mergePatch), 404);
  const ids = async () => (await call('GET', '/tickets')).json.map(({ id }: { id: number }) => id);
  expect(await ids()).toEqual([1, 2, 3]);
  const next = { title: 'New', state: 'open', pin: '3' };
  expectAnswer(await call('POST', '/tickets', next), 201, { id: 5 });
  expectAnswer(await call('PUT', '/tickets/9', next), 201, { id: 9, title: 'New' });
  expectAnswer(await call('POST', '/tickets', next), 201, { id: 10 });
  expect(await ids()).toEqual([1, 2, 3, 5, 9, 10]);
});

it('answers what the document states', async () => {
  const { call } = await serve();
  const [{ id }, second] = (await call('GET', '/labels')).json;
  expectAnswer(await call('PUT', `/labels/${id}`, { name: 'red' }), 204, undefined);
  expect((await call('GET', '/labels')).json).toContainEqual({ id, name: 'red' });
  expectAnswer(await call('DELETE', `/labels/${second.id}`), 200, second);
  const gone = `/labels/${id.replace(/.$/, 'f')}`;
  for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { name: 'red' }]] as const)
    expectAnswer(await call(method, gone, body), 410, { status: 410 });
  const [{ id: job }] = (await call('GET', '/jobs')).json;
  expectAnswer(await call('DELETE', `/jobs/${job}`), 202, { status: 'cancelling' });
  expectAnswer(await call('DELETE', `/jobs/${job}`), 404);
  const ticket = { title: 'X', state: 'open', pin: '' };
  const message = 'Path parameter "ticketId" may not be "x".';
  expectError(await call('PUT', '/tickets/x', ticket), 400, 'invalid_parameter', message);
});

it('answers an id of a parent that its parameter forbids as the document states', async () => {
  const { send } = await serveEmpty(`
    POST /pets { name } -> 201 Pet
    GET /pets/{id:uuid} -> Pet
    GET /pets/{id:uuid}/toys -> [Toy], 400
    POST /pets/{id:uuid}/toys { label } -> 201 Toy, 404
    Pet: { id!: uuid, name }
    Toy: { id!: int, label }
  `);
  const message = 'Path parameter "id" may not be "x".';
  expectError(await send('GET', '/pets/x/toys'), 400, 'invalid_parameter', message);
  const missing = 'There is nothing at /pets/x/toys: pets has no such item.';
  expectError(await send('POST', '/pets/x/toys', { label: 'Ball' }), 404, 'not_found', missing);
});

it('takes the id of the path or none', async () => {
  const { call } = await serve();
  const ticket = { title: 'Door', state: 'open', pin: '1' };
  expectAnswer(await call('PUT', '/tickets/1', { ...ticket, id: 1 }), 200);
  const other = await call('PUT', '/tickets/1', { ...ticket, id: 2 });
  const message = 'is not valid for an item of tickets. "id" must be 1, as in the path, but is 2.';
  expectError(other, 400, 'invalid_body', message);
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
      message: expect.stringContaining(message),
    });
  expect((await call('GET', '/tickets/1')).json).toEqual(before);
});

it('applies a JSON Patch as a whole or not at all', async () => {
  const { call, full } = await serve();
  const patch = (...operations: object[]) => call('PATCH', '/tickets/1', operations, jsonPatch);
  const before = (await call('GET', '/tickets/1')).json;
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
  ] as const) {
    const refused = await patch({ op: 'replace', path: '/title', value: 'Lost' }, operation);
    const message = `Operation 1 of the patch cannot be applied: ${reason}`;
    expectAnswer(refused, 422, { message: expect.stringContaining(message) });
  }
  expect((await call('GET', '/tickets/1')).json).toEqual(patched.json);
  const copy = { op: 'copy', from: '/contact' };
  const doubling = Array.from({ length: 40 }, (_, at) => ({ ...copy, path: `/contact/${at}` }));
  const message = expect.stringContaining('the item may have at most 2097152 characters');
  expectAnswer(await patch(...doubling), 422, { message });
  const tests = Array.from({ length: 101 }, () => ({ op: 'test', path: '/title', value: 'Door' }));
  expectAnswer(await patch(...tests), 422);
  expectAnswer(await call('PATCH', '/tickets/1', {}, jsonPatch), 422);
  // Plain JSON too, which the document does not describe for it.
  for (const type of ['text/plain', 'application/json']) {
    const headers = { 'Content-Type': type };
    const refused = await full('/tickets/1', {
      method: 'PATCH',
      headers,
      body: '{"title":"Gate"}',
    });
    expectAnswer(refused, 415);
    expect(refused.headers.get('Accept-Patch')).toBe(`${mergePatch}, ${jsonPatch}`);
  }
});

it('asks for no readOnly property, takes none, and shows no writeOnly one', async () => {
  const { call } = await serve();
  const openedAt = '1999-12-31T00:00:00Z';
  const contact = { name: 'Ann', password: 'secret', token: 'mine' };
  const door = { title: 'Door', state: 'open', pin: '1234', openedAt, contact };
  const added = await call('POST', '/tickets', door);
  expectAnswer(added, 201, { openedAt: date, contact: { name: 'Ann' } });
  const ticket = added.json;
  expect(Object.keys(ticket).toSorted()).toEqual(['contact', 'id', 'openedAt', 'state', 'title']);
  expect(Object.keys(ticket.contact).toSorted()).toEqual(['name', 'token']);
  const { token } = ticket.contact;
  expect([ticket.openedAt, token]).not.toContain(openedAt);
  expect(token).not.toBe('mine');
  const gate = { title: 'Gate', state: 'open', pin: '1', contact: { name: 'Bob', password: 'x' } };
  const replaced = await call('PUT', '/tickets/4', gate);
  expect(replaced.json).toEqual({ ...ticket, title: 'Gate', contact: { name: 'Bob', token } });
  const message = expect.stringContaining('"pin" is required.');
  expectAnswer(await call('POST', '/tickets', { title: 'Door', state: 'open' }), 422, { message });
  const listed: object[] = (await call('GET', '/tickets')).json;
  for (const one of listed) expect(one).not.toHaveProperty('pin');
});

it('says in the journal and the admin what each operation did', async () => {
  const { call, origin } = await serve();
  await call('PUT', '/tickets/1', { title: 'Door', state: 'open', pin: '1' });
  await call('PATCH', '/tickets/1', { title: 'Gate' }, mergePatch);
  await call('DELETE', '/tickets/1');
  const admin = async (path: string) => (await fetch(`${origin}/__admin/${path}`)).json();
  const { requests } = (await admin('requests')) as { requests: { reason: object }[] };
  const kinds = ['delete', 'update', 'replace'];
  expect(requests).toMatchObject(kinds.map((kind) => ({ reason: { step: 'behaviour', kind } })));
  const changes = { replace: 'putTicket', update: 'patchTicket', delete: 'deleteTicket' };
  const operations = { list: 'listTickets', create: 'addTicket', read: 'getTicket', ...changes };
  const { collections } = (await admin('collections')) as { collections: object[] };
  const tickets = expect.objectContaining({ name: 'tickets', operations });
  expect(collections).toContainEqual(tickets);
});

it.each([
  ['a number', 'int', 1],
  ['a text', 'text', '1'],
])('answers a delete by a note with the id of the item, %s', async (_, id, own) => {
  const { call, lines } = await serveDocument(`
    GET /things -> [{ id!: ${id}, name }]
    GET /things/{id} -> { id!: ${id}, name }
    DELETE /things/{id} -> { id!: ${id}, deleted!: true }
  `);
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
  const read = await send('GET', `/things/${json.id}`);
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

it('refuses a change of one part that makes another one, which stays, unfit', async () => {
  const { send } = await serveDocument(`
    GET /places/{id} -> Place
    PATCH /places/{id} object -> Place, 400
    Place: { id!: int, geo!: Point | Line }
    Point: { type!: "Point", at!: [int](minItems=2) }
    Line: { type!: "Line", at!: [[int]](minItems=2) }
  `);
  const point = { id: 1, geo: { type: 'Point', at: [1, 2] } };
  expect((await send('PATCH', '/places/1', point)).json).toEqual(point);
  expect((await send('PATCH', '/places/1', { geo: { type: 'Line' } })).status).toBe(400);
  expect((await send('GET', '/places/1')).json).toEqual(point);
});
