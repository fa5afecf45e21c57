import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const nullable = { type: ['string', 'null'] };
const place = { type: 'object', properties: { street: nullable, city: text } };
const task = {
  type: 'object',
  required: ['id', 'due', 'title'],
  properties: { id: { type: 'integer' }, title: text, due: nullable, note: nullable, place },
};
const patchBody = {
  type: 'object',
  properties: { title: nullable, due: nullable, note: nullable, place: { type: 'object' } },
};
const types = ['application/json', 'application/merge-patch+json'];
const changes = {
  requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: patchBody }])) },
  responses: { 200: jsonOf(task) },
};
const one = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const paths = {
  '/tasks': { get: { responses: { 200: jsonOf({ type: 'array', items: task }) } } },
  '/tasks/{id}': { parameters: [one], get: { responses: { 200: jsonOf(task) } }, patch: changes },
  '/profile': { get: { responses: { 200: jsonOf(task) } }, patch: changes },
};

async function serve() {
  const { call } = await serveDocument(toDocument(paths));
  return async (path: string, body: object, type = 'application/json') => {
    const headers = { 'Content-Type': type };
    return call(path, { method: 'PATCH', headers, body: JSON.stringify(body) });
  };
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
    // What may not be null is removed, which nothing may that is required.
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
