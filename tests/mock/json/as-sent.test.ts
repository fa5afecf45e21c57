import { expect, it } from 'vitest';
import { crudDocument, objectOf, ownId, ref } from '../../support/crud-document.ts';
import { serveDocument } from '../../support/serve-document.ts';

const number = (more: object) => ({ type: 'number', ...more });
const values = objectOf({
  id: ownId,
  cents: number({ multipleOf: 0.01 }),
  tens: { type: 'integer', multipleOf: 10 },
  pairs: { type: 'array', items: { type: 'integer', multipleOf: 2 } },
  any: {},
});
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
const things = objectOf({
  id: ownId,
  ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  more: objectOf(Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]))),
});

/** Serves a document of items, and returns what sends the text of one, and reads them. */
async function serve(item: object) {
  const { call } = await serveDocument(crudDocument(ref('Thing'), { schemas: { Thing: item } }));
  const send = async (body: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const { status, json } = await call('/things', { method: 'POST', headers, body });
    return status === 201 ? 'taken' : `${status} ${(json.error ?? json).message}`;
  };
  return { call, send };
}

it('tells multiples of fractions by their decimals', async () => {
  const { send } = await serve(values);
  const all = [
    '19.99',
    '4.35',
    '8.2',
    '0.29',
    '1.13',
    '0.07',
    '100000000.01',
    '1e10',
    '-0.57',
    '0',
  ];
  for (const cents of all) expect(await send(`{"cents":${cents}}`), cents).toBe('taken');
  for (const cents of ['0.015', '1e-9', '0.0100000001', '-4.355'])
    expect(await send(`{"cents":${cents}}`)).toContain('"cents" must be a multiple of 0.01, but');
});

it('tells multiples among integers that no double holds', async () => {
  const { send } = await serve(values);
  expect(await send('{"tens":175928847299117063}')).toContain('must be a multiple of 10');
  expect(await send('{"pairs":[2,9007199254740995]}')).toContain('"pairs/1" must be');
  expect(await send('{"tens":175928847299117070,"pairs":[9007199254740994]}')).toBe('taken');
});

it('refuses a number that no double reaches, wherever it is', async () => {
  const { send } = await serve(values);
  for (const text of ['1e400', '-1e400', `1${'0'.repeat(400)}`]) {
    expect(await send(`{"cents":${text}}`)).toMatch(/^400 .*beyond the range/);
    expect(await send(`{"any":[{"a":${text}}]}`)).toMatch(/^400 .*beyond the range/);
  }
});

it('lets objects lack properties that are called like members of all objects', async () => {
  const { call, send } = await serve(things);
  expect(await send('{"more":{}}')).toBe('taken');
  expect(await send('{"constructor":1}')).toContain('"constructor" must be a string');
  const { json } = await call('/things/3');
  expect(Object.keys(json.more)).toEqual([]);
  const { json: made } = await call('/things', { headers: { Prefer: 'seed=5' } });
  expect(Object.keys(made[0])).toEqual(expect.arrayContaining(names.slice(0, 4)));
});
