import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { toDocument } from '../../support/serve-document.ts';
import { openTestPage } from '../../support/test-page.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const attack = `<!doctype html><title>idle</title><script>
document.title = 'ran';
fetch('/__admin/settings', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"fixedDelay":1}',
});
</script><p>shown</p>`;

const html = { description: 'OK', content: { 'text/html': { example: attack } } };

const text = { description: 'OK', content: { 'text/plain': { example: attack } } };

const document = toDocument({
  '/html': { get: { operationId: 'html', responses: { 200: html } } },
  '/text': { get: { operationId: 'text', responses: { 200: text } } },
  '/json': {
    get: {
      operationId: 'json',
      responses: { 200: { description: 'OK', content: { 'application/json': { example: {} } } } },
    },
  },
});

const isolating = ['content-security-policy', 'x-content-type-options'];

it('isolates answers that are no JSON, and adds nothing to JSON', async () => {
  const { origin } = await startTwin({ spec: await writeJson(document) });
  const sent = async (path: string) => {
    const { headers } = await fetch(origin + path);
    return isolating.map((name) => headers.get(name));
  };
  expect(await sent('/html')).toEqual(['sandbox', 'nosniff']);
  expect(await sent('/text')).toEqual(['sandbox', 'nosniff']);
  expect(await sent('/json')).toEqual([null, null]);
});

it('runs no script of a document or a fault where the admin would let it in', async () => {
  const { origin } = await startTwin({ spec: await writeJson(document) });
  const fault = { operation: 'json', status: 502, headers: { 'content-type': 'text/html' } };
  const made = await adminOf({ origin }).send('POST', 'faults', { ...fault, body: attack });
  expect(made.status).toBe(201);
  const page = await openTestPage();
  for (const path of ['/html', '/json']) {
    await page.goto(origin + path);
    await page.getByText('shown').waitFor();
    expect([path, await page.title()]).toEqual([path, 'idle']);
  }
  const settings = await (await fetch(`${origin}/__admin/settings`)).json();
  expect(settings).toMatchObject({ fixedDelay: null });
});
