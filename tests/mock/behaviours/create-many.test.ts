import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const animal = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { ...integer, readOnly: true }, name: text, born: { ...text, format: 'date' } },
};
const animals = { type: 'array', items: animal };
const herd = pathParameter('herd', text);
const body = (schema: object) => ({ requestBody: jsonOf(schema) });

it('creates several items below their parent, and answers with a wrapped list of them', async () => {
  const page = {
    type: 'object',
    required: ['data', 'total'],
    properties: { data: animals, total: integer },
  };
  const { call } = await serveDocument(
    toDocument({
      '/herds/{herd}/animals': {
        parameters: [herd],
        get: { responses: { 200: jsonOf(animals) } },
        post: { ...body(animals), responses: { 201: jsonOf(page) } },
      },
      '/herds/{herd}/animals/{id}': {
        parameters: [herd, pathParameter('id', integer)],
        get: { responses: { 200: jsonOf(animal) } },
      },
    }),
    { pets: 0 },
  );
  const created = await call(
    '/herds/north/animals',
    withJson('POST', [{ name: 'Ada' }, { name: 'Bo', id: 9 }]),
  );
  const both = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo' },
  ];
  expect([created.status, created.json]).toEqual([201, { data: both, total: 2 }]);
  expect((await call('/herds/north/animals')).json).toEqual(both);
  expect((await call('/herds/north/animals/2')).json).toEqual(both[1]);
  expect((await call('/herds/south/animals')).json).toEqual([]);
});

it('creates several items where the document says so, and answers as it describes', async () => {
  const { call } = await serveDocument(
    toDocument({
      '/animals': { get: { responses: { 200: jsonOf(animals) } } },
      '/import': {
        post: {
          ...body({ type: 'array', items: { type: 'object', properties: { name: text } } }),
          'x-twin': { kind: 'createMany', collection: '/animals' },
          responses: { 202: jsonOf({ type: 'object' }, { example: { job: 7 } }) },
        },
      },
    }),
    { pets: 0 },
  );
  const created = await call('/import', withJson('POST', [{ name: 'Ada' }, { name: 'Bo' }]));
  expect([created.status, created.json]).toEqual([202, { job: 7 }]);
  const names = (await call('/animals')).json.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Ada', 'Bo']);
});
