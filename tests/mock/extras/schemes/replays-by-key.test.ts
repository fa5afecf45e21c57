import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

const keys = ['demo-free', 'demo-pro'];
const note = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const sent = { type: 'object', properties: { title: { type: 'string' } } };
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
    const document = toDocument(
      {
        '/notes': {
          get: { responses: { 200: jsonOf({ type: 'array', items: note }) } },
          post: { requestBody: jsonOf(sent), responses: { 201: jsonOf(note) } },
        },
        '/notes/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { responses: { 200: jsonOf(note) } },
        },
      },
      { security: [{ own: [] }], components: { securitySchemes: { own: scheme } } },
    );
    const { call } = await serveDocument(document, { pets: 0 });
    const create = async (headers: object) => {
      const type = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
      const body = JSON.stringify({ title: 'a' });
      const { status, json } = await call('/notes', {
        ...{ method: 'POST', body, headers: { ...type, ...headers } },
      });
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
