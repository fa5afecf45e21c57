import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const { oneOf, anyOf, allOf } = {
  oneOf: (...all: string[]) => ({ oneOf: all.map(schemaOf) }),
  anyOf: (...all: string[]) => ({ anyOf: all.map(schemaOf) }),
  allOf: (one: string, other: object) => ({ allOf: [schemaOf(one), other] }),
};

const item = { id: 3, name: 'n' };
const errors = { '4XX': jsonOf(schemaOf('Fault')) };
const shown = expect.arrayContaining([item]);

it.each<[form: string, answer: object, one: unknown, list: unknown]>([
  ['wrapped', oneOf('{ data!: A }', '{ data!: [A] }'), { data: item }, { data: shown }],
  ['in a member', schemaOf('{ data!: A | [A] }'), { data: item }, { data: shown }],
  ['bare', anyOf('A', '[A]'), item, shown],
  [
    'called as one and many',
    oneOf('{ pet!: A }', '{ pets!: [A] }'),
    { pet: item },
    { pets: shown },
  ],
  [
    'beside other parts',
    allOf('{ requestId: text }', oneOf('{ data!: A }', '{ data!: [A] }')),
    { data: item },
    { data: shown },
  ],
  [
    'with what went wrong',
    oneOf('{ ok!: false, error!: text }', '{ ok!: true, data!: A }', '{ ok!: true, data!: [A] }'),
    { ok: true, data: item },
    { ok: true, data: shown },
  ],
  ['with what errors are', oneOf('Fault', 'A', '[A]'), item, shown],
])(
  'answers with one item or all of them, of which either is described: %s',
  async (_, answer, one, list) => {
    const responses = { 200: jsonOf(answer), ...errors };
    const keys = ['GET /pets', 'POST /pets', 'GET /pets/{id}', 'PATCH /pets/{id}'];
    const operations = Object.fromEntries(keys.map((key) => [key, { responses }]));
    const { send } = await serveDocument(
      documentOf(
        `
      GET /pets -> 200
      POST /pets { name! } -> 200
      GET /pets/{id} -> 200
      PATCH /pets/{id} { name } -> 200
      `,
        { A: '{ readonly id: int, name! }', Fault: '{ code!: int, title! }' },
        { operations },
      ),
    );
    expect(await send('POST', '/pets', { name: 'n' })).toMatchObject({ status: 200, json: one });
    expect((await send('GET', '/pets/3')).json).toMatchObject(one as object);
    expect((await send('PATCH', '/pets/3', { name: 'n' })).json).toMatchObject(one as object);
    expect((await send('GET', '/pets')).json).toEqual(list);
  },
);

it('answers without state with the alternative that its example is of', async () => {
  const either = oneOf('{ ok!: false, error!: text }', '{ ok!: true, data!: { n!: int } }');
  const failed = { ok: false, error: 'Too late.' };
  const operations = {
    'GET /a': { responses: { 200: jsonOf(either) } },
    'GET /b': { responses: { 200: jsonOf(either, { example: failed }) } },
  };
  const { send } = await serveDocument(
    documentOf('GET /a -> 200\nGET /b -> 200', {}, { operations }),
  );
  expect((await send('GET', '/a')).json).toEqual({ ok: true, data: { n: expect.any(Number) } });
  expect((await send('GET', '/b')).json).toEqual(failed);
});
