import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, createServer } from 'node:tls';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createAuthority, type IssuedIdentity } from '../../../mock/domains/authority.ts';
import { issueIdentity } from '../../../mock/files/own-identity.ts';
import { readDomainCa } from '../../../mock/files/read-identity.ts';
import { toBanner } from '../../../mock/process/banner.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startTwin } from '../../support/twin.ts';

afterEach(() => void vi.unstubAllEnvs());

function keepIn(folder: string): void {
  for (const name of ['LOCALAPPDATA', 'XDG_DATA_HOME', 'HOME']) vi.stubEnv(name, folder);
}

/** A folder in which twins keep what is of a user. */
async function openFolder(): Promise<string> {
  const folder = makeFolder();
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

/** Why a client that trusts an authority refuses a server with an identity that it issued. */
async function refusalOf(identity: IssuedIdentity, { servername, ca }: Record<string, string>) {
  const server = createServer(identity, (socket) => socket.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', servername, ca });
  return once(socket, 'secureConnect').then(
    () => undefined,
    ({ message }: Error) => message,
  );
}

it('has an authority for a year that vouches only for names that the twin is called by', async () => {
  const folder = join(await openFolder(), 'petstore-twin');
  const named = { host: '127.0.0.1', allowedHosts: ['twin', '::2'] };
  const { file } = await issueIdentity(named, () => {});
  const domainCa = file.replace('-certificate', '');
  expect(domainCa).not.toBe(join(folder, 'authority.pem'));
  const authority = (await readDomainCa({ domainCa })) as IssuedIdentity;
  const { validTo } = new X509Certificate(authority.cert);
  expect(Date.parse(validTo) - Date.now()).toBeLessThan(366 * 86_400_000);
  const { issue } = createAuthority(authority);
  const ca = authority.cert;
  for (const servername of ['twin', 'a.localhost'])
    expect(await refusalOf(await issue(servername), { servername, ca })).toBeUndefined();
  for (const servername of ['twins', 'example.com'])
    expect(await refusalOf(await issue(servername), { servername, ca })).toBe(
      'permitted subtree violation',
    );
});

it('makes the authority of a user anew when its year is over', async () => {
  await openFolder();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 400 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const named = { host: '127.0.0.1', allowedHosts: [] };
  const { file } = await issueIdentity(named, () => {});
  const before = await readFile(file, 'utf8');
  vi.useRealTimers();
  await issueIdentity(named, () => {});
  expect(await readFile(file, 'utf8')).not.toBe(before);
});

it.skipIf(process.platform === 'win32')('warns of a key that others can read', async () => {
  const domainCa = join(await openFolder(), 'ca.pem');
  const warn = vi.fn();
  await readDomainCa({ domainCa }, { warn });
  expect(warn).not.toHaveBeenCalled();
  await chmod(domainCa, 0o640);
  await readDomainCa({ domainCa }, { warn });
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    `--domain-ca ${domainCa} holds a key that others can read. Whoever trusts it trusts them. Run: chmod 600 ${domainCa}`,
  );
});

it('says why the authority cannot be used', async () => {
  const folder = await openFolder();
  await writeFile(join(folder, 'file'), '');
  keepIn(join(folder, 'file'));
  await expect(startTwin({ tls: true })).rejects.toThrow(
    /^--tls, whose authority is .+authority\.pem, cannot be made: /,
  );
});
