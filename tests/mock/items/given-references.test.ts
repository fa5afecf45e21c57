import { expect, it } from 'vitest';
import { serveDocument } from '../../support/serve-document.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ responses: { 200: { description: 'Fine.', ...json(schema) } } });
const integer = { type: 'integer' };
const string = { type: 'string' };
const site = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: integer, name: string },
};
const type = {
  type: 'object',
  properties: { label: { enum: ['A', 'B'] }, value: { enum: ['rj-11', 'db-25'] } },
};
const rack = {
  type: 'object',
  properties: {
    id: integer,
    title: string,
    site,
    type,
    sites: { type: 'array', items: site },
    owner: { type: 'object', properties: { login: string } },
  },
};
const writable = {
  type: 'object',
  properties: {
    title: string,
    site: integer,
    owner: string,
    sites: { type: 'array', items: integer },
    type: { enum: ['rj-11', 'db-25'] },
  },
};
const requestBody = json(writable);
const document = {
  openapi: '3.1.0',
  info: { title: 'Racks', version: '1' },
  paths: {
    '/racks': {
      get: ok({ type: 'array', items: rack }),
      post: { requestBody, ...ok(rack) },
    },
    '/racks/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
      get: ok(rack),
      patch: { requestBody, ...ok(rack) },
    },
  },
};

it('holds the object of which a body gives the id', async () => {
  const { call } = await serveDocument(document);
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    return (await call(path, { method, headers, body: JSON.stringify(body) })).json;
  };
  const made = await send('POST', '/racks', { title: 'A', site: 6, type: 'rj-11' });
  expect(made).toMatchObject({ title: 'A', site: { id: 6 }, type: { value: 'rj-11' } });
  expect(typeof made.site.name).toBe('string');
  const path = `/racks/${made.id}`;
  expect(await send('PATCH', path, { owner: 'ada' })).toMatchObject({ owner: { login: 'ada' } });
  expect(await send('PATCH', path, { site: 7 })).toMatchObject({ site: { id: 7 }, title: 'A' });
  const listed = await send('PATCH', path, { sites: [8, 9] });
  expect(listed.sites).toMatchObject([{ id: 8 }, { id: 9 }]);
  const again = await send('PATCH', path, { site: 7, type: 'db-25' });
  expect(again).toMatchObject({ site: { id: 7 }, type: { value: 'db-25' } });
});
