import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { toBanner } from '../../../mock/process/banner.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { startTwin } from '../../support/twin.ts';

afterEach(() => void vi.unstubAllEnvs());

function keepIn(folder: string): void {
  for (const name of ['LOCALAPPDATA', 'XDG_DATA_HOME', 'HOME']) vi.stubEnv(name, folder);
}

/** A folder in which twins keep what is of a user. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'own-identity-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  keepIn(folder);
  return folder;
}

/** The status of a call, or why the server is not trusted. */
function call(origin: string, ca: string, host = new URL(origin).hostname): Promise<unknown> {
  const url = `https://${host}:${new URL(origin).port}/__admin/health`;
  return new Promise((resolve) => {
    request(url, { ca }, (response) => void text(response).then(() => resolve(response.statusCode)))
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      .end();
  });
}

it('speaks HTTPS with a certificate of an authority that is made once and kept', async () => {
  const folder = await openFolder();
  const [twin, other] = await Promise.all([startTwin({ tls: true }), startTwin({ tls: true })]);
  const file = twin.authorityFile as string;
  expect(file).toContain(folder);
  const ca = await readFile(file, 'utf8');
  expect(ca).not.toContain('PRIVATE KEY');
  expect((await stat(join(file, '..', 'authority.pem'))).mode & 0o777).toBe(0o600);
  expect(await call(twin.origin, ca)).toBe(200);
  expect(await call(twin.origin, ca, 'localhost')).toBe(200);
  expect(await call(other.origin, ca)).toBe(200);
  expect(await call((await startTwin({ tls: true })).origin, ca)).toBe(200);
  const { config } = parseConfig(['--tls'], {});
  const banner = await toBanner(twin, config as NonNullable<typeof config>);
  expect(banner).toContain(
    `NODE_EXTRA_CA_CERTS=${file}, curl --cacert ${file}, SSL_CERT_FILE=${file}`,
  );
  expect(banner).toContain(`curl --cacert ${file} `);
});

it('issues by the authority that is given, and for the names that are allowed', async () => {
  const folder = await openFolder();
  const domainCa = join(folder, 'ca.pem');
  const allowedHosts = ['twin.localhost'];
  const twin = await startTwin({ tls: true, domainCa, allowedHosts });
  expect(twin.authorityFile).toBe(domainCa);
  const ca = await readFile(domainCa, 'utf8');
  expect(await call(twin.origin, ca)).toBe(200);
  expect(twin.certificate).toContain('BEGIN CERTIFICATE');
  expect(await call((await startTwin({ tls: true })).origin, ca)).not.toBe(200);
});

it('says why the authority cannot be used', async () => {
  const folder = await openFolder();
  await writeFile(join(folder, 'file'), '');
  keepIn(join(folder, 'file'));
  await expect(startTwin({ tls: true })).rejects.toThrow(
    /^--tls, whose authority is .+authority\.pem, cannot be made: /,
  );
});
