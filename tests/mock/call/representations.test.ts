import { expect, it } from 'vitest';
import { serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});
const thing = object({ id: { type: 'integer', readOnly: true }, name: text });
const links = object({ self: object({ href: text }) });
const linked = { allOf: [thing, object({ _links: links })] };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const of = (contents: Record<string, object>) => ({ description: 'Fine.', content: contents });
const both = of({
  'application/json': { schema: thing },
  'application/hal+json': { schema: linked },
});

const things = toDocument({
  '/things': {
    get: {
      responses: {
        200: of({
          'application/json': { schema: { type: 'array', items: thing } },
          'application/ld+json': {
            schema: object({
              '@context': text,
              'hydra:member': { type: 'array', items: thing },
              'hydra:totalItems': { type: 'integer' },
            }),
          },
        }),
      },
    },
    post: {
      requestBody: of({
        'application/json': { schema: object({ name: text }) },
        'application/vnd.short+json': { schema: object({ name: { ...text, maxLength: 3 } }) },
      }),
      responses: { 201: both },
    },
  },
  '/things/{id}': { get: { parameters: [id], responses: { 200: both } } },
});

it('answers with an item in the form of the media type that is accepted', async () => {
  const { call, send } = await serveDocument(things);
  const { json: made } = await send('POST', '/things', { name: 'Ada' });
  const plain = await call(`/things/${made.id}`);
  expect([plain.type, plain.json]).toEqual(['application/json', made]);
  const hal = await call(`/things/${made.id}`, { headers: { Accept: 'application/hal+json' } });
  expect(hal.type).toBe('application/hal+json');
  expect(hal.json).toEqual({ ...made, _links: { self: { href: expect.any(String) } } });
});

it('answers with a list in the frame of the media type that is accepted', async () => {
  const { call, send } = await serveDocument(things, { pets: 2 });
  const { json: made } = await send('POST', '/things', { name: 'Ada' });
  const { json: plain } = await call('/things');
  const headers = { Accept: 'application/ld+json' };
  const { json: framed } = await call('/things', { headers });
  expect(framed).toMatchObject({ '@context': expect.any(String), 'hydra:member': plain });
  expect(framed['hydra:member']).toContainEqual(made);
  expect(framed['hydra:totalItems']).toBe(plain.length);
});

it('takes a body by the schema of its media type', async () => {
  const { send } = await serveDocument(things);
  const statusOf = async (name: string, type: string) =>
    (await send('POST', '/things', { name }, type)).status;
  expect(await statusOf('Adelaide', 'application/json')).toBe(201);
  expect(await statusOf('Adelaide', 'application/vnd.short+json')).toBe(400);
  expect(await statusOf('Ada', 'application/vnd.short+json')).toBe(201);
});

const state = toDocument({
  '/state': {
    get: {
      responses: {
        200: of({
          'application/json': {
            schema: object({ up: { type: 'boolean' } }),
            example: { up: true },
          },
          'application/vnd.more+json; version=2': { example: { up: true, since: '2030' } },
          'application/xml': { example: '<state up="true"/>' },
          'text/html': { example: '<b>up</b>' },
        }),
      },
    },
  },
});

it.each([
  ['*/*', 'application/json', '{"up":true}'],
  [
    'application/vnd.more+json; version=2',
    'application/vnd.more+json; version=2',
    '{"up":true,"since":"2030"}',
  ],
  ['application/xml', 'application/xml', '<state up="true"/>'],
  ['text/html, application/json;q=0.5', 'text/html', '<b>up</b>'],
  ['text/*;q=0.1, application/xml;q=0.9', 'application/xml', '<state up="true"/>'],
])('answers with the example of what is accepted: %s', async (Accept, type, text) => {
  const { call } = await serveDocument(state);
  const answer = await call('/state', { headers: { Accept } });
  expect([answer.status, answer.type, answer.text]).toEqual([200, type, text]);
});
