import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const schemas = { Animal: '{ readonly id!: int, name!, born: date }' };

it('creates several items below their parent, and answers with a wrapped list of them', async () => {
  const document = documentOf(
    `
    GET /herds/{herd:text}/animals -> [Animal]
    POST /herds/{herd:text}/animals [Animal] -> 201 { data!: [Animal], total!: int }
    GET /herds/{herd:text}/animals/{id} -> Animal
    `,
    schemas,
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const animals = [{ name: 'Ada' }, { name: 'Bo', id: 9 }];
  const created = await send('POST', '/herds/north/animals', animals);
  const both = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo' },
  ];
  expect([created.status, created.json]).toEqual([201, { data: both, total: 2 }]);
  expect((await send('GET', '/herds/north/animals')).json).toEqual(both);
  expect((await send('GET', '/herds/north/animals/2')).json).toEqual(both[1]);
  expect((await send('GET', '/herds/south/animals')).json).toEqual([]);
});

it('creates several items where the document says so, and answers as it describes', async () => {
  const document = documentOf(
    `
    GET /animals -> [Animal]
    POST /import [{ name }] -> 202
    `,
    schemas,
    {
      operations: {
        'POST /import': {
          'x-twin': { kind: 'createMany', collection: '/animals' },
          responses: { 202: jsonOf({ type: 'object' }, { example: { job: 7 } }) },
        },
      },
    },
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const created = await send('POST', '/import', [{ name: 'Ada' }, { name: 'Bo' }]);
  expect(created).toEqual({ status: 202, json: { job: 7 } });
  expect((await send('GET', '/animals')).json).toMatchObject([{ name: 'Ada' }, { name: 'Bo' }]);
});

it('answers one item with an item and several with a list where either may be sent', async () => {
  const document = documentOf(
    `
    GET /animals -> [Animal]
    POST /animals Animal | [Animal] -> 201 Animal | [Animal]
    `,
    schemas,
  );
  const { send } = await serveDocument(document, { pets: 0 });
  const ada = { id: 1, name: 'Ada' };
  expect((await send('POST', '/animals', { name: 'Ada' })).json).toEqual(ada);
  const created = await send('POST', '/animals', [{ name: 'Bo' }, { name: 'Cy' }]);
  const both = [
    { id: 2, name: 'Bo' },
    { id: 3, name: 'Cy' },
  ];
  expect(created).toEqual({ status: 201, json: both });
  expect((await send('GET', '/animals')).json).toEqual([ada, ...both]);
});
