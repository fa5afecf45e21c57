import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

it('generates lists whose counts and links are true of the generated items', async () => {
  const book = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const integer = { type: 'integer' };
  const properties = {
    data: { type: 'array', minItems: 3, items: book },
    total: integer,
    pages: integer,
    page: integer,
    has_more: { type: 'boolean' },
    next: { type: ['string', 'null'] },
    mood: { enum: ['calm'] },
  };
  const list = { type: 'object', properties, required: Object.keys(properties) };
  const { call } = await serveDocument(
    toDocument({
      '/books': {
        get: {
          parameters: [{ name: 'page', in: 'query', schema: integer }],
          responses: { 200: jsonOf(list) },
        },
      },
    }),
  );
  for (const seed of ['a', 'b', 'c']) {
    const { json } = await call('/books?page=2', {
      headers: { Prefer: `dynamic=true, seed=${seed}` },
    });
    const { data, ...others } = json;
    expect(data.length).toBeGreaterThanOrEqual(3);
    expect(others).toEqual({
      total: data.length,
      pages: 1,
      page: 1,
      has_more: false,
      next: null,
      mood: 'calm',
    });
  }
});
