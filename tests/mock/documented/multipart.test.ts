import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { toCurl, toFetch } from '../../../mock/curl/to-curl.ts';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { schemaOf } from '../../support/document-of.ts';
import { serveDocument, toDocument } from '../../support/serve-document.ts';

const constants = (values: object) => ({
  type: 'object',
  required: Object.keys(values),
  properties: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { const: value }]),
  ),
});

async function show(schema: object, encoding: object = {}) {
  const post = {
    operationId: 'send',
    requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } },
    responses: { 204: { description: 'Taken.' } },
  };
  const { api, app, document } = await serveDocument(toDocument({ '/a': { post } }));
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const [operation] = document.operations;
  const call = operation && (await toExampleCall(operation));
  if (!call) throw new Error('There is no call.');
  const called = { method: 'POST', keyPlaces: [] };
  return {
    curl: toCurl(called, call, { base: api, key: '', trust: [] }),
    fetch: toFetch(called, call, { base: api, key: '' }),
  };
}

it('shows a multipart form as fields and files', async () => {
  const file = 'binary(example="bytes")';
  const shown = await show(
    schemaOf(`{ title!: text(example="Dune"), scan!: ${file}, cover!: ${file} }`),
    { cover: { contentType: 'image/png' } },
  );
  expect(shown.curl).toMatch(
    /^curl -F 'title=Dune' -F 'scan=bytes;type=application\/octet-stream;filename=example' -F 'cover=bytes;type=image\/png;filename=example' http/,
  );
});

it('sends each field as it is shown, whatever it holds', async () => {
  const texts = { a: '@x; "y" \\', b: '<x', c: ' é\t', d: 'x;type=a/b', e: '"', f: "it's" };
  const { curl, fetch } = await show(constants({ ...texts, g: ['1;', '2'], h: { i: 'j' } }), {
    d: { contentType: 'text/plain' },
  });
  expect(curl).toContain(' -F ');
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `${curl} -s -o /dev/null -w '%{http_code}'`,
  ]);
  expect([curl, stdout]).toEqual([curl, '204']);
  const lines = fetch.split('\n').slice(0, -1);
  const run = new Function(`return (async () => { ${lines.join('\n')}; return response; })();`);
  expect((await run()).status).toBe(204);
});

it('shows a form with names that curl has no field for as it is sent', async () => {
  expect((await show(constants({ 'a=b': 'c' }))).curl).toContain(' --data-raw ');
});
