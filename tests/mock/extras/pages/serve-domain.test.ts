import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { sendAs } from '../../../support/send-as.ts';
import { openTestTwin, startTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
const client = createDomainsClient(twin);
const { port } = new URL(twin.origin);
const name = 'docs.example.com';

afterAll(() => twin.close());
beforeEach(async () => {
  await twin.app.sandboxes.put('default');
  await twin.app.sandboxes.deleteAll();
});

/** Calls the twin by the name of another host. */
const get = (host: string, path = '/', { method = 'GET', headers = {}, at = port } = {}) =>
  sendAs(`http://127.0.0.1:${at}`, { path, method, headers: { Host: host, ...headers } });

const fromSandbox = (name: string) => ({ headers: { 'X-Sandbox': name } });

it('serves the reference at an active domain, and no other path or method', async () => {
  await client.activate(name, 'example.org');
  for (const host of [name, `${name}:${port}`, 'DOCS.example.com.', 'example.org']) {
    const page = await get(host);
    expectAnswer(page, 200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Pet Store Service');
    expect(page.text).not.toContain('__admin');
  }
  const document = await get(name, '/openapi.json');
  expectAnswer(document, 200);
  expect(document.headers['content-type']).toBe('application/json');
  for (const path of ['/v1/pets', '/__admin/clock', '/nowhere'])
    expectError(await get(name, path), 404, 'unknown_path');
  expectError(await get(name, '/', { method: 'POST' }), 405, 'method_not_allowed');
  expect((await get(name, '/', { method: 'HEAD' })).text).toBe('');
});

it('lets no other host through, and says what a domain waits for', async () => {
  await client.activate(name);
  const add = 'POST /__admin/domains {"domain":"other.example.com"}';
  expectError(await get('other.example.com'), 403, 'host_not_allowed', add);
  expect((await get('other')).json.message).not.toContain('/__admin/domains');
  expectError(await get(`sub.${name}`), 403, 'host_not_allowed');
  await client.add('b.example.com');
  expectError(await get('b.example.com'), 403, 'host_not_allowed', 'pending');
  expectError(await get('b.example.com', '/v1/pets'), 403, 'host_not_allowed');
});

it('stops at once when a domain is removed, and goes on when it is added again', async () => {
  await client.activate(name);
  expect((await get(name)).status).toBe(200);
  await client.call('DELETE', `domains/${name}`);
  expectError(await get(name), 404, 'not_found');
  await client.add(name);
  await client.advance(3_600_000);
  expect((await get(name)).status).toBe(200);
});

it.each([301, 308])('redirects with %i, and keeps path and query', async (status) => {
  await client.activate(name);
  await client.redirect('old.example.com', name, status);
  const expectTarget = (answer: object, path: string) =>
    expect(answer).toMatchObject({ status, headers: { location: `http://${name}${path}` } });
  const moved = await get('old.example.com:8080', '/a/b?c=d%20e');
  expectTarget(moved, ':8080/a/b?c=d%20e');
  expect(moved.text).toBe('');
  expectTarget(await get('old.example.com', '/', { method: 'POST' }), '/');
  // The target as a whole URL overrides the Host (RFC 9112 §3.2.2).
  expectTarget(await get('localhost', 'http://old.example.com/a'), '/a');
  await client.call('DELETE', 'redirects/old.example.com');
  expectError(await get('old.example.com'), 404, 'not_found');
});

it('finds the sandbox whose project has the domain, or goes by the one that is named', async () => {
  await createDomainsClient(twin, '/sandboxes/a').activate(name);
  expect((await get(name)).status).toBe(200);
  expect((await get(name, '/', fromSandbox('a'))).status).toBe(200);
  expect((await get(name, '/', fromSandbox('b'))).status).toBe(403);
  expect(twin.app.sandboxes.find('b')).toBeUndefined();
});

it('serves a domain that is active in any sandbox, though it was removed or waits in another', async () => {
  const other = createDomainsClient(twin, '/sandboxes/a');
  await client.activate(name, 'b.example.com');
  await client.redirect('old.example.com', name);
  await client.call('DELETE', `domains/${name}`);
  await client.add('c.example.com');
  await other.activate(name, 'c.example.com');
  await other.redirect('old.example.com', name);
  expect((await get(name)).status).toBe(200);
  expect((await get('c.example.com')).status).toBe(200);
  expect((await get('old.example.com')).status).toBe(301);
  expectError(await get(name, '/', fromSandbox('default')), 404, 'not_found');
  await other.call('DELETE', `domains/${name}`);
  expectError(await get(name), 404, 'not_found');
});

it('serves a path that names a sandbox as one of the site', async () => {
  const [a, b] = ['a', 'b'].map((one) => createDomainsClient(twin, `/sandboxes/${one}`));
  await a?.activate(name);
  await b?.publish();
  await a?.redirect('old.example.com', name);
  for (const path of ['a', 'a/v1/pets', 'b/', 'no~name'])
    expectError(await get(name, `/sandboxes/${path}`), 404, 'unknown_path');
  const { headers } = await get('old.example.com', '/sandboxes/b/x');
  expect(headers.location).toBe(`http://${name}/sandboxes/b/x`);
  expect((await b?.call('GET', 'requests'))?.json.requests).toEqual([]);
  expect(twin.app.sandboxes.find('no~name')).toBeUndefined();
});

it('records requests for domains with their reasons', async () => {
  await client.activate(name);
  await client.redirect('old.example.com', name);
  await get(name);
  await get('old.example.com');
  await client.call('DELETE', `domains/${name}`);
  await get(name);
  const { requests } = (await client.call('GET', 'requests')).json;
  const served = { step: 'domain', domain: name, outcome: 'served' };
  const redirected = { ...served, domain: 'old.example.com', outcome: 'redirected' };
  const removed = { ...served, outcome: 'removed', error: 'not_found' };
  const expected = [removed, redirected, served].map((reason) => ({ reason, unmatched: false }));
  expect(requests).toMatchObject(expected);
});

it('takes no host of the API for a domain', async () => {
  const own = await startTwin({ allowedHosts: [name] });
  const admin = createDomainsClient(own);
  await admin.publish();
  expectError(await admin.add(name), 409, 'domain_refused', '--allowed-hosts');
  expectAnswer(await admin.add('b.example.com'), 201);
  expect((await admin.redirect(name, 'b.example.com')).status).toBe(409);
});
