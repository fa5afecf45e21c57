import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createFindMisfit,
  crudDocument,
  ownId as id,
  objectOf as obj,
  ref,
  text,
  whole,
} from '../support/crud-document.ts';
import { makeFolder } from '../support/make-folder.ts';
import { jsonOf, serveDocument, toDocument } from '../support/serve-document.ts';

const labelled = { required: ['label'], properties: { label: text } };
const schemas = {
  Base: obj({ id, value: whole }, { required: ['value'] }),
  A: { ...ref('Base'), ...labelled },
  B: { ...ref('A'), properties: { more: { type: 'boolean' } }, required: ['more'] },
  Small: { type: 'integer', minimum: 0 },
  Smaller: { ...ref('Small'), maximum: 5 },
  Smallest: { ...ref('Smaller'), multipleOf: 2 },
  Tree: obj({ id, name: text, child: { ...ref('Tree'), required: ['name'] } }),
  Text: text,
  List: { type: 'array', items: whole },
};
const held = (n: object) => obj({ id, n }, { required: ['n'] });
const kinds = [obj({ x: text }, { required: ['x'] }), obj({ y: text }, { required: ['y'] })];

type Row = [name: string, item: object, right: object, wrong: object[]];
const rows: Row[] = [
  ['properties', ref('A'), { value: 1, label: 'a' }, [{ value: 1 }, { label: 'a' }]],
  ['several steps', ref('B'), { value: 1, label: 'a', more: true }, [{ value: 1, more: true }]],
  ['an inline one', { ...ref('Base'), ...labelled }, { value: 1, label: 'a' }, [{ value: 1 }]],
  [
    'items',
    held({ type: 'array', items: { ...ref('Base'), ...labelled } }),
    { n: [{ value: 1, label: 'a' }] },
    [{ n: [{ value: 1 }] }],
  ],
  ['a bound', held({ ...ref('Small'), maximum: 5 }), { n: 5 }, [{ n: 6 }, { n: -1 }]],
  ['an enum', held({ ...ref('Text'), enum: ['a', 'b'] }), { n: 'a' }, [{ n: 'c' }]],
  ['a constant', held({ ...ref('Text'), const: 'zz' }), { n: 'zz' }, [{ n: 'c' }]],
  [
    'a pattern',
    held({ ...ref('Text'), pattern: '^[0-9a-f]{8}$' }),
    { n: '0123abcd' },
    [{ n: 'c' }],
  ],
  ['a length', held({ ...ref('List'), minItems: 3 }), { n: [1, 2, 3] }, [{ n: [1] }]],
  [
    'what leads back',
    ref('Tree'),
    { name: 'a', child: { name: 'b', child: { name: 'c' } } },
    [{ name: 'a', child: { child: { name: 'c' } } }],
  ],
  ['alternatives', { ...ref('Base'), oneOf: kinds }, { value: 1, y: 'a' }, [{ value: 1 }]],
  [
    'what closes it',
    { ...ref('Base'), properties: { label: text }, unevaluatedProperties: false },
    { value: 1, label: 'a' },
    [{ value: 1, other: 1 }],
  ],
];

it.each(rows)(
  'keeps %s beside a $ref, the first time and every time',
  async (_, item, right, wrong) => {
    const document = crudDocument(item, { schemas });
    const { call, send } = await serveDocument(document, { items: 4 });
    const findMisfit = createFindMisfit(document);
    const refused = async (body: object) => (await send('POST', '/things', body)).status;
    for (const body of [...wrong, ...wrong]) expect(await refused(body)).toBe(400);
    const made = await send('POST', '/things', right);
    expect(made).toMatchObject({ status: 201, json: right });
    expect((await send('GET', `/things/${made.json.id}`)).json).toEqual(made.json);
    for (const body of wrong) expect(await refused(body)).toBe(400);
    const seeds: object[] = (await call('/things')).json;
    const forced = await call('/things/1', { headers: { Prefer: 'seed=5' } });
    const misfits = [...seeds, forced.json].map((one) => findMisfit(item, one) ?? '');
    expect(misfits.join('')).toBe('');
  },
);

it('reads parameters by what stands beside each $ref on the way', async () => {
  const query = (name: string, schema: object) => ({ name, in: 'query', schema });
  const parameters = [
    query('n', ref('Smaller')),
    query('m', ref('Smallest')),
    query('inline', { ...ref('Small'), maximum: 3 }),
    query('list', { type: 'array', items: ref('Smaller') }),
    { ...query('X-N', ref('Smaller')), in: 'header' },
  ];
  const get = { parameters, responses: { 200: jsonOf(ref('A')) } };
  const { call } = await serveDocument(toDocument({ '/x': { get } }, { components: { schemas } }));
  const statusOf = async (search: string, headers = {}) =>
    (await call(`/x${search}`, { headers })).status;
  const refused = ['?n=7', '?n=-1', '?m=3', '?m=6', '?inline=4', '?list=7'];
  for (const search of refused) expect([search, await statusOf(search)]).toEqual([search, 400]);
  for (const search of ['?n=5', '?m=4', '?inline=3', '?list=4'])
    expect([search, await statusOf(search)]).toEqual([search, 200]);
  expect(await statusOf('', { 'X-N': '7' })).toBe(400);
});

it('says no more of what another file describes than where it is said', async () => {
  const folder = makeFolder();
  const Wide = { $ref: '#/Base', ...labelled };
  await writeFile(join(folder, 'base.json'), JSON.stringify({ Base: schemas.Base, Wide }));
  const other = './base.json#/Wide';
  const item = { $ref: other, properties: { z: whole, of: { $ref: other } }, required: ['z'] };
  const file = join(folder, 'document.json');
  await writeFile(file, JSON.stringify(crudDocument(item)));
  const { call, send } = await serveDocument(file);
  const number = expect.any(Number);
  expect((await call('/things')).json[0]).toMatchObject({ value: number, z: number });
  const statusOf = async (body: object) => (await send('POST', '/things', body)).status;
  const right = { value: 1, label: 'a', z: 1, of: { value: 1, label: 'a' } };
  expect(await statusOf(right)).toBe(201);
  expect(await statusOf({ ...right, of: { value: 1 } })).toBe(400);
  expect(await statusOf({ value: 1, label: 'a' })).toBe(400);
  expect(await statusOf({ value: 1, z: 1 })).toBe(400);
});
