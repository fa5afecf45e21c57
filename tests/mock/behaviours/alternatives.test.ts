import { expect, it } from 'vitest';
import {
  createFindMisfit,
  crudDocument,
  ownId as id,
  objectOf as obj,
  ref,
  text,
  whole,
} from '../../support/crud-document.ts';
import { serveDocument } from '../../support/serve-document.ts';

const number = { type: 'number' };
const closed = { additionalProperties: false };
const Circle = obj(
  { id, type: { const: 'circle' }, radius: number },
  { required: ['type', 'radius'] },
);
const Square = obj({ id, type: { const: 'square' }, side: number }, { required: ['type', 'side'] });
const [X, Y] = [
  obj({ id, x: text }, { required: ['x'] }),
  obj({ id, y: whole }, { required: ['y'] }),
];
const mapping = { cat: ref('Cat').$ref, dog: ref('Dog').$ref };
const ofAnimals = {
  required: ['animalType'],
  discriminator: { propertyName: 'animalType', mapping },
};
const Animal = obj({ id, animalType: text, name: text }, ofAnimals);
const Cat = { allOf: [ref('Animal'), obj({ lives: whole })] };
const Dog = { allOf: [ref('Animal'), obj({ packSize: whole }, { required: ['packSize'] })] };

/** The schema of items, what it refers to, and bodies that are stored and come back as sent. */
type Row = [
  name: string,
  item: object,
  parts: Parameters<typeof crudDocument>[1],
  bodies: object[],
];
const rows: Row[] = [
  [
    'anyOf const',
    { anyOf: [ref('Circle'), ref('Square')] },
    { schemas: { Circle, Square } },
    [
      { type: 'square', side: 2 },
      { type: 'circle', radius: 1 },
    ],
  ],
  [
    'oneOf closed',
    {
      oneOf: [
        { ...Circle, ...closed },
        { ...Square, ...closed },
      ],
    },
    {},
    [
      { type: 'square', side: 2 },
      { type: 'circle', radius: 1 },
    ],
  ],
  ['oneOf XY', { oneOf: [ref('X'), ref('Y')] }, { schemas: { X, Y } }, [{ y: 7 }, { x: 'a' }]],
  [
    'base props and oneOf',
    obj(
      { id, name: text },
      {
        required: ['name'],
        oneOf: [obj({ x: text }, { required: ['x'] }), obj({ y: whole }, { required: ['y'] })],
      },
    ),
    {},
    [
      { name: 'n', y: 7 },
      { name: 'n', x: 'x' },
    ],
  ],
  [
    'allOf base and oneOf',
    {
      allOf: [
        obj({ id, name: text }),
        { oneOf: [obj({ x: text }, { required: ['x'] }), obj({ y: whole }, { required: ['y'] })] },
      ],
    },
    {},
    [
      { name: 'n', y: 7 },
      { name: 'n', x: 'x' },
    ],
  ],
  [
    'oneOf of allOf',
    {
      oneOf: [
        { allOf: [ref('B'), obj({ kind: { const: 'p' }, p: whole }, { required: ['kind', 'p'] })] },
        { allOf: [ref('B'), obj({ kind: { const: 'q' }, q: whole }, { required: ['kind', 'q'] })] },
      ],
    },
    { schemas: { B: obj({ id, n: text }) } },
    [
      { n: 'a', kind: 'q', q: 1 },
      { kind: 'p', p: 2 },
    ],
  ],
  [
    'discriminator 3.0',
    ref('Animal'),
    { schemas: { Animal, Cat, Dog }, version: '3.0.3' },
    [
      { animalType: 'cat', lives: 9 },
      { animalType: 'dog', packSize: 2 },
    ],
  ],
  [
    'discriminator 3.0 no mapping',
    ref('Animal'),
    {
      schemas: { Animal: { ...Animal, discriminator: { propertyName: 'animalType' } }, Cat, Dog },
      version: '3.0.3',
    },
    [
      { animalType: 'Cat', lives: 9 },
      { animalType: 'Dog', packSize: 2, name: 'd' },
    ],
  ],
  [
    'additionalProperties true',
    obj({ id, a: text }, { additionalProperties: true }),
    {},
    [{ a: 'a', extra: { b: [1] } }],
  ],
  [
    'patternProperties closed',
    obj({ id, a: text }, { patternProperties: { '^x-': whole }, ...closed }),
    {},
    [{ a: 'a', 'x-b': 3 }],
  ],
  [
    'additionalProperties in oneOf',
    {
      oneOf: [
        obj({ id, a: text }, { required: ['a'], additionalProperties: whole }),
        obj({ id, b: whole }, { required: ['b'], ...closed }),
      ],
    },
    {},
    [{ a: 'a', extra: 3 }, { b: 3 }],
  ],
  [
    'if then',
    obj(
      { id, kind: { enum: ['a', 'b'] } },
      {
        required: ['kind'],
        if: { properties: { kind: { const: 'a' } } },
        // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
        then: obj({ av: whole }, { required: ['av'] }),
        else: obj({ bv: whole }, { required: ['bv'] }),
      },
    ),
    {},
    [
      { kind: 'a', av: 1 },
      { kind: 'b', bv: 2 },
    ],
  ],
  [
    'dependentSchemas',
    obj(
      { id, card: text },
      { dependentSchemas: { card: obj({ billing: text }, { required: ['billing'] }) } },
    ),
    {},
    [{ card: '1', billing: 'b' }, {}],
  ],
  [
    'property anyOf scalar',
    obj({ id, v: { anyOf: [text, whole, { type: 'array', items: text }] } }, { required: ['v'] }),
    {},
    [{ v: 3 }, { v: ['a'] }, { v: 'a' }],
  ],
  [
    'array of oneOf',
    obj({ id, list: { type: 'array', items: { oneOf: [Circle, Square] } } }),
    {},
    [
      {
        list: [
          { type: 'square', side: 1 },
          { type: 'circle', radius: 1 },
        ],
      },
    ],
  ],
  [
    'body oneOf other than item',
    obj({ id, kind: text, x: text, y: whole }),
    {
      body: {
        oneOf: [
          obj({ kind: { const: 'x' }, x: text }, { required: ['kind', 'x'] }),
          obj({ kind: { const: 'y' }, y: whole }, { required: ['kind', 'y'] }),
        ],
      },
    },
    [
      { kind: 'y', y: 2 },
      { kind: 'x', x: 'b' },
    ],
  ],
  [
    'oneOf required only',
    obj({ id, a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    {},
    [{ a: 'x' }, { b: 'x' }],
  ],
  [
    'recursive oneOf',
    ref('Expr'),
    {
      schemas: {
        Expr: {
          oneOf: [
            obj({ id, op: { const: 'lit' }, value: whole }, { required: ['op', 'value'] }),
            obj(
              { id, op: { const: 'add' }, left: ref('Expr'), right: ref('Expr') },
              { required: ['op', 'left', 'right'] },
            ),
          ],
        },
      },
    },
    [{ op: 'add', left: { op: 'lit', value: 1 }, right: { op: 'lit', value: 2 } }],
  ],
];

it.each(rows)(
  'stores what is sent of %s, and begins with items that fit',
  async (_, item, parts, bodies) => {
    const document = crudDocument(item, parts);
    const { call, send } = await serveDocument(document, { items: 6 });
    const findMisfit = createFindMisfit(document);
    const seeds: object[] = (await call('/things')).json;
    const forced = await call('/things/1', { headers: { Prefer: 'seed=5' } });
    expect(seeds).toHaveLength(6);
    if (!parts?.version)
      expect([...seeds, forced.json].map((one) => findMisfit(item, one) ?? '').join('')).toBe('');
    for (const body of bodies) {
      const { status, json } = await send('POST', '/things', body);
      expect([status, json]).toEqual([201, { id: json.id, ...body }]);
      const path = `/things/${json.id}`;
      expect((await send('GET', path)).json).toEqual(json);
      expect((await send('GET', '/things')).json).toContainEqual(json);
      for (const other of [...bodies, body]) {
        const replaced = { status: 200, json: { id: json.id, ...other } };
        expect(await send('PUT', path, other)).toEqual(replaced);
        expect(await send('GET', path)).toEqual(replaced);
      }
      expect(await send('PATCH', path, body)).toEqual({ status: 200, json });
    }
  },
);

it('begins with each kind that a discriminator names, of children and their children, in 2.0', async () => {
  const at = (name: string) => ({ $ref: `#/definitions/${name}` });
  const child = (base: string, property: string) => ({
    allOf: [at(base), obj({ [property]: whole }, { required: [property] })],
  });
  const animal = obj(
    { id, animalType: text, name: text },
    { discriminator: 'animalType', required: ['animalType'] },
  );
  const answer = (schema: object) => ({ description: 'Fine.', schema });
  const body = { in: 'body', name: 'body', required: true, schema: at('Animal') };
  const { call, send } = await serveDocument(
    {
      swagger: '2.0',
      info: { title: 'Animals', version: '1' },
      consumes: ['application/json'],
      produces: ['application/json'],
      paths: {
        '/animals': {
          get: { responses: { 200: answer({ type: 'array', items: at('Animal') }) } },
          post: { parameters: [body], responses: { 201: answer(at('Animal')) } },
        },
      },
      definitions: {
        Animal: animal,
        Cat: child('Animal', 'lives'),
        Dog: child('Animal', 'pack'),
        Puppy: child('Dog', 'weeks'),
      },
    },
    { items: 3 },
  );
  const integer = expect.any(Number);
  expect((await call('/animals')).json).toMatchObject([
    { animalType: 'Cat', lives: integer },
    { animalType: 'Dog', pack: integer },
    { animalType: 'Puppy', pack: integer, weeks: integer },
  ]);
  const made = await send('POST', '/animals', { animalType: 'Cat', lives: 9 });
  expect(made.json).toEqual({ id: 4, animalType: 'Cat', lives: 9 });
});

it('sets no default of another kind, and keeps nothing of the kind that an item was of', async () => {
  const filled = (value: string) => ({ type: 'string', default: value });
  const a = obj(
    { id, type: { const: 'a' }, x: filled('dx'), at: { ...text, readOnly: true } },
    { required: ['type', 'at'] },
  );
  const b = obj({ id, type: { const: 'b' }, y: filled('dy') }, { required: ['type'], ...closed });
  const { send } = await serveDocument(crudDocument({ oneOf: [a, b] }));
  const made = async (type: string) => (await send('POST', '/things', { type })).json;
  expect(await made('b')).toEqual({ id: 3, type: 'b', y: 'dy' });
  expect(await made('a')).toEqual({ id: 4, type: 'a', x: 'dx', at: expect.any(String) });
  const replaced = await send('PUT', '/things/4', { type: 'b' });
  expect(replaced.json).toEqual({ id: 4, type: 'b', y: 'dy' });
});

it('takes "nullable" alone, as an alternative, for null', async () => {
  const v = { oneOf: [ref('X'), { nullable: true, description: 'None.' }] };
  const parts = { version: '3.0.3', schemas: { X } };
  const { send } = await serveDocument(crudDocument(obj({ id, v }), parts));
  const statusOf = async (sent: unknown) => (await send('POST', '/things', { v: sent })).status;
  expect([await statusOf(null), await statusOf({ x: 'a' }), await statusOf(5)]).toEqual([
    201, 201, 400,
  ]);
});
