import { expect, it } from 'vitest';
import { documentOf } from '../../../support/document-of.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { withJson } from '../../../support/with-json.ts';

const keys = ['demo-free', 'demo-pro'];
const basic = (key: string) => ({ Authorization: `Basic ${btoa(`user:${key}`)}` });
const other = (key: string) => ({ Authorization: `basic ${btoa(`someone:${key}`)}` });

type ToHeaders = (key: string) => object;

const ways: [name: string, scheme: object, toHeaders: ToHeaders, toAgain?: ToHeaders][] = [
  [
    'a header',
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    (key: string) => ({ 'X-Key': key }),
  ],
  [
    'a cookie',
    { type: 'apiKey', in: 'cookie', name: 's' },
    (key: string) => ({ Cookie: `a=b; s=${key}` }),
  ],
  ['Basic', { type: 'http', scheme: 'basic' }, basic, other],
  [
    'a bearer token',
    { type: 'http', scheme: 'bearer' },
    (key: string) => ({ Authorization: `Bearer ${key}` }),
    (key: string) => ({ Authorization: `bearer  ${key}` }),
  ],
];

it.each(ways)(
  'replays to the key that %s names alone',
  async (_, scheme, toHeaders, toAgain = toHeaders) => {
    const note = '{ id!: int }';
    const lines = `
      GET /notes -> [${note}]
      POST /notes { title } -> 201 ${note}
      GET /notes/{id} -> ${note}`;
    const more = { security: [{ own: [] }], components: { securitySchemes: { own: scheme } } };
    const document = documentOf(lines, {}, more);
    const { call } = await serveDocument(document, { pets: 0 });
    const create = async (headers: object) => {
      const init = withJson('POST', { title: 'a' }, { 'Idempotency-Key': 'k', ...headers });
      const { status, json } = await call('/notes', init);
      return [status, json.id];
    };
    const [mine, others] = keys as [string, string];
    const first = await create(toHeaders(mine));
    expect(first[0]).toBe(201);
    expect(await create(toAgain(mine))).toEqual(first);
    const second = await create(toHeaders(others));
    expect([second[0], second[1] === first[1]]).toEqual([201, false]);
  },
);
