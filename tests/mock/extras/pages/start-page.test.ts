import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { OperationView } from '../../../../mock/extras/pages/operation-view.ts';
import { toSamples } from '../../../../mock/extras/pages/start-page.ts';
import { documentOf } from '../../../support/document-of.ts';
import { fetchOverTls, forLocalhost } from '../../../support/tls.ts';
import { bearer, projectFile, startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const asBrowser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const run = promisify(execFile);

/** A document with so many operations below no base path. */
function manyOperations(count: number, more = '', operations: Record<string, object> = {}) {
  const lines = [...Array(count).keys()].map((n) => `GET /things${n} -> 200`);
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
  return writeJson(documentOf([...lines, more].join('\n'), {}, { components, operations }));
}

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200],
  ['application/json,text/html', 404],
  ['*/*', 404],
  [undefined, 404],
])('answers / for %s with %i', async (accept, status) => {
  const { origin } = await startTwin();
  const response = await fetch(`${origin}/`, accept ? { headers: { Accept: accept } } : {});
  expect(response.status).toBe(status);
  const text = await response.text();
  if (status === 200) {
    expect(response.headers.get('Vary')).toBe('Accept');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
    expect(text).toMatch(/^<!doctype html>/);
  } else expect(JSON.parse(text)).toMatchObject({ code: 'unknown_path' });
});

it('answers HEAD with the headers alone', async () => {
  const { origin } = await startTwin();
  const response = await fetch(`${origin}/`, { method: 'HEAD', headers: asBrowser });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(Number(response.headers.get('Content-Length'))).toBeGreaterThan(1000);
});

/** The lines that the page shows for an operation. */
async function linesOf(origin: string, id: string): Promise<string[]> {
  const response = await fetch(`${origin}/__pages/operation.json?id=${id}`);
  const view = (await response.json()) as OperationView;
  return toSamples(view, origin + view.basePath).map(([, text]) => text);
}

/** Runs a line for JavaScript in this process, and gives the status of its response. */
function runScript(line: string): Promise<string> {
  const shown = line.split('\n').filter((one) => !one.startsWith('console.log'));
  return new Function(`return (async () => {
    ${shown.join('\n')}
    return String(response.status);
  })();`)();
}

it('shows lines that work as they stand, for a shell and for JavaScript', async () => {
  const spec = projectFile('tests/support/shelters.yaml');
  for (const { origin, document } of [await startTwin(), await startTwin({ spec })])
    for (const { id } of document.operations) {
      const lines = await linesOf(origin, id);
      expect(lines).toHaveLength(2);
      for (const line of lines) {
        // Each is for itself: one line may delete what another one names.
        await fetch(`${origin}/__admin/reset`, { method: 'POST' });
        const { stdout } = line.startsWith('curl')
          ? await run('bash', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`])
          : { stdout: await runScript(line) };
        expect({ line, stdout }).toMatchObject({ stdout: expect.stringMatching(/^20[014]\b/) });
      }
    }
});

it('shows a sandbox under its path, and makes none', async () => {
  const { origin } = await startTwin();
  const redirect = await fetch(`${origin}/sandboxes/a`, { headers: asBrowser, redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, './a/']);
  const response = await fetch(`${origin}/sandboxes/a`, { headers: asBrowser });
  expect(response.url).toBe(`${origin}/sandboxes/a/`);
  const page = await response.text();
  expect(page).toContain(`${origin}/sandboxes/a/v1</code>`);
  expect(page).toContain('made by its first request');
  const list = await (await fetch(`${origin}/__admin/sandboxes`)).text();
  expect(list).not.toContain('"name":"a"');
  await fetch(`${origin}/sandboxes/a/v1/pets`, { headers: bearer('demo-free') });
  const again = await (await fetch(response.url, { headers: asBrowser })).text();
  expect(again).not.toContain('made by its first request');
});

it('shows the names of secret keys, and never the keys', async () => {
  const keys = projectFile('tests/support/secret-keys.json');
  const { origin } = await startTwin({ keys });
  for (const path of ['/', '/__pages/operation.json?id=listPets']) {
    const text = await (await fetch(origin + path, { headers: asBrowser })).text();
    expect(text).toContain('first');
    expect(text).not.toMatch(/s3cret|demo-/);
  }
  const page = await (await fetch(`${origin}/`, { headers: asBrowser })).text();
  const [curl, script] = await linesOf(origin, 'listPets');
  expect(curl).toContain('Authorization: Bearer $KEY');
  expect(script).toContain('Bearer YOUR_KEY');
  expect(page).toContain('the variable KEY of the shell; write yours for YOUR_KEY');
});

it('names secret keys on loopback alone, and the built-in ones everywhere', async () => {
  const keys = projectFile('tests/support/secret-keys.json');
  const read = async (settings: object, path: string) => {
    const { origin } = await startTwin({ host: '0.0.0.0', ...settings });
    const url = origin.replace('0.0.0.0', '127.0.0.1') + path;
    return (await fetch(url, { headers: asBrowser })).text();
  };
  for (const path of ['/', '/__pages/operation.json?id=listPets']) {
    for (const settings of [{ keys }, { keys, adminToken: 'hush-hush' }])
      expect(await read(settings, path)).not.toMatch(/first|key-2|s3cret|demo-/);
    expect(await read({}, path)).toContain('demo-free');
  }
  expect(await read({ keys }, '/')).toContain('so they and their names are not shown');
});

it('shows where it is with TLS, on IPv6 and by another name', async () => {
  const secure = await startTwin({ ...forLocalhost });
  const { text } = await fetchOverTls(`${secure.origin}/`, { headers: asBrowser });
  expect(text).toContain(`${secure.origin}/v1</code>`);
  const trust = `data-trust="[&quot;--cacert&quot;`;
  expect((await fetchOverTls(`${secure.origin}/__admin/console`)).text).toContain(trust);
  const six = await startTwin({ host: '::1' });
  const page = await (await fetch(`${six.origin}/`, { headers: asBrowser })).text();
  expect(page).toContain(`http://[::1]:${new URL(six.origin).port}/v1</code>`);
});

it('is there for a document without a base path, whose unknown paths ask for a key', async () => {
  const secured = { 'GET /secured': { security: [{ token: [] }] } };
  const spec = await manyOperations(1, 'GET /secured -> 200', secured);
  const { origin } = await startTwin({ spec });
  expect((await fetch(`${origin}/`, { headers: asBrowser })).status).toBe(200);
  expect((await fetch(`${origin}/__pages/common/look/look.css`)).status).toBe(200);
  expect((await fetch(`${origin}/`)).status).toBe(401);
});

it('leaves / to a document that has an operation there', async () => {
  const { origin } = await startTwin({ spec: await manyOperations(1, 'GET / -> 204') });
  expect((await fetch(`${origin}/`, { headers: asBrowser })).status).toBe(204);
});

it('gives what a page needs to call an operation, integers to the letter', async () => {
  const { origin } = await startTwin();
  const read = async (id: string) =>
    await (await fetch(`${origin}/__pages/operation.json?id=${id}`)).json();
  const plan = { name: 'free', perMinute: 60, perDay: 1000 };
  expect(await read('createPet')).toMatchObject({
    ...{ id: 'createPet', method: 'POST', path: '/pets', basePath: '/v1' },
    keyPlaces: [{ in: 'authorization', scheme: 'Bearer' }],
    body: { required: true },
    call: { target: '/pets', body: expect.stringContaining('"name"') },
    keys: expect.arrayContaining([{ name: 'demo-free', key: 'demo-free', plan }]),
  });
  const limit = { name: 'limit', in: 'query', type: 'integer', default: '20' };
  const status = { name: 'status', options: ['available', 'pending', 'sold'] };
  expect(await read('listPets')).toMatchObject({ parameters: [limit, status] });
  expect(await read('nothing')).toMatchObject({ code: 'not_found', status: 404 });
});

it('shows of keys the limits that the document has', async () => {
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const secured = { components: { securitySchemes: { key } }, security: [{ key: [] }] };
  const document = (more: object) => documentOf('GET /a -> 200', {}, { ...more, ...secured });
  const shownBy = async (more: object, settings: object = {}) => {
    const { origin } = await startTwin({ spec: await writeJson(document(more)), ...settings });
    const page = await (await fetch(`${origin}/`, { headers: asBrowser })).text();
    const [, rates] = /Rate limits<\/dt><dd>([^<]*)/.exec(page) ?? [];
    const [, ofKey] = /<span class="cell-label">Limits<\/span>(.*?)<\/td>/.exec(page) ?? [];
    return [rates, ofKey?.replaceAll(/<.*?>/g, '')];
  };
  expect(await shownBy({})).toEqual(['none: the document describes none', 'none']);
  expect(await shownBy({ 'x-rate-limit': 77 })).toEqual(['enforced', '77 a minute']);
  const enforced = await shownBy({}, { rateLimits: 'enforce' });
  expect(enforced).toEqual(['enforced', 'free: 60 a minute, 1,000 a day']);
});

it('shows the lines of the first operations, and leads to the others', async () => {
  const { origin } = await startTwin({ spec: await manyOperations(300) });
  const page = await (await fetch(`${origin}/`, { headers: asBrowser })).text();
  expect(page.match(/data-copy="the curl of /g)).toHaveLength(5);
  expect(page).toContain('<a href="__docs/">295 more in the reference</a>');
});
