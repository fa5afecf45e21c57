import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { parseSite } from '../../../contracts/domains/read-what.ts';
import type { Sites } from '../../support/domain-site.ts';
import { rulingOf, standing, startStand, verdictsOf } from '../../support/domain-stand.ts';
import type { ZoneRecord } from '../../support/zone-server.ts';

const docs = 'docs.example.test';
const old = 'old.example.test';
const beta = 'beta.example.test';

const records: readonly ZoneRecord[] = [
  ...standing,
  { name: old, type: 'A', address: '127.0.0.1' },
  { name: beta, type: 'A', address: '127.0.0.1' },
];

/** Checks a redirect from the old name, which answers as `sites` says, to the documentation. */
async function redirectTo(sites: Sites, { status = 301 } = {}) {
  const { check, at, site } = await startStand({ records, sites });
  const redirects = [{ from: at(old), to: at(docs), status }];
  const checked = await check([], { redirects });
  return { checked, ruling: rulingOf(checked, 'redirect'), site };
}

it('finds nothing wrong with a redirect that answers its status and leads to its domain', async () => {
  const { checked, ruling, site } = await redirectTo({
    [old]: { status: 301, location: `https://${docs}:PORT/guide` },
    [docs]: { status: 200 },
  });
  expect(ruling).toEqual({ verdict: 'kept' });
  expect(verdictsOf(checked)).not.toHaveProperty('cname');
  expect(site.requests).toEqual([`GET ${old}:${site.port}/`]);
});

it('holds a redirect to its own status', async () => {
  const sites: Sites = { [old]: { status: 302, location: `https://${docs}:PORT/` } };
  expect((await redirectTo(sites, { status: 302 })).ruling).toEqual({ verdict: 'kept' });
  expect((await redirectTo(sites)).ruling).toMatchObject({
    verdict: 'drift',
    message: expect.stringMatching(
      /^The redirect of old\.example\.test:\d+ does not lead to docs\.example\.test:\d+ with 301$/,
    ),
    expected: expect.stringMatching(/^301 with a Location on docs\.example\.test:\d+$/),
    actual: expect.stringMatching(/^302 to https:/),
    exchange: { response: { status: 302 } },
  });
});

it('sees a redirect that leads elsewhere, nowhere, or is none', async () => {
  const cases: [site: Sites[string], actual: string][] = [
    [{ status: 301, location: 'https://other.test/' }, '301 to https://other.test/'],
    [{ status: 301, location: '/' }, '301 to https://old.example.test'],
    [{ status: 301 }, '301'],
    [{ status: 200 }, '200'],
  ];
  for (const [site, actual] of cases)
    expect((await redirectTo({ [old]: site })).ruling).toMatchObject({
      verdict: 'drift',
      actual: expect.stringContaining(actual),
    });
});

it('asks over HTTP where nothing answers over HTTPS', async () => {
  const port = await startPlain((_, response) => {
    response.writeHead(301, { location: `https://${docs}/` }).end();
  });
  const { check } = await startStand({ records });
  const redirects = [{ from: parseSite(`${old}:${port}`), to: parseSite(docs), status: 301 }];
  const checked = await check([], { redirects, timeout: 500 });
  expect(rulingOf(checked, 'redirect')).toEqual({ verdict: 'kept' });
});

it('asks every address of a redirect', async () => {
  const two = 'two.example.test';
  const both = ['127.0.0.1', '127.0.0.2'].map(
    (address): ZoneRecord => ({ name: two, type: 'A', address }),
  );
  const { check } = await startStand({ records: [...records, ...both] });
  const port = await startPlain((_, response) => {
    response.writeHead(301, { location: `https://${docs}/` }).end();
  });
  const redirects = [{ from: parseSite(`${two}:${port}`), to: parseSite(docs), status: 301 }];
  const rule = async () => rulingOf(await check([], { redirects }), 'redirect');
  expect(await rule()).toMatchObject({
    verdict: 'unanswered',
    message: `1 of 2 addresses of ${two}:${port} did not answer`,
  });
  await startPlain((_, response) => response.writeHead(404).end(), { host: '127.0.0.2', port });
  expect(await rule()).toMatchObject({
    verdict: 'drift',
    actual: '404',
    again: expect.stringContaining("--connect-to '::127.0.0.2:'"),
  });
});

it('sees a redirect without an address', async () => {
  const { check, at } = await startStand({ records });
  const redirects = [{ from: at('none.example.test'), to: at(docs), status: 301 }];
  expect(rulingOf(await check([], { redirects }), 'redirect')).toMatchObject({
    verdict: 'drift',
    actual: 'it has no address, so it redirects nobody',
  });
});

/** Checks that the name was removed, which answers as `sites` says. */
async function removal(sites: Sites) {
  const { check, at } = await startStand({ records, sites });
  return rulingOf(await check([], { removed: [at(beta)] }), 'removed');
}

it('takes no address, no connection and not found for a removal', async () => {
  expect(await removal({})).toEqual({ verdict: 'kept' });
  for (const status of [404, 410, 421])
    expect(await removal({ [beta]: { status } })).toEqual({ verdict: 'kept' });
  const { check } = await startStand({ records });
  for (const name of ['none.example.test', `${beta}:9`]) {
    const checked = await check([], { removed: [parseSite(name)] });
    expect(rulingOf(checked, 'removed'), name).toEqual({ verdict: 'kept' });
  }
});

it('sees a domain that was removed and still serves or redirects', async () => {
  expect(await removal({ [beta]: { status: 200 } })).toMatchObject({
    verdict: 'drift',
    message: expect.stringContaining('was removed, but still serves a page'),
    actual: '200',
  });
  expect(await removal({ [beta]: { status: 302, location: `https://${docs}/` } })).toMatchObject({
    message: expect.stringContaining('was removed, but still redirects'),
    actual: `302 to https://${docs}/`,
  });
});

it('decides nothing of a removal from errors that say nothing of it', async () => {
  for (const status of [401, 403, 503])
    expect(await removal({ [beta]: { status } })).toEqual({
      verdict: 'inconclusive',
      reason: `it answers ${status}, which says nothing of a removal`,
    });
  const { check } = await startStand({ zone: { behave: () => 'SERVFAIL' } });
  const checked = await check([], { removed: [parseSite(beta)] });
  expect(rulingOf(checked, 'removed')).toMatchObject({ verdict: 'inconclusive' });
});

it('decides nothing of a removal where this machine has no way to its addresses', async () => {
  const name = 'far.example.test';
  // No machine connects to an address of many.
  const far: ZoneRecord = { name, type: 'A', address: '224.0.0.1' };
  const { check } = await startStand({ records: [far] });
  const checked = await check([], { removed: [parseSite(name)] });
  expect(rulingOf(checked, 'removed')).toEqual({
    verdict: 'inconclusive',
    reason: 'no address can be reached from this machine',
  });
});

/** A server without TLS until the test ends. */
async function startPlain(
  listener: RequestListener,
  { host = '127.0.0.1', port = 0 } = {},
): Promise<number> {
  const server = createServer(listener);
  await once(server.listen(port, host), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}
