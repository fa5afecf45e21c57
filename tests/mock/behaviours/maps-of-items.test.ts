import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const mapOf = (items: object) => ({ type: 'object', additionalProperties: items });
const flag = { $ref: '#/components/schemas/Flag' };
const withoutKey = schemaOf('{| on: bool |}');

/** Flags whose list is answered in a form. */
const flags = (listed: string) =>
  documentOf(
    `
    GET /flags?on:bool -> ${listed}
    GET /flags/{key:text} -> Flag, 404
    PUT /flags/{key:text} Flag -> 200 Flag, 201 Flag
    PATCH /flags/{key:text} Flag -> 200 Flag, 404
    DELETE /flags/{key:text} -> 204, 404
    `,
    {
      Flag: '{ key, on: bool }',
      Flags: mapOf(flag),
      Envelope: { type: 'object', properties: { flags: mapOf(flag), total: { type: 'integer' } } },
      Only: { type: 'object', properties: { all: mapOf(flag) } },
      Closed: mapOf(withoutKey),
    },
  );

it.each([
  ['an object of items', 'Flags', (items: object) => items],
  [
    'an object of items in another',
    'Envelope',
    (items: object) => ({ flags: items, total: Object.keys(items).length }),
  ],
  ['the only property', 'Only', (items: object) => ({ all: items })],
])('lists what is stored as %s by their ids', async (_, listed, toAnswer) => {
  const { send } = await serveEmpty(flags(listed));
  expect(await send('GET', '/flags')).toEqual({ status: 200, json: toAnswer({}) });
  const [a, b] = [
    { key: 'a', on: true },
    { key: 'é "b"', on: false },
  ];
  await send('PUT', '/flags/a', a);
  await send('PUT', `/flags/${encodeURIComponent(b.key)}`, b);
  expect((await send('GET', '/flags')).json).toEqual(toAnswer({ a, [b.key]: b }));
  expect((await send('GET', '/flags?on=true')).json).toEqual(toAnswer({ a }));
  await send('PATCH', '/flags/a', { on: false });
  await send('DELETE', `/flags/${encodeURIComponent(b.key)}`);
  expect((await send('GET', '/flags')).json).toEqual(toAnswer({ a: { key: 'a', on: false } }));
});

it('leaves out of the items what the object does not show', async () => {
  const { send } = await serveEmpty(flags('Closed'));
  await send('PUT', '/flags/a', { key: 'a', on: true });
  expect((await send('GET', '/flags')).json).toEqual({ a: { on: true } });
});

it('begins with items that the object holds', async () => {
  const { send } = await serveDocument(flags('Flags'), { items: 3 });
  const { json } = await send('GET', '/flags');
  expect(Object.keys(json)).toHaveLength(3);
  for (const [key, item] of Object.entries(json))
    expect((await send('GET', `/flags/${encodeURIComponent(key)}`)).json).toEqual(item);
});

it('knows items by keys that stand in their path alone', async () => {
  const { send } = await serveEmpty(
    documentOf(
      `
      GET /flags -> Flags
      GET /flags/{key:text} -> Flag, 404
      PUT /flags/{key:text} Flag -> Flag
      DELETE /flags/{key:text} -> 204, 404
      `,
      { Flag: '{ on!: bool }', Flags: mapOf(flag) },
    ),
  );
  expect((await send('GET', '/flags/dark')).status).toBe(404);
  expect(await send('PUT', '/flags/dark', { on: true })).toEqual({
    status: 200,
    json: { on: true },
  });
  expect((await send('GET', '/flags/dark')).json).toEqual({ on: true });
  expect((await send('GET', '/flags')).json).toEqual({ dark: { on: true } });
  expect((await send('DELETE', '/flags/dark')).status).toBe(204);
  expect((await send('GET', '/flags')).json).toEqual({});
});

it('creates an item by a POST of its own path', async () => {
  const { send } = await serveDocument(`
    GET /files/{filepath:text} -> { file: File }, 404
    POST /files/{filepath:text} { content } -> 201 { file: File }, 409
    PUT /files/{filepath:text} { content } -> { file: File }, 404
    File: { path!, content }
  `);
  const made = { status: 201, json: { file: { path: 'a.md', content: 'Hi' } } };
  expect((await send('PUT', '/files/a.md', { content: 'Hi' })).status).toBe(404);
  expect(await send('POST', '/files/a.md', { content: 'Hi' })).toEqual(made);
  expect((await send('POST', '/files/a.md', { content: 'Hi' })).status).toBe(409);
  expect((await send('GET', '/files/a.md')).json).toEqual(made.json);
});

it('replaces an item that is there by a POST of its path, unless that describes 409', async () => {
  const { send } = await serveDocument(`
    GET /queues/{name:text} -> Queue, 404
    POST /queues/{name:text} { size: int } -> 201 Queue
    Queue: { name!, size: int }
  `);
  for (const size of [1, 2])
    expect(await send('POST', '/queues/q', { size })).toEqual({
      status: 201,
      json: { name: 'q', size },
    });
  expect((await send('GET', '/queues/q')).json).toEqual({ name: 'q', size: 2 });
});
