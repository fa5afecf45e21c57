import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const profile = schemaOf('{ token, user: { friendly_name, level: int }, city: "Oslo" | "Rome" }');
const example = { token: 'secret', user: { friendly_name: 'Gus', level: 1 }, city: 'Oslo' };
const shown = (status: number, schema: object, example: object) => ({
  responses: { [status]: jsonOf(schema, { example }) },
});
const kinds = schemaOf('{ x!: int, y!: int } | { delta!: int, unit } | {| at!: date |}');
const address = {
  ...schemaOf('{ ref!: "kept", country!: "US" | "NL", code, note }'),
  if: { properties: { country: { const: 'US' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { code: { pattern: '^[0-9]{5}$' } }, required: ['code'] },
  else: { properties: { code: { pattern: '^[0-9]{4} [A-Z]{2}$' } } },
};
const document = documentOf(
  `
  POST /addresses/check {} -> 200
  POST /login {} -> 200
  POST /events {} -> 200
  POST /notes {} -> 200
  POST /refuse {} -> 409
  GET /rooms/{room_id}/lamps/{id} -> 200
  GET /rooms/{room_id}/lamps/{id}/parts -> 200
  GET /diffs/{base:text}...{head:text} -> 200
  GET /lines(Order={order},No={no}) -> 200
  `,
  {},
  {
    operations: {
      'POST /addresses/check': shown(200, address, { ref: 'kept', country: 'US', code: '12345' }),
      'POST /login': shown(200, profile, example),
      'POST /events': shown(200, kinds, { x: 1, y: 2 }),
      'POST /notes': shown(
        200,
        { anyOf: [schemaOf('{ id: int, title }'), { type: 'null' }] },
        { id: 1 },
      ),
      'POST /refuse': shown(409, profile, example),
      'GET /rooms/{room_id}/lamps/{id}': shown(200, {}, { id: 7, RoomId: '3', text: '7' }),
      'GET /diffs/{base}...{head}': shown(200, {}, { base: 'a', head: 'b' }),
      'GET /lines(Order={order},No={no})': shown(200, {}, { order: 1, no: 2 }),
      'GET /rooms/{room_id}/lamps/{id}/parts': shown(200, {}, { id: 7 }),
    },
  },
);

async function serve() {
  const { send } = await serveDocument(document);
  return async (path: string, body?: object) =>
    (await send(body ? 'POST' : 'GET', path, body)).json;
}

it('shows what was sent where nothing is stored', async () => {
  const call = await serve();
  const sent = { FriendlyName: 'Ann', level: 9007199254740991, other: true };
  const shown = { friendly_name: 'Ann', level: 9007199254740991 };
  expect(await call('/login', sent)).toEqual({ ...example, user: shown });
  const whole = { ...example, token: 'x', user: shown };
  expect(await call('/login', { user: sent, token: 'x' })).toEqual(whole);
  expect(await call('/login', { token: 'x', user: { ...sent, pin: 1 } })).toEqual(whole);
  expect(await call('/login', {})).toEqual(example);
});

it('shows nothing that the schema does not allow', async () => {
  const call = await serve();
  expect(await call('/login', { token: 'x', city: 'Bern' })).toEqual({ ...example, token: 'x' });
  expect(await call('/refuse', { token: 'x' })).toEqual(example);
  const shown = { ...example, user: { friendly_name: 'Ann', level: 1 } };
  expect(await call('/login', { user: { FriendlyName: 'Ann', level: 'high' } })).toEqual(shown);
});

it('shows numbers that are sent as texts, and texts that are sent as numbers', async () => {
  const call = await serve();
  const sent = { token: 12, user: { level: '3' } };
  const user = { ...example.user, level: 3 };
  expect(await call('/login', sent)).toEqual({ ...example, token: '12', user });
});

it('shows one alternative alone', async () => {
  const call = await serve();
  const at = '2030-01-02';
  expect(await call('/events', { delta: 3 })).toEqual({ delta: 3 });
  expect(await call('/events', { at })).toEqual({ at });
  expect(await call('/events', { x: 5 })).toEqual({ x: 5, y: 2 });
  expect(await call('/notes', { title: 'A' })).toEqual({ id: 1, title: 'A' });
});

it('shows the ids of the path', async () => {
  const call = await serve();
  expect(await call('/diffs/v1.0...v1.1')).toEqual({ base: 'v1.0', head: 'v1.1' });
  expect(await call('/lines(Order=5,No=7)')).toEqual({ order: 5, no: 7 });
  expect(await call('/rooms/41/lamps/42')).toEqual({ id: 42, RoomId: '41', text: '7' });
  expect(await call('/rooms/41/lamps/42/parts')).toEqual({ id: 7 });
});

it('shows all ids at the end of a path, as /rates/{from}/{to} has', async () => {
  const { send } = await serveDocument(
    documentOf(`
      GET /rates/{from:text}/{to:text} -> { from!, to!, rate!: number }
      GET /shops/{name:text}/today -> { name!, open!: bool }
    `),
  );
  const call = async (path: string) => (await send('GET', path)).json;
  expect(await call('/rates/EUR/USD')).toMatchObject({ from: 'EUR', to: 'USD' });
  expect(await call('/rates/CHF/USD')).toMatchObject({ from: 'CHF', to: 'USD' });
  expect(await call('/shops/north/today')).not.toMatchObject({ name: 'north' });
});

it('answers with the alternative, and the example, that the path names', async () => {
  const { send } = await serveDocument(
    documentOf(
      `
      GET /animals/{kind:text} -> Animal
      GET /info/{set:text} -> Info
      GET /currencies/{code:text} -> Currency
      Info: { set!: "x", xs!: [text] } | { set!: "y", ys!: [int] }
      Currency: { code!, name! }
      `,
      {
        Animal: { ...schemaOf('{ kind! }'), discriminator: { propertyName: 'kind' } },
        Cat: { allOf: [{ $ref: '#/components/schemas/Animal' }, schemaOf('{ lives!: int }')] },
        Dog: { allOf: [{ $ref: '#/components/schemas/Animal' }, schemaOf('{ barks!: bool }')] },
      },
      {
        operations: {
          'GET /currencies/{code}': {
            responses: {
              200: jsonOf(
                { $ref: '#/components/schemas/Currency' },
                {
                  examples: {
                    euro: { value: { code: 'EUR', name: 'Euro' } },
                    franc: { value: { code: 'CHF', name: 'Franc' } },
                  },
                },
              ),
            },
          },
        },
      },
    ),
  );
  const call = async (path: string) => (await send('GET', path)).json;
  for (let round = 0; round < 2; round++) {
    expect(await call('/animals/Cat')).toEqual({ kind: 'Cat', lives: expect.any(Number) });
    expect(await call('/animals/Dog')).toEqual({ kind: 'Dog', barks: expect.any(Boolean) });
    expect(await call('/info/x')).toEqual({ set: 'x', xs: expect.any(Array) });
    expect(await call('/info/y')).toEqual({ set: 'y', ys: expect.any(Array) });
    expect(await call('/currencies/EUR')).toEqual({ code: 'EUR', name: 'Euro' });
    expect(await call('/currencies/CHF')).toEqual({ code: 'CHF', name: 'Franc' });
    expect(await call('/currencies/USD')).toEqual({ code: 'USD', name: 'Euro' });
  }
});

it('shows nothing beside what was sent that contradicts it', async () => {
  const call = await serve();
  const sent = { country: 'NL' };
  expect(await call('/addresses/check', sent)).toEqual({ ...sent, ref: 'kept' });
  expect(await call('/addresses/check', { code: '54321' })).toMatchObject({ code: '54321' });
});
