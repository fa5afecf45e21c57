import { expect, it } from 'vitest';
import { toJson } from '../../../common/json.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { startServer } from '../../support/start-server.ts';
import { verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const places = ['query', 'header', 'cookie', 'path'] as const;
const key = 'key-of-this-target';

it.each(['{{key}}', '{{tenant}}', '{{ id }}', '{{a|b}}', 'x {{known}} y'])(
  'sends the example %s of a document as it is, wherever it stands',
  async (example) => {
    const received = new Set<string>();
    const url = await startServer(({ method, segments, query, headers, sent }) => {
      if (headers['x-key'] !== key) return { status: 401 };
      received.add(`query ${query.get('q')}`);
      received.add(`header ${headers['x-version']}`);
      received.add(`cookie ${decodeURIComponent(headers.cookie?.slice(2) ?? '')}`);
      received.add(`path ${decodeURIComponent(segments[0] ?? '')}`);
      if (method === 'POST') received.add(`body ${sent?.note}`);
      return { status: method === 'POST' ? 204 : 200, body: [] };
    });
    const names = { query: 'q', header: 'X-Version', cookie: 'c', path: 'p' };
    const parameters = places.map((place) => ({
      ...{ name: names[place], in: place, required: true, schema: text, example },
    }));
    const note = { type: 'object', required: ['note'], properties: { note: { ...text, example } } };
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
    const spec = toDocument(
      {
        '/{p}/reports': {
          parameters,
          get: { responses: { 200: jsonOf({ type: 'array', items: {} }), 401: {} } },
          post: {
            operationId: 'report',
            requestBody: { required: true, ...jsonOf(note) },
            responses: { 204: { description: 'Done.' }, 401: {} },
          },
        },
      },
      { components: { securitySchemes }, security: [{ key: [] }] },
    );
    await verify({
      ...{ twin: false, spec: await writeJson(spec), allowWrites: true, call: ['report'] },
      target: { url, keys: [key] },
    });
    for (const place of [...places, 'body']) expect([...received]).toContain(`${place} ${example}`);
    expect([...received].join()).not.toContain(key);
  },
);

it('fills the placeholders of a value whose schema allows several types', async () => {
  const value = { anyOf: [text, { type: 'number' }, { type: 'object' }, { type: 'null' }] };
  const deployment = new Deployment('/variables');
  const url = await deployment.start();
  const spec = toDocument(collection('/variables', { value }, { required: ['name', 'value'] }));
  await verifyWrites(url, spec);
  const sent = deployment.asked.map((one) => toJson(one.sent) ?? '');
  expect(sent.filter((body) => body.includes('{{'))).toEqual([]);
});
