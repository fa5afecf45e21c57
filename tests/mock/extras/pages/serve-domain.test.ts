import { afterAll, beforeEach, expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
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

type Got = Awaited<ReturnType<typeof sendAs>>;

/** Calls the twin by the name of another host. */
const get = (host: string, path = '/', { method = 'GET', headers = {}, at = port } = {}) =>
  sendAs(`http://127.0.0.1:${at}`, { path, method, headers: { Host: host, ...headers } });

const codeOf = ({ status, text }: Got) => [status, JSON.parse(text).code];

it('serves the reference at an active domain, and no other path or method', async () => {
  await client.activate(name, 'example.org');
  for (const host of [name, `${name}:${port}`, 'DOCS.example.com.', 'example.org']) {
    const page = await get(host);
    expect([host, page.status, page.headers['content-type']]).toEqual([
      host,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toContain('Pet Store Service');
    expect(page.text).not.toContain('__admin');
  }
  expect(await get(name, '/openapi.json')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json' },
  });
  for (const path of ['/v1/pets', '/__admin/clock', '/nowhere'])
    expect(codeOf(await get(name, path))).toEqual([404, 'unknown_path']);
  expect(codeOf(await get(name, '/', { method: 'POST' }))).toEqual([405, 'method_not_allowed']);
  expect((await get(name, '/', { method: 'HEAD' })).text).toBe('');
});

it('lets no other host through, and says what a domain waits for', async () => {
  await client.activate(name);
  const unknown = await get('other.example.com');
  expect(codeOf(unknown)).toEqual([403, 'host_not_allowed']);
  expect(JSON.parse(unknown.text).message).toContain(
    'POST /__admin/domains {"domain":"other.example.com"}',
  );
  expect(JSON.parse((await get('other')).text).message).not.toContain('/__admin/domains');
  expect(codeOf(await get(`sub.${name}`))).toEqual([403, 'host_not_allowed']);
  await client.add('b.example.com');
  const waiting = await get('b.example.com');
  expect(codeOf(waiting)).toEqual([403, 'host_not_allowed']);
  expect(JSON.parse(waiting.text).message).toContain('pending');
  expect(codeOf(await get('b.example.com', '/v1/pets'))).toEqual([403, 'host_not_allowed']);
});

it('stops at once when a domain is removed, and goes on when it is added again', async () => {
  await client.activate(name);
  expect((await get(name)).status).toBe(200);
  await client.call('DELETE', `domains/${name}`);
  expect(codeOf(await get(name))).toEqual([404, 'not_found']);
  await client.add(name);
  await client.advance(3_600_000);
  expect((await get(name)).status).toBe(200);
});

it.each([301, 308])('redirects with %i, and keeps path and query', async (status) => {
  await client.activate(name);
  await client.redirect('old.example.com', name, status);
  expect(await get('old.example.com:8080', '/a/b?c=d%20e')).toMatchObject({
    status,
    headers: { location: `http://${name}:8080/a/b?c=d%20e` },
    text: '',
  });
  expect(await get('old.example.com', '/', { method: 'POST' })).toMatchObject({
    status,
    headers: { location: `http://${name}/` },
  });
  // The target as a whole URL overrides the Host (RFC 9112 §3.2.2).
  expect(await get('localhost', 'http://old.example.com/a')).toMatchObject({
    status,
    headers: { location: `http://${name}/a` },
  });
  await client.call('DELETE', 'redirects/old.example.com');
  expect(codeOf(await get('old.example.com'))).toEqual([404, 'not_found']);
});

it('finds the sandbox whose project has the domain, or goes by the one that is named', async () => {
  await createDomainsClient(twin, '/sandboxes/a').activate(name);
  expect((await get(name)).status).toBe(200);
  expect((await get(name, '/', { headers: { 'X-Sandbox': 'a' } })).status).toBe(200);
  expect((await get(name, '/', { headers: { 'X-Sandbox': 'b' } })).status).toBe(403);
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
  expect(codeOf(await get(name, '/', { headers: { 'X-Sandbox': 'default' } }))).toEqual([
    404,
    'not_found',
  ]);
  await other.call('DELETE', `domains/${name}`);
  expect(codeOf(await get(name))).toEqual([404, 'not_found']);
});

it('serves a path that names a sandbox as one of the site', async () => {
  await createDomainsClient(twin, '/sandboxes/a').activate(name);
  await createDomainsClient(twin, '/sandboxes/b').publish();
  await createDomainsClient(twin, '/sandboxes/a').redirect('old.example.com', name);
  for (const path of [
    '/sandboxes/a',
    '/sandboxes/a/v1/pets',
    '/sandboxes/b/',
    '/sandboxes/no~name',
  ])
    expect([path, ...codeOf(await get(name, path))]).toEqual([path, 404, 'unknown_path']);
  expect((await get('old.example.com', '/sandboxes/b/x')).headers.location).toBe(
    `http://${name}/sandboxes/b/x`,
  );
  const { requests } = (await createDomainsClient(twin, '/sandboxes/b').call('GET', 'requests'))
    .json;
  expect(requests).toEqual([]);
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
  expect(
    requests.map(({ reason, unmatched }: { reason: object; unmatched: boolean }) => ({
      ...reason,
      unmatched,
    })),
  ).toEqual([
    { step: 'domain', domain: name, outcome: 'removed', error: 'not_found', unmatched: false },
    { step: 'domain', domain: 'old.example.com', outcome: 'redirected', unmatched: false },
    { step: 'domain', domain: name, outcome: 'served', unmatched: false },
  ]);
});

it('takes no host of the API for a domain', async () => {
  const own = await startTwin({ allowedHosts: [name] });
  const admin = createDomainsClient(own);
  await admin.publish();
  expect((await admin.add(name)).json).toMatchObject({
    code: 'domain_refused',
    message: expect.stringContaining('--allowed-hosts'),
  });
  expect(await admin.add('b.example.com')).toMatchObject({ status: 201 });
  expect((await admin.redirect(name, 'b.example.com')).status).toBe(409);
});
