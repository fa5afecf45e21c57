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
      requestBody: of({ 'application/json': { schema: object({ name: text }) } }),
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
