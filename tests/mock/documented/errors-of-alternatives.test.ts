import { expect, it } from 'vitest';
import {
  crudDocument,
  ownId as id,
  objectOf as obj,
  ref,
  text,
} from '../../support/crud-document.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const item = obj({ id, name: text }, { required: ['name'] });
const nope = { errors: [{ code: 'NOPE' }] };
const ofStatus = (status: number) =>
  obj(
    { status: { enum: [status] }, kind: { const: `k${status}` }, detail: text },
    { required: ['status', 'kind'] },
  );
const many = [400, 401, 404, 500].map(ofStatus);
const schemas = Object.fromEntries(many.map((one, index) => [`E${index}`, one]));
const refs = { oneOf: Object.keys(schemas).map(ref) };
const ofCode = (code: string) => obj({ code: { enum: [code] } }, { required: ['code'] });
const own = { status: 404, kind: 'k404' };

it.each([
  ['an example of its schema', { type: 'object', example: nope }, nope],
  ['examples of its schema', { type: 'object', examples: [nope] }, nope],
  ['anyOf', { anyOf: many }, own],
  ['references', refs, own],
  ['oneOf in allOf', { allOf: [obj({ trace: text }), { oneOf: many }] }, own],
  ['oneOf beside properties', obj({ trace: text }, { oneOf: many }), own],
  ['oneOf in a property', obj({ error: { oneOf: many } }, { required: ['error'] }), { error: own }],
  [
    'oneOf in a list',
    obj({ errors: { type: 'array', items: refs, minItems: 1 } }, { required: ['errors'] }),
    { errors: [own] },
  ],
  ['codes', { oneOf: ['BAD_REQUEST', 'NOT_FOUND'].map(ofCode) }, { code: 'NOT_FOUND' }],
])('answers 404 by %s', async (_, schema, expected) => {
  const { call } = await serveDocument(crudDocument(item, { error: jsonOf(schema), schemas }));
  expect(await call('/things/99')).toMatchObject({ status: 404, json: expected });
});

it('answers with the example of a status that is asked for, where nothing known fits its schema', async () => {
  const document = crudDocument(item);
  const get = document.paths['/things'].get as { responses: Record<string, object> };
  get.responses[500] = jsonOf({ type: 'object' }, { example: { boom: 1 } });
  get.responses[502] = jsonOf(obj({ a: { type: 'integer' } }), { example: { a: 3 } });
  get.responses[504] = jsonOf({ anyOf: [500, 504].map(ofStatus) });
  const { call } = await serveDocument(document);
  const forced = async (code: number) =>
    (await call('/things', { headers: { Prefer: `code=${code}` } })).json;
  expect(await forced(500)).toEqual({ boom: 1 });
  expect(await forced(502)).toEqual({ a: 3 });
  expect(await forced(504)).toMatchObject({ status: 504, kind: 'k504' });
});
