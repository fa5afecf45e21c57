import { expect, it } from 'vitest';
import { createFindMisfit, crudDocument, ref } from '../../support/crud-document.ts';
import { schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const schemas = {
  Circle: schemaOf('{ readonly id: int, type!: "circle", radius!: number }'),
  Square: schemaOf('{ readonly id: int, type!: "square", side!: number }'),
  Animal: {
    ...schemaOf('{ readonly id: int, animalType!, name }'),
    discriminator: {
      propertyName: 'animalType',
      mapping: { cat: ref('Cat').$ref, dog: ref('Dog').$ref },
    },
  },
  Cat: { allOf: [ref('Animal'), schemaOf('{ lives: int }')] },
  Dog: { allOf: [ref('Animal'), schemaOf('{ packSize!: int }')] },
  B: schemaOf('{ readonly id: int, n }'),
  Expr: schemaOf(`
    { readonly id: int, op!: "lit", value!: int } |
    { readonly id: int, op!: "add", left!: Expr, right!: Expr }
  `),
};
const Unmapped = { ...schemas.Animal, discriminator: { propertyName: 'animalType' } };
const shapes = [
  { type: 'square', side: 2 },
  { type: 'circle', radius: 1 },
];
const xOrY = { oneOf: [schemaOf('{ x! }'), schemaOf('{ y!: int }')] };
const v30 = { version: '3.0.3' };

/** The schema of items, bodies that are stored and come back as sent, and more of the document. */
type Row = [item: string | object, bodies: object[], parts?: Parameters<typeof crudDocument>[1]];
const rows: Record<string, Row> = {
  'anyOf const': ['Circle | Square', shapes],
  'oneOf closed': [
    {
      oneOf: [
        schemaOf('{| readonly id: int, type!: "circle", radius!: number |}'),
        schemaOf('{| readonly id: int, type!: "square", side!: number |}'),
      ],
    },
    shapes,
  ],
  'oneOf XY': [
    { oneOf: [schemaOf('{ readonly id: int, x! }'), schemaOf('{ readonly id: int, y!: int }')] },
    [{ y: 7 }, { x: 'a' }],
  ],
  'base props and oneOf': [
    { ...schemaOf('{ readonly id: int, name! }'), ...xOrY },
    [
      { name: 'n', y: 7 },
      { name: 'n', x: 'x' },
    ],
  ],
  'allOf base and oneOf': [
    { allOf: [schemaOf('{ readonly id: int, name }'), xOrY] },
    [
      { name: 'n', y: 7 },
      { name: 'n', x: 'x' },
    ],
  ],
  'oneOf of allOf': [
    {
      oneOf: [
        { allOf: [ref('B'), schemaOf('{ kind!: "p", p!: int }')] },
        { allOf: [ref('B'), schemaOf('{ kind!: "q", q!: int }')] },
      ],
    },
    [
      { n: 'a', kind: 'q', q: 1 },
      { kind: 'p', p: 2 },
    ],
  ],
  'discriminator 3.0': [
    'Animal',
    [
      { animalType: 'cat', lives: 9 },
      { animalType: 'dog', packSize: 2 },
    ],
    v30,
  ],
  'discriminator 3.0 no mapping': [
    'Animal',
    [
      { animalType: 'Cat', lives: 9 },
      { animalType: 'Dog', packSize: 2, name: 'd' },
    ],
    { ...v30, schemas: { ...schemas, Animal: Unmapped } },
  ],
  'additionalProperties true': [
    { ...schemaOf('{ readonly id: int, a }'), additionalProperties: true },
    [{ a: 'a', extra: { b: [1] } }],
  ],
  'patternProperties closed': [
    { ...schemaOf('{| readonly id: int, a |}'), patternProperties: { '^x-': { type: 'integer' } } },
    [{ a: 'a', 'x-b': 3 }],
  ],
  'additionalProperties in oneOf': [
    {
      oneOf: [
        { ...schemaOf('{ readonly id: int, a! }'), additionalProperties: { type: 'integer' } },
        schemaOf('{| readonly id: int, b!: int |}'),
      ],
    },
    [{ a: 'a', extra: 3 }, { b: 3 }],
  ],
  'if then': [
    {
      ...schemaOf('{ readonly id: int, kind!: "a" | "b" }'),
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
      then: schemaOf('{ av!: int }'),
      else: schemaOf('{ bv!: int }'),
    },
    [
      { kind: 'a', av: 1 },
      { kind: 'b', bv: 2 },
    ],
  ],
  dependentSchemas: [
    {
      ...schemaOf('{ readonly id: int, card }'),
      dependentSchemas: { card: schemaOf('{ billing! }') },
    },
    [{ card: '1', billing: 'b' }, {}],
  ],
  'what is required alone': [
    {
      ...schemaOf('{ readonly id: int, a }'),
      anyOf: [{ required: ['b'] }, { required: ['c'] }],
      dependentRequired: { a: ['d'] },
    },
    [{ b: { x: 1 } }, { c: [2], a: 'a', d: 3 }],
  ],
  'property anyOf scalar': [
    '{ readonly id: int, v!: text | int | [text] }',
    [{ v: 3 }, { v: ['a'] }, { v: 'a' }],
  ],
  tuples: [
    {
      ...schemaOf('{ readonly id: int, row! }'),
      properties: {
        id: { type: 'integer', readOnly: true },
        row: { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
        pair: { prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
      },
    },
    [{ row: ['1', 2, 3], pair: [1, '2'] }, { row: ['a'] }],
  ],
  'array of oneOf': ['{ readonly id: int, list: [Circle | Square] }', [{ list: shapes }]],
  'body oneOf other than item': [
    '{ readonly id: int, kind, x, y: int }',
    [
      { kind: 'y', y: 2 },
      { kind: 'x', x: 'b' },
    ],
    { body: { oneOf: [schemaOf('{ kind!: "x", x! }'), schemaOf('{ kind!: "y", y!: int }')] } },
  ],
  'oneOf required only': [
    {
      ...schemaOf('{ readonly id: int, a, b }'),
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    [{ a: 'x' }, { b: 'x' }],
  ],
  'recursive oneOf': [
    'Expr',
    [{ op: 'add', left: { op: 'lit', value: 1 }, right: { op: 'lit', value: 2 } }],
  ],
};

it.each(Object.entries(rows))(
  'stores what is sent of %s, and begins with items that fit',
  async (_, [written, bodies, parts]) => {
    const item = typeof written === 'string' ? schemaOf(written) : written;
    const document = crudDocument(item, { schemas, ...parts });
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
  const child = (base: string, fields: string) => ({ allOf: [at(base), schemaOf(fields)] });
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
        Animal: schemaOf('{ readonly id: int, animalType!, name }(discriminator="animalType")'),
        Cat: child('Animal', '{ lives!: int }'),
        Dog: child('Animal', '{ pack!: int }'),
        Puppy: child('Dog', '{ weeks!: int }'),
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
  const a = schemaOf('{ readonly id: int, type!: "a", x: X, readonly at!: text }');
  const b = schemaOf('{| readonly id: int, type!: "b", y: Y |}');
  const filled = (value: string) => ({ type: 'string', default: value });
  const parts = { schemas: { X: filled('dx'), Y: filled('dy') } };
  const { send } = await serveDocument(crudDocument({ oneOf: [a, b] }, parts));
  const made = async (type: string) => (await send('POST', '/things', { type })).json;
  expect(await made('b')).toEqual({ id: 3, type: 'b', y: 'dy' });
  expect(await made('a')).toEqual({ id: 4, type: 'a', x: 'dx', at: expect.any(String) });
  const replaced = await send('PUT', '/things/4', { type: 'b' });
  expect(replaced.json).toEqual({ id: 4, type: 'b', y: 'dy' });
});

it('takes "nullable" alone, as an alternative, for null', async () => {
  const V = { oneOf: [schemaOf('{ x! }'), { nullable: true, description: 'None.' }] };
  const item = schemaOf('{ readonly id: int, v: V }');
  const { send } = await serveDocument(crudDocument(item, { ...v30, schemas: { V } }));
  const statusOf = async (sent: unknown) => (await send('POST', '/things', { v: sent })).status;
  expect([await statusOf(null), await statusOf({ x: 'a' }), await statusOf(5)]).toEqual([
    201, 201, 400,
  ]);
});

it('adds defaults to new objects of items, of several kinds those of their own', async () => {
  const theme = '{ name, dark: bool(default=false), size: Size }';
  const engine =
    '{ fuel!: "gas", liters: int(default=40) } | { fuel!: "wind", blades: int(default=3) }';
  const item = schemaOf(
    `{ readonly id: int, theme: ${theme}, list: [${theme}], engine: ${engine} }`,
  );
  const parts = { schemas: { Size: { type: 'integer', default: 2 } } };
  const { send } = await serveDocument(crudDocument(item, parts));
  const filled = { name: 'a', dark: false, size: 2 };
  const made = await send('POST', '/things', {
    ...{ theme: { name: 'a' }, list: [{ name: 'a' }, { ...filled, size: 1 }] },
    engine: { fuel: 'gas' },
  });
  expect(made.json).toEqual({
    ...{ id: 3, theme: filled, list: [filled, { ...filled, size: 1 }] },
    engine: { fuel: 'gas', liters: 40 },
  });
  await send('PATCH', '/things/3', { theme: { dark: null, size: 3 } });
  expect((await send('GET', '/things/3')).json.theme).toEqual({ name: 'a', size: 3 });
  const changed = await send('PATCH', '/things/3', { engine: { fuel: 'wind', blades: 2 } });
  expect(changed.json.engine).toEqual({ fuel: 'wind', blades: 2 });
});

it('leaves what a service alone sets in an object as it was by its default', async () => {
  const meta = '{ readonly level: int(default=1), text: text(default="d") }';
  const document = crudDocument(schemaOf(`{ readonly id: int, meta: ${meta} }`));
  const { send } = await serveDocument(document);
  const { json } = await send('POST', '/things', { meta: {} });
  expect(json.meta).toEqual({ level: 1, text: 'd' });
  const changed = await send('PATCH', '/things/3', { meta: { level: 5, text: 'e' } });
  expect(changed.json.meta).toEqual({ level: 1, text: 'e' });
});
