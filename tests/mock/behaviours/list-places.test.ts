import { expect, it } from 'vitest';
import { createListBehaviour } from '../../../mock/behaviours/list.ts';
import { createClock } from '../../../mock/clock.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const fields = { name: text, age: integer };
const animal = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, ...fields },
};
const animals = { type: 'array', items: animal };

type Animals = { name: string }[];

it('pages, counts and searches in the scope of a nested list alone', async () => {
  const page = {
    type: 'object',
    properties: {
      data: animals,
      total: integer,
      next_cursor: { type: ['string', 'null'] },
    },
  };
  const parameter = (name: string, one: object) => ({ name, in: 'query', schema: one });
  const herd = pathParameter('herd', text);
  const { call } = await serveDocument(
    toDocument({
      '/herds/{herd}/animals': {
        parameters: [herd],
        get: {
          parameters: [
            parameter('cursor', text),
            parameter('limit', integer),
            parameter('q', text),
          ],
          responses: { 200: jsonOf(page) },
        },
        post: {
          requestBody: jsonOf({ type: 'object', properties: fields }),
          responses: { 201: jsonOf(animal) },
        },
      },
      '/herds/{herd}/animals/{id}': {
        parameters: [herd, pathParameter('id', integer)],
        get: { responses: { 200: jsonOf(animal) } },
      },
    }),
    { pets: 0 },
  );
  for (const [scope, name] of [
    ['a1', 'x'],
    ['b', 'y'],
    ['a1', 'z'],
    ['b', 'a1'],
  ])
    await call(`/herds/${scope}/animals`, withJson('POST', { name, age: 1 }));
  const list = async (path: string) => (await call(path)).json;
  const namesOf = ({ data }: { data: Animals }) => data.map(({ name }) => name);
  const first = await list('/herds/a1/animals?limit=1');
  expect([namesOf(first), first.total]).toEqual([['x'], 2]);
  const second = await list(`/herds/a1/animals?limit=1&cursor=${first.next_cursor}`);
  expect([namesOf(second), second.next_cursor]).toEqual([['z'], null]);
  // The name of the herd is no text of its items.
  for (const scope of ['a1', 'b'])
    expect((await list(`/herds/${scope}/animals?q=a1`)).total).toBe(scope === 'b' ? 1 : 0);
  expect(namesOf(await list('/herds/b/animals?q=a1&limit=1'))).toEqual(['a1']);
});

it('lists everything for a page size below 0, whether a filter is indexed or not', async () => {
  const document = compile(
    toDocument({
      '/animals': {
        get: {
          parameters: ['limit', 'age'].map((name) => ({ name, in: 'query', schema: integer })),
          responses: { 200: jsonOf(animals) },
        },
      },
      '/animals/{id}': { get: { responses: { 200: jsonOf(animal) } } },
    }),
  );
  const [resource] = document.resources;
  const { list: operation } = resource?.operations ?? {};
  if (!resource || !operation) throw new Error('animals are no collection');
  const store = openMemoryStore({});
  await store.add('animals', (n) => toStoredItem(resource, { age: 1 }, n));
  for (const indexed of [new Set<string>(), new Set(['age'])]) {
    const list = createListBehaviour({ document, resource, operation, indexed });
    const source = { protocol: 'http', headers: {} };
    const clock = createClock();
    const call = { store, clock, method: 'GET', url: '/', params: {}, source, body: undefined };
    expect(await list({ ...call, query: { age: '1', limit: '-1' } })).toMatchObject({
      json: '[{"id":1,"age":1}]',
    });
  }
});

it('shows none of the items that an example has by another name', async () => {
  const schema = { type: 'object', properties: { result: animals, total: integer } };
  const example = { results: [{ id: 70, name: 'Old' }], total: 9 };
  const read = { responses: { 200: jsonOf(animal) } };
  const { call } = await serveDocument(
    toDocument({
      '/animals': { get: { responses: { 200: jsonOf(schema, { example }) } } },
      '/animals/{id}': { parameters: [pathParameter('id')], get: read },
    }),
  );
  const { json } = await call('/animals');
  expect(Object.keys(json).toSorted()).toEqual(['result', 'total']);
  expect(json.total).toBe(json.result.length);
});
