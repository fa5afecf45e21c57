import { describe, expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const serial = '9007199254740993';
const serials = { type: 'array', items: { type: 'integer', format: 'int64' } };
const item = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'integer', readOnly: true },
    serial: { type: 'integer', format: 'int64' },
    size: { type: 'number' },
    inner: { type: 'object', properties: { serials } },
    serials,
  },
};

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
