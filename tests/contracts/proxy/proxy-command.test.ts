import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Health } from '../../../contracts/proxy/own-answer.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { ca, fetchOverTls, forLocalhost } from '../../support/tls.ts';
import { freeKey, proKey, startBroken, startDeployment } from '../../support/verify-command.ts';
import { runProxyCommand } from './run-command.ts';

const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

it('reports drift as it passes, once for each kind, and at the end', async () => {
  const { url } = await startBroken();
  const folder = makeFolder();
  const files = { json: join(folder, 'report.json'), har: join(folder, 'traffic.har') };
  const run = runProxyCommand([
    ...['--target', url, '--key', `free=${freeKey}`],
    ...['--json', files.json, '--learn', files.har],
  ]);
  const origin = await run.origin();
  for (let call = 0; call < 3; call++) expect((await fetch(`${origin}/v1/pets`)).status).toBe(401);
  expect((await fetch(`${origin}/v1/pets?limit=3`, withKey(freeKey))).status).toBe(200);
  await run.until(/drift {2}error-shape {2}listPets, .+\n/);

  const health = (await (await fetch(`${origin}/__proxy/health`)).json()) as Health;
  expect(health).toMatchObject({ status: 'ok', target: url, passed: 4, dropped: 0 });
  expect(health.findings.drift).toBeGreaterThan(0);
  const live = (await (await fetch(`${origin}/__proxy/report.json`)).json()) as Report;
  expect(live.verdict).toBe('drift');
  const page = await (await fetch(`${origin}/__proxy/report.html`)).text();
  expect(page).toContain('<h1><span class="symbol" aria-hidden="true">✕</span>Drift</h1>');

  expect(await run.end()).toBe(1);
  expect(run.err).toContain('Ending: no more calls are accepted.');
  expect(run.err.match(/drift {2}error-shape/g)).toHaveLength(1);
  expect(run.err).toContain(`Learn from ${files.har} with: petstore-twin learn`);
  expect(run.out).toMatch(/^DRIFT {2}/);
  const report: Report = JSON.parse(await readFile(files.json, 'utf8'));
  expect(report.targets).toMatchObject([{ requests: 4 }]);
  expect(report.findings.find(({ check }) => check === 'error-shape')).toMatchObject({ count: 3 });
  const archive = await readFile(files.har, 'utf8');
  expect(JSON.parse(archive).log.entries).toHaveLength(4);
  expect(archive).toContain('Bearer free-1');
  for (const text of [run.out, run.err, page, archive, JSON.stringify(report)])
    expect(text).not.toContain(freeKey);
});

it('ends with 0 where nothing drifts, and with 2 where some clauses were to be seen', async () => {
  const { url } = await startDeployment();
  const options = ['--target', url, '--key', `pro=${proKey}`];
  const runs = [[], ['--fail-on-unobserved'], ['--quiet']].map((more) =>
    runProxyCommand([...options, ...more]),
  );
  const [plain, strict, quiet] = runs;
  const origins = await Promise.all([plain?.origin(), strict?.origin()]);
  for (const origin of origins) await fetch(`${origin}/v1/pets`, withKey(proKey));
  expect(await plain?.end('SIGTERM')).toBe(0);
  expect(plain?.out).toMatch(/^NO DRIFT SEEN {2}/);
  expect(await strict?.end()).toBe(2);
  expect(strict?.err).toMatch(
    /clauses were not exercised \(.+\), so --fail-on-unobserved fails the run\.\n$/,
  );
  quiet?.child.kill();
});

it.skipIf(!existsSync('/dev/full'))(
  'reports what passed although the archive cannot be written, and ends with 2',
  async () => {
    const { url } = await startDeployment();
    const run = runProxyCommand(['--target', url, '--har', '/dev/full', '--github']);
    await fetch(`${await run.origin()}/v1/pets`, withKey(proKey));
    expect(await run.end()).toBe(2);
    expect(run.out).toMatch(/^::error title=petstore-twin proxy::--har \/dev\/full/m);
    expect(run.err).toMatch(/petstore-twin proxy: --har \/dev\/full could not be written/);
  },
);

it('speaks TLS with a target whose certificate it was told to trust, and with clients', async () => {
  const tls = {
    cert: readFileSync(forLocalhost.tlsCert, 'utf8'),
    key: readFileSync(forLocalhost.tlsKey, 'utf8'),
  };
  const server = createServer(tls, (request, response) => response.end(request.headers.host));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const run = runProxyCommand(
    [
      ...['--target', `https://localhost:${port}/v1`, '--host', 'localhost'],
      ...['--tls-cert', forLocalhost.tlsCert, '--tls-key', forLocalhost.tlsKey],
    ],
    { NODE_EXTRA_CA_CERTS: forLocalhost.tlsCert },
  );
  const origin = await run.origin();
  expect(origin).toMatch(/^https:\/\/localhost:/);
  const response = await fetchOverTls(`${origin}/v1/pets`, { ca });
  expect(response).toMatchObject({ status: 200, text: `localhost:${port}` });
});
