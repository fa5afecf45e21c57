import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const schema = schemaOf(
  '{ title: text | null, due: text | null, note: text | null, place: object }',
);
const types = ['application/json', 'application/merge-patch+json'] as const;
const changes = {
  requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) },
};
const document = documentOf(
  `
  GET /tasks -> [Task]
  GET /tasks/{id} -> Task
  PATCH /tasks/{id} -> Task
  GET /profile -> Task
  PATCH /profile -> Task
  `,
  {
    Task: `{
      id!: int, title!, due!: text | null, note: text | null,
      place: { street: text | null, city }
    }`,
  },
  { operations: { 'PATCH /tasks/{id}': changes, 'PATCH /profile': changes } },
);

async function serve() {
  const { send } = await serveDocument(document);
  return (path: string, body: object, type?: string) => send('PATCH', path, body, type);
}

it.each(['/tasks/1', '/profile'])(
  'stores null of plain JSON where %s may have it',
  async (path) => {
    const patch = await serve();
    const full = { due: 'now', note: 'a', place: { street: 'b', city: 'c' } };
    expect((await patch(path, full)).json).toMatchObject(full);
    const nulls = { due: null, note: null, place: { street: null, city: null } };
    const { status, json } = await patch(path, nulls);
    expect(status).toBe(200);
    expect(json).toMatchObject({ due: null, note: null, place: { street: null } });
    // A null removes a property that may not be null, unless it is required.
    expect(json.place).not.toHaveProperty('city');
    expect((await patch(path, { title: null })).json.message).toContain('"title" is required');
  },
);

it.each(['/tasks/1', '/profile'])(
  'removes by a merge patch what %s need not have',
  async (path) => {
    const patch = await serve();
    const full = { due: 'now', note: 'a', place: { street: 'b', city: 'c' } };
    await patch(path, full);
    const { json } = await patch(
      path,
      { due: null, note: null, place: { street: null } },
      types[1],
    );
    expect(json).toMatchObject({ due: null, place: { city: 'c' } });
    expect(json).not.toHaveProperty('note');
    expect(json.place).not.toHaveProperty('street');
  },
);
