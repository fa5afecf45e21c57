import { expect, it } from 'vitest';
import { toItemId } from '../../../mock/items/stored-item.ts';
import type { Schema } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

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
  const at = (path: string) => `
    GET ${path} -> [Note]
    POST ${path} { id: Id, title } -> 201 Note, 409 object
    GET ${path}/{id} -> Note
    PUT ${path}/{id} { id: Id, title } -> Note, 201 Note, 409 object
    PATCH ${path}/{id} { title, new_id: Id } -> Note
    DELETE ${path}/{id} -> 204`;
  const document = documentOf(at('/notes') + at('/books/{book:text}/notes'), {
    ...{ Id: id, Note: '{ id!: Id, title }' },
  });
  for (const { parameters } of Object.values(document.paths))
    for (const one of (parameters ?? []) as { name: string }[])
      if (one.name === 'id') Object.assign(one, { schema: id });
  return document;
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
