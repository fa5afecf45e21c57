import { expect, it } from 'vitest';
import { toItemId } from '../../../mock/items/stored-item.ts';
import type { Schema } from '../../../openapi/index.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const forms: [name: string, schema: Schema][] = [
  ['integers', { type: 'integer' }],
  ['integers with a minimum', { type: 'integer', minimum: 100 }],
  ['texts', text],
  ['UUIDs', { type: 'string', format: 'uuid' }],
  ['texts of a pattern', { type: 'string', pattern: '^tag-[0-9]+$' }],
];

/** Notes below two parents, whose ids callers may give and change. */
function documentWith(id: object): object {
  const note = { type: 'object', required: ['id'], properties: { id, title: text } };
  const fields = { type: 'object', properties: { id, title: text } };
  const change = { type: 'object', properties: { title: text, new_id: id } };
  const made = { 201: jsonOf(note), 409: jsonOf({ type: 'object' }) };
  const at = (path: string, ...above: string[]) => ({
    [path]: {
      parameters: above.map((name) => ({ name, in: 'path', required: true, schema: text })),
      get: { responses: { 200: jsonOf({ type: 'array', items: note }) } },
      post: { requestBody: jsonOf(fields), responses: made },
    },
    [`${path}/{id}`]: {
      parameters: [
        ...above.map((name) => ({ name, in: 'path', required: true, schema: text })),
        { name: 'id', in: 'path', required: true, schema: id },
      ],
      get: { responses: { 200: jsonOf(note) } },
      put: { requestBody: jsonOf(fields), responses: { 200: jsonOf(note), ...made } },
      patch: { requestBody: jsonOf(change), responses: { 200: jsonOf(note) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  });
  return toDocument({ ...at('/notes'), ...at('/books/{book}/notes', 'book') });
}

it.each(forms)('counts past items that exist, of ids that are %s', async (_, schema) => {
  const { send, call, origin } = await serveDocument(documentWith(schema), { pets: 0 });
  const idOf = (n: number) => toItemId(n, schema);
  const title = 'kept';
  const expectNew = async (path: string) => {
    const before: { id: unknown }[] = (await send('GET', path)).json;
    const { status, json } = await send('POST', path, { title: 'new' });
    expect(status).toBe(201);
    expect((await send('GET', path)).json).toEqual([...before, json]);
    expect(before.map(({ id }) => id)).not.toContain(json.id);
  };
  for (const path of ['/notes', '/books/a/notes']) {
    await expectNew(path);
    await send('PATCH', `${path}/${idOf(1)}`, { new_id: idOf(2), title });
    await expectNew(path);
    await send('PUT', `${path}/${idOf(4)}`, { title });
    await expectNew(path);
    await send('POST', path, { id: idOf(6), title });
    await expectNew(path);
    await send('PUT', `/books/b/notes/${idOf(9)}`, { title });
    await send('DELETE', `/books/b/notes/${idOf(9)}`);
    await expectNew(path);
  }
  const put = { method: 'PUT', body: JSON.stringify({ title }) };
  const headers = { 'Content-Type': 'application/json' };
  for (const n of [12, 13])
    await fetch(`${origin}/__admin/data/notes/${idOf(n)}`, { ...put, headers });
  for (let times = 0; times < 8; times++) await expectNew('/notes');
  expect(
    (await call('/notes')).json.filter((one: { title: string }) => one.title === title),
  ).toHaveLength(5);
});
