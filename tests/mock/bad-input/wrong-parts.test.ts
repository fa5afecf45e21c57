import { expect, it } from 'vitest';
import { DocumentError } from '../../../common/cli/usage-error.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const responses = { 200: jsonOf({ type: 'object' }) };

it.each([
  ['x-silences without a text', { 'x-silences': [{ id: 'a' }, null] }, '#/x-silences/0'],
  ['a script as server', { servers: [{ url: 'javascript:alert(1)' }] }, '#/servers/0'],
  ['a file as server', { servers: [{ url: 'file:///etc' }] }, '#/servers/0'],
  [
    'a $ref that is no text',
    { components: { schemas: { A: { $ref: 5 } }, responses: { B: { $ref: [] } } } },
    '#/components/schemas/A/$ref',
  ],
])('warns of %s, and serves the rest', async (_, more, pointer) => {
  const document = toDocument({ '/a': { get: { responses } } }, more);
  const { written } = compile(document);
  expect(written.warnings.map((one) => one.pointer)).toContain(pointer);
  const { call, origin } = await serveDocument(document);
  expect((await call('/a')).status).toBe(200);
  for (const path of ['/', '/__admin/console', '/__docs']) {
    const { status } = await fetch(origin + path);
    expect([path, status]).not.toEqual([path, 500]);
  }
});

it('sends a media type that Latin-1 lacks', async () => {
  const content = { 'text/ü→': { example: 'a' } };
  const { call } = await serveDocument(
    toDocument({ '/a': { get: { responses: { 200: { description: 'Fine.', content } } } } }),
  );
  const { status, type } = await call('/a');
  expect([status, type]).toEqual([200, expect.stringContaining('%E2%86%92')]);
});

it('says what is wrong with a document that none of its parts can be used of', () => {
  for (const wrong of [null, 5, [], 'a'])
    expect(() => compile({ openapi: '3.1.0', paths: wrong })).not.toThrow(TypeError);
  expect(() => compile(null as never)).toThrow(DocumentError);
});
