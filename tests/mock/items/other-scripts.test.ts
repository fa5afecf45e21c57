import { expect, it } from 'vitest';
import { createListBehaviour } from '../../../mock/behaviours/list.ts';
import { createClock } from '../../../mock/clock.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { toText } from '../../../mock/json/exact-json.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { compile } from '../../../openapi/index.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const beast = {
  type: 'object',
  required: ['id', 'имя'],
  properties: { id: { type: 'integer' }, имя: { type: 'string' } },
};
const content = (schema: object) => ({ 'application/json': { schema } });
const error = { description: 'no', content: content({ type: 'object' }) };
const spec = {
  openapi: '3.1.0',
  info: { title: 'Звери', version: '1' },
  servers: [{ url: '/v1' }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  security: [{ key: [] }],
  paths: {
    '/звери': {
      get: {
        operationId: 'listBeasts',
        parameters: [{ name: 'имя', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: { description: 'all', content: content({ type: 'array', items: beast }) },
        },
      },
      post: {
        operationId: 'createBeast',
        requestBody: { required: true, content: content({ ...beast, required: ['имя'] }) },
        responses: { 201: { description: 'made', content: content(beast) } },
      },
    },
    '/звери/{id}': {
      get: {
        operationId: 'getBeast',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'one', content: content(beast) }, 404: error },
      },
    },
  },
};

it('finds by a property that has no index', async () => {
  const document = await compile(await writeJson(spec));
  const [resource] = document.resources;
  const { list: operation } = resource?.operations ?? {};
  if (!resource || !operation) throw new Error('There is no resource.');
  const items = ['Жучка', 'Rex', 'Zoë'].map((имя, at) =>
    toStoredItem(resource, { id: at + 1, имя }),
  );
  const store = openMemoryStore({ [resource.name]: { items, next: 4 } });
  const list = createListBehaviour({ document, resource, operation, indexed: new Set<string>() });
  const found = async (имя: string) => {
    const answer = await list({
      store,
      clock: createClock(),
      method: 'GET',
      url: '/',
      params: {},
      query: { имя },
      source: { protocol: 'http', headers: {} },
      body: undefined,
    });
    return 'json' in answer && JSON.parse(toText(answer.json));
  };
  expect(await found('Жучка')).toEqual([{ id: 1, имя: 'Жучка' }]);
  expect(await found('Zoë')).toEqual([{ id: 3, имя: 'Zoë' }]);
});

it('exports a collection by its name, and takes it in again', async () => {
  const twin = await startTwin({ spec: await writeJson(spec), pets: 2 });
  const snapshot = (name: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json' };
    return fetch(`${twin.origin}/__admin/snapshots/${name}`, {
      method: 'PUT',
      headers,
      ...(body && { body }),
    });
  };
  await snapshot('a');
  const text = await (await fetch(`${twin.origin}/__admin/snapshots/a`)).text();
  expect(JSON.parse(text).collections).toMatchObject({
    звери: { next: 3, items: [{ id: 1, имя: expect.any(String) }, {}] },
  });
  expect((await snapshot('b', text)).status).toBe(201);
  const again = JSON.parse(await (await fetch(`${twin.origin}/__admin/snapshots/b`)).text());
  expect(again.collections).toEqual(JSON.parse(text).collections);
});

it('sends a name with its length in bytes', async () => {
  const twin = await startTwin();
  const name = 'Жучка, Zoë 🐕';
  const headers = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };
  const made = await fetch(`${twin.api}/pets`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, categoryId: 1 }),
  });
  const bytes = Buffer.from(await made.arrayBuffer());
  expect(made.headers.get('content-length')).toBe(String(bytes.length));
  expect(JSON.parse(bytes.toString())).toMatchObject({ name });
});
