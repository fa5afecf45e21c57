import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const of = (contents: Record<string, string>) => {
  const content = Object.entries(contents).map(([type, one]) => [type, { schema: schemaOf(one) }]);
  return { description: 'Fine.', content: Object.fromEntries(content) };
};
const both = of({ 'application/json': 'Thing', 'application/hal+json': 'Linked' });
const listed = of({
  'application/json': '[Thing]',
  'application/ld+json': 'Framed',
});
const Links = schemaOf('{ _links!: { self!: { href! } } }');

const things = documentOf(
  `
  GET /things -> 200
  POST /things { name! } -> 201
  GET /things/{id} -> 200
  `,
  {
    Thing: '{ readonly id!: int, name! }',
    Framed: {
      type: 'object',
      required: ['@context', 'hydra:member', 'hydra:totalItems'],
      properties: {
        '@context': { type: 'string' },
        'hydra:member': schemaOf('[Thing]'),
        'hydra:totalItems': { type: 'integer' },
      },
    },
    Linked: { allOf: [schemaOf('Thing'), Links] },
  },
  {
    operations: {
      'GET /things': { responses: { 200: listed } },
      'POST /things': { responses: { 201: both } },
      'GET /things/{id}': { responses: { 200: both } },
    },
  },
);

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
