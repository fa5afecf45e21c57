import { describe, expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const serial = '9007199254740993';
const serials = { type: 'array', items: { type: 'integer', format: 'int64' } };
const item = schemaOf(`{| readonly id: int, serial: int(format="int64"), size: number,
  inner: { serials: [int(format="int64")] }, serials: [int(format="int64")] |}`);

function served() {
  const document = documentOf('GET /items -> [Item]\nPOST /items Item -> 201 Item', { Item: item });
  const post = document.paths['/items']?.post;
  const content = { schema: { $ref: '#/components/schemas/Item' } };
  post.requestBody.content = Object.fromEntries(types.map((type) => [type, content]));
  const schema = item.properties.serial;
  post.parameters = ['serial', 'serials'].map((name) => ({
    ...{ name, in: 'query', schema: name === 'serial' ? schema : serials },
  }));
  return serveDocument(document);
}

const form = 'application/x-www-form-urlencoded';
const types = [
  'application/json',
  form,
  'multipart/form-data',
  'application/xml',
  'application/yaml',
];

function toParts(inner: string | Blob): FormData {
  const parts = new FormData();
  parts.append('serial', serial);
  parts.append('size', `${serial}.0`);
  parts.append('serials', serial);
  parts.append('inner', inner);
  return parts;
}

const inner = `{"serials":[${serial}]}`;
const whole = `{"serial":${serial},"size":${serial},"serials":[${serial}],"inner":${inner}}`;

const bodies: Record<string, [type: string | undefined, body: string | FormData, query?: string]> =
  {
    JSON: ['application/json', whole],
    'a form': [form, `serial=${serial}&size=${serial}&serials=${serial}&inner[serials]=${serial}`],
    'JSON in a form': [form, `serial=${serial}&size=${serial}&serials=[${serial}]&inner=${inner}`],
    'a multipart form': [undefined, toParts(inner)],
    'a part of JSON': [undefined, toParts(new Blob([inner], { type: 'application/json' }))],
    XML: [
      'application/xml',
      `<Item><serial>${serial}</serial><size>${serial}</size><serials>${serial}</serials><inner><serials>${serial}</serials></inner></Item>`,
    ],
    YAML: [
      'application/yaml',
      `serial: ${serial}\nsize: ${serial}\nserials: [${serial}]\ninner:\n  serials: [${serial}]\n`,
    ],
    'the query': [
      'application/json',
      `{"size":${serial},"inner":${inner}}`,
      `?serial=${serial}&serials=${serial}`,
    ],
  };

describe('an integer that a double cannot hold', () => {
  it.each(Object.entries(bodies))(
    'is stored as it was sent in %s',
    async (_, [type, body, query]) => {
      const { call } = await served();
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const created = await call(`/items${query ?? ''}`, { method: 'POST', headers, body });
      expect([created.status, created.text]).toEqual([201, expect.stringContaining(serial)]);
      const { text } = await call('/items');
      const stored = text.match(/\d{16}/g);
      expect(stored?.slice(0, 4)).toEqual([serial, serial, serial, serial]);
    },
  );

  it('is shown as it was sent where nothing is stored', async () => {
    const lines = 'POST /sums/{serial} { n: int } -> { serial: int, n: text }';
    const { call } = await serveDocument(documentOf(lines));
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: `{"n":${serial}}` };
    expect((await call(`/sums/${serial}`, init)).text).toBe(`{"serial":${serial},"n":"${serial}"}`);
  });

  it.each([
    [form, 'serial=9223372036854775808'],
    ['application/yaml', 'serial: 9223372036854775808'],
    ['application/xml', '<Item><serial>9223372036854775808</serial></Item>'],
  ])('is refused in %s if it is beyond its format', async (type, body) => {
    const { call } = await served();
    const init = { method: 'POST', headers: { 'Content-Type': type }, body };
    expect((await call('/items', init)).json.message).toContain('must be a 64-bit integer');
  });
});

const lines = [`{"name":"a","serial":${serial}}`, '{"name":"b"}'];
const sequences = {
  'application/jsonl': `${lines.join('\n')}\n`,
  'application/x-ndjson': lines.join('\r\n\r\n'),
  'application/json-seq': lines.map((line) => `\x1e${line}\n`).join(''),
};
const content = { schema: { $ref: '#/components/schemas/Item' } };

/** Serves items that are created by bodies of these media types. */
function servedAs(contents: object, created = '[Item]') {
  const document = documentOf(
    `GET /items -> [Item]\nPOST /items Item -> 201 ${created}\nPUT /items/{id} Item -> Item`,
    { Item: '{ readonly id: int, name!, serial: int }' },
    { openapi: '3.2.0' },
  );
  const { post } = document.paths['/items'] ?? {};
  const { put } = document.paths['/items/{id}'] ?? {};
  for (const { requestBody } of [post, put]) requestBody.content = contents;
  return serveDocument(document, { pets: 0 });
}

describe('a body that is a sequence of JSON texts', () => {
  it('may hold what a property of the body holds in JSON', async () => {
    const held = { schema: schemaOf('{ item!: Item }') };
    const contents = { 'application/json': held, 'application/jsonl': { itemSchema: held.schema } };
    const { call } = await servedAs(contents, 'Item');
    const headers = { 'Content-Type': 'application/jsonl' };
    const body = '{"item":{"name":"a"}}\n{"item":{"name":"b"}}';
    expect((await call('/items', { method: 'POST', headers, body })).status).toBe(201);
    expect((await call('/items')).text).toBe('[{"id":1,"name":"a"},{"id":2,"name":"b"}]');
  });

  it.each(Object.entries(sequences))('creates an item of each: %s', async (type, body) => {
    const next = (text: string) => (type === 'application/json-seq' ? '\x1e' : '\n') + text;
    const ofItems = { [type]: { itemSchema: content.schema } };
    for (const [contents, created] of [
      [ofItems, '[Item]'],
      [ofItems, 'Item'],
      [{ [type]: content }, '[Item]'],
      [{ 'application/json': content, ...ofItems }, 'Item'],
    ] as const) {
      const { call } = await servedAs(contents, created);
      const init = { method: 'POST', headers: { 'Content-Type': type } };
      expect((await call('/items', { ...init, body })).status).toBe(201);
      const stored = `[{"id":1,"name":"a","serial":${serial}},{"id":2,"name":"b"}]`;
      expect((await call('/items')).text).toBe(stored);
      const wrong = await call('/items', { ...init, body: body + next('{"name":3}') });
      expect(wrong.json).toMatchObject({ status: 400, code: 'invalid_body' });
      expect(wrong.json.message).toContain('"2/name" must be a string');
      const malformed = await call('/items', { ...init, body: body + next('{') });
      expect(malformed.json).toMatchObject({ status: 400, code: 'malformed_body' });
      expect((await call('/items')).text).toBe(stored);
    }
  });
});

it.each([
  ['text/csv', {}],
  ['text/csv', { schema: { type: 'array', items: content.schema } }],
  ['application/x-protobuf', {}],
])('stores nothing of a body that the mock cannot read: %s %j', async (type, other) => {
  const { call, origin } = await servedAs({ 'application/json': content, [type]: other }, 'Item');
  const headers = { 'Content-Type': type };
  const shown = { status: 201, json: { id: expect.any(Number), name: expect.any(String) } };
  expect(await call('/items', { method: 'POST', headers, body: 'a,b' })).toMatchObject(shown);
  const latest = await fetch(`${origin}/__admin/requests/latest`);
  expect(await latest.json()).toMatchObject({
    reason: { step: 'behaviour', kind: 'example', besides: 'items' },
  });
  expect((await call('/items')).json).toEqual([]);
  const json = { headers: { 'Content-Type': 'application/json' }, body: '{"name":"a"}' };
  await call('/items', { method: 'POST', ...json });
  expect((await call('/items/1', { method: 'PUT', headers, body: 'a,b' })).status).toBe(200);
  expect((await call('/items')).json).toEqual([{ id: 1, name: 'a' }]);
});
