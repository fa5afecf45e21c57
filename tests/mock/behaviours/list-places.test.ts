import { expect, it } from 'vitest';
import { createListBehaviour } from '../../../mock/behaviours/list.ts';
import { createClock } from '../../../mock/clock.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { addCounted } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const schemas = { Animal: '{ readonly id!: int, name, age: int }' };

type Animals = { name: string }[];

it('pages, counts and searches in the scope of a nested list alone', async () => {
  const { send } = await serveDocument(
    documentOf(
      `
      GET /herds/{herd:text}/animals?cursor&limit:int&q -> Page
      POST /herds/{herd:text}/animals { name, age: int } -> 201 Animal
      GET /herds/{herd:text}/animals/{id} -> Animal
      `,
      { ...schemas, Page: '{ data: [Animal], total: int, next_cursor: text | null }' },
    ),
    { pets: 0 },
  );
  for (const [scope, name] of [
    ['a1', 'x'],
    ['b', 'y'],
    ['a1', 'z'],
    ['b', 'a1'],
  ])
    await send('POST', `/herds/${scope}/animals`, { name, age: 1 });
  const list = async (path: string) => (await send('GET', path)).json;
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
    documentOf('GET /animals?limit:int&age:int -> [Animal]\nGET /animals/{id} -> Animal', schemas),
  );
  const [resource] = document.resources;
  const { list: operation } = resource?.operations ?? {};
  if (!resource || !operation) throw new Error('animals are no collection');
  const store = openMemoryStore({});
  await addCounted(store, 'animals', (n) => toStoredItem(resource, { age: 1 }, n));
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
  const animals = { type: 'array', items: { $ref: '#/components/schemas/Animal' } };
  const schema = { properties: { result: animals, total: { type: 'integer' } } };
  const example = { results: [{ id: 70, name: 'Old' }], total: 9 };
  const operations = { 'GET /animals': { responses: { 200: jsonOf(schema, { example }) } } };
  const { call } = await serveDocument(
    documentOf('GET /animals -> 200\nGET /animals/{id} -> Animal', schemas, { operations }),
  );
  const { json } = await call('/animals');
  expect(Object.keys(json).toSorted()).toEqual(['result', 'total']);
  expect(json.total).toBe(json.result.length);
});
