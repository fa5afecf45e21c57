import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

it('gives what a body leaves out its default or its example, if that fits', async () => {
  const text = { type: 'string' };
  const properties = {
    id: { type: 'integer' },
    title: text,
    currency: { ...text, minLength: 3, maxLength: 3, example: 'EUR' },
    country: { ...text, default: 'DE', example: 'FR' },
    code: { ...text, maxLength: 2, example: 'too long' },
  };
  const required = Object.keys(properties);
  const body = { type: 'object', properties: { title: text } };
  const { send } = await serveDocument(
    toDocument({
      '/events': {
        get: { responses: { 200: jsonOf({ type: 'array', items: { properties, required } }) } },
        post: {
          requestBody: jsonOf(body),
          responses: { 201: jsonOf({ type: 'object', properties, required }) },
        },
      },
      '/events/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: jsonOf({ type: 'object', properties, required }) } },
      },
    }),
    { pets: 0 },
  );
  const { json } = await send('POST', '/events', { title: 'A' });
  expect(json).toMatchObject({ title: 'A', currency: 'EUR', country: 'DE' });
  expect(json.code.length).toBeLessThanOrEqual(2);
});
