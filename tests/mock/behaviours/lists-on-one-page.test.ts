import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const pet = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const query = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
const document = toDocument({
  '/pets': {
    get: {
      operationId: 'listPets',
      parameters: [query('page'), query('per_page')],
      responses: { 200: jsonOf({ type: 'array', items: pet }) },
    },
  },
});

it.each([
  ['?per_page=2', true],
  ['', false],
])(
  'counts the items of a bare array at %s, and links pages only where there are others',
  async (asked, links) => {
    const { call } = await serveDocument(document, { pets: 3 });
    const { headers } = await call(`/pets${asked}`);
    expect([headers.get('X-Total-Count'), headers.has('Link')]).toEqual(['3', links]);
  },
);
