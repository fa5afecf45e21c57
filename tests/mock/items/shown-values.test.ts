import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const currency = { ...text, minLength: 3, maxLength: 3, example: 'EUR' };
const listed = { type: 'object', required: ['currency'], properties: { currency } };
const properties = {
  id: { type: 'integer' },
  title: text,
  currency,
  country: { ...text, default: 'DE', example: 'FR' },
  zone: { ...text, examples: ['CET', 'UTC'] },
  closedAs: { type: ['string', 'null'], default: null, example: 'sold' },
  plan: { ...text, example: 'gold' },
  code: { ...text, maxLength: 2, example: 'too long' },
  meta: schemaOf(`{ rates!: [{ currency!: text(minLength=3, maxLength=3, example="EUR") }],
    origin!: text(default="web") }`),
};
const headers = { 'X-Zone': { required: true, schema: properties.zone } };
const document = documentOf(
  `
  GET /events -> [Event]
  POST /events { title } -> 201 Event
  GET /events/{id} -> Event
  PUT /events/{id} { title } -> Event, 201 Event
  GET /drafts -> [Event]
  POST /drafts -> 201 Event
  GET /drafts/{id} -> Event
  GET /report -> Listed
  POST /preview { title } -> Event
  `,
  {
    plan: { type: 'string' },
    Event: { type: 'object', properties, required: Object.keys(properties) },
    Listed: listed,
  },
);
Object.assign(document.paths['/events']?.post.responses[201], { headers });
const shown = {
  ...{ currency: 'EUR', country: 'DE', zone: 'CET', closedAs: null, plan: 'gold' },
  meta: { rates: [{ currency: 'EUR' }], origin: 'web' },
};

it('gives what nobody sends its default or its example, if that fits, wherever it is made', async () => {
  const { call, send } = await serveDocument(document, { pets: 0 });
  const title = 'A';
  const made = await send('POST', '/events', { title });
  expect(made.json).toMatchObject({ title, ...shown });
  expect(made.json.code.length).toBeLessThanOrEqual(2);
  expect((await send('PUT', '/events/1', { title })).json).toMatchObject({ title, ...shown });
  expect((await send('PUT', '/events/9', { title })).json).toMatchObject({ title, ...shown });
  expect((await send('POST', '/drafts')).json).toMatchObject(shown);
  expect((await send('GET', '/report')).json).toEqual({ currency: 'EUR' });
  const { country: _, closedAs: __, ...others } = shown;
  expect((await send('POST', '/preview', { title })).json).toMatchObject(others);
  const { headers: sent } = await call('/events', withJson('POST', {}));
  expect(sent.get('X-Zone')).toBe('CET');
});

it('begins with items whose texts are examples, where nothing says what they are about', async () => {
  const { send } = await serveDocument(document, { pets: 6 });
  const { json } = await send('GET', '/events');
  for (const { zone, plan } of json) expect([zone, plan]).toEqual(['CET', 'gold']);
  expect(new Set(json.map(({ title }: { title: string }) => title)).size).toBeGreaterThan(1);
});
