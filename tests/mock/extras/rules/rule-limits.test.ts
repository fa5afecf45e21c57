import { expect, it } from 'vitest';
import { type ExplainedEntry, explainReason } from '../../../../mock/journal/explain-reason.ts';
import { documentOf, hintsOf } from '../../../support/document-of.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { withJson } from '../../../support/with-json.ts';

const lines = `
  GET /notes -> [Note]
  POST /notes Note -> 201 Note
  POST /notes/bulk [Note] -> 201 [Note]
  GET /notes/{id:text} -> Note
  PUT /notes/{id:text} Note -> Note
  PATCH /notes/{id:text} Note -> Note
  DELETE /notes/{id:text} -> 204
  GET /notes/{id:text}/parts -> [Note]
  POST /notes/{id:text}/parts Note -> 201 Note
  GET /user -> { login }
  GET /notes/latest -> Note
  GET /org -> { login }
  Note: { id, name, status, number: int, due: date, count: int }
`;

/** Serves notes with x-twin of their operations, by method and path. */
const serve = (hints: Readonly<Record<string, object>>) =>
  serveDocument(documentOf(lines, {}, { operations: hintsOf(hints) }), { pets: 0 });

it('starts where single objects name each other', async () => {
  const { send } = await serve({
    'GET /user': { values: { login: '{singles.org.login}' } },
    'GET /org': { values: { login: '{singles.user.login}' } },
  });
  expect((await send('GET', '/user')).status).toBe(200);
});

it('knows the object at a path of two words', async () => {
  const { send } = await serve({
    'GET /notes/latest': { kind: 'none', values: { status: 'open' } },
    'POST /notes': { values: { status: '{singles.notes.latest.status} too' } },
  });
  expect((await send('POST', '/notes', {})).json.status).toBe('open too');
});

it('gives items of a bulk create the values that they leave out', async () => {
  const { send } = await serve({
    'POST /notes/bulk': { kind: 'createMany', collection: '/notes', values: { status: 'draft' } },
  });
  const made = await send('POST', '/notes/bulk', [{ status: 'open' }, { name: 'x' }]);
  expect(made.json.map((one: { status: string }) => one.status)).toEqual(['open', 'draft']);
});

it('leaves out headers whose names are not there, and writes times in them', async () => {
  const headers = { 'X-B': 'a{body.gone}', 'X-C': '{now}' };
  const { call } = await serve({
    'POST /notes': { refuses: [{ when: { 'body.name': 'x' }, status: 409, headers }] },
  });
  const one = await call('/notes', withJson('POST', { name: 'x', status: 'y' }));
  expect(one.status).toBe(409);
  expect(one.headers.get('X-B')).toBe(null);
  expect(one.headers.get('X-C')).toMatch(/^\d{4}-/);
});

it('answers 404 where the item above is not there', async () => {
  const { send } = await serve({
    'POST /notes/{id}/parts': { refuses: [{ unless: { 'parent.status': 'open' }, status: 409 }] },
  });
  expect((await send('POST', '/notes/gone/parts', {})).status).toBe(404);
});

it('writes days as days', async () => {
  const { send } = await serve({ 'POST /notes': { values: { due: '{now}' } } });
  expect((await send('POST', '/notes', {})).json.due).toMatch(/^\d{4}-\d\d-\d\d$/);
});

it('numbers items once', async () => {
  const { send } = await serve({ 'POST /notes': { values: { number: '{serial}' } } });
  const made = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/notes', {})));
  expect(new Set(made.map(({ json }) => json.number)).size).toBe(20);
});

it('numbers items once after a delete', async () => {
  const { send } = await serve({ 'POST /notes': { values: { number: '{serial}' } } });
  const a = await send('POST', '/notes', {});
  const b = await send('POST', '/notes', {});
  await send('DELETE', `/notes/${a.json.id}`);
  const c = await send('POST', '/notes', {});
  expect([a.json.number, b.json.number, c.json.number]).toEqual([1, 2, 3]);
});

it('changes nothing of the item above where a call is stateless', async () => {
  const { send } = await serve({
    'POST /notes': { values: { count: 0 } },
    'POST /notes/{id}/parts': { parent: { count: '{count + 1}' } },
  });
  const { json } = await send('POST', '/notes', {});
  const made = await send('POST', `/notes/${json.id}/parts`, {}, { Prefer: 'stateless' });
  expect(made.status).toBe(201);
  expect((await send('GET', `/notes/${json.id}`)).json.count).toBe(0);
});

it('ignores rules with headers that cannot be read', async () => {
  const refused = { when: { 'body.name': 'x' }, status: 409, headers: { 'X-A': '{body.' } };
  const { send } = await serve({ 'POST /notes': { refuses: [refused] } });
  expect((await send('POST', '/notes', { name: 'x' })).status).toBe(201);
});

it('moves an item whose id is set', async () => {
  const { send } = await serve({
    'POST /notes': { sets: { id: '{body.name}' } },
    'PATCH /notes/{id}': { sets: { id: '{name}' } },
  });
  const a = await send('POST', '/notes', { name: 'one' });
  expect(a.json.id).toBe('one');
  expect((await send('POST', '/notes', { name: 'one' })).status).toBe(409);
  const two = await send('PATCH', '/notes/one', { name: 'two' });
  expect([two.status, two.json.id]).toEqual([200, 'two']);
  expect((await send('GET', '/notes/two')).status).toBe(200);
  expect((await send('GET', '/notes/one')).status).toBe(404);
  await send('POST', '/notes', { name: 'three' });
  expect((await send('PATCH', '/notes/three', { name: 'two' })).status).toBe(409);
});

it('says in the journal and in words that a rule refused a call', async () => {
  const refuses = [{ when: { 'body.name': 'x' }, status: 409 }];
  const { send } = await serve({ 'POST /notes': { refuses } });
  await send('POST', '/notes', { name: 'x' });
  const entry: ExplainedEntry = (await send('GET', '/__admin/requests/latest')).json;
  expect(entry.reason).toEqual({ step: 'behaviour', kind: 'create', xTwin: 'refuses' });
  expect(explainReason(entry)).toMatch(/^409: .*; by refuses of x-twin$/);
});

it('refuses no change for what a rule gave the item, though the document forbids it', async () => {
  const values = { pushed: null, network: '{absent}' };
  const document = documentOf(
    `
    GET /repos -> [Simple]
    POST /repos Simple -> 201 Full
    GET /repos/{id:text} -> Full
    PATCH /repos/{id:text} Simple -> Full
    Simple: { id, name: any, pushed: any }
    Full: { id!, name: any, pushed!: date-time, network!: int }
    `,
    {},
    { operations: hintsOf({ 'POST /repos': { values } }) },
  );
  const { send } = await serveDocument(document);
  const { json } = await send('POST', '/repos', { name: 'a' });
  const changed = await send('PATCH', `/repos/${json.id}`, { name: 'b' });
  expect(changed).toMatchObject({ status: 200, json: { name: 'b', pushed: null } });
});
