import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAuthority } from '../../../mock/domains/authority.ts';
import { readDomainCa } from '../../../mock/files/read-identity.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { forLocalhost } from '../../support/tls.ts';
import { startTwin } from '../../support/twin.ts';

async function openFolder(): Promise<string> {
  const folder = makeFolder();
  return folder;
}

const showAuthority = async ({ origin }: { origin: string }) =>
  (await fetch(`${origin}/__admin/domains/ca.pem`)).text();

it('makes the file of an authority once, which twins share and keep', async () => {
  const folder = await openFolder();
  const domainCa = join(folder, 'ca.pem');
  const [left, right] = await Promise.all([startTwin({ domainCa }), startTwin({ domainCa })]);
  const certificate = await showAuthority(left);
  expect(await showAuthority(right)).toBe(certificate);
  expect(await readdir(folder)).toEqual(['ca.pem']);
  expect((await stat(domainCa)).mode & 0o777).toBe(0o600);
  expect(await readFile(domainCa, 'utf8')).toContain(certificate);
  const later = await startTwin({ domainCa });
  expect(await showAuthority(later)).toBe(certificate);
  expect(certificate).not.toContain('PRIVATE KEY');
  // Without the file, each has its own.
  expect(await showAuthority(await startTwin())).not.toBe(certificate);

  const { cert } = await createAuthority(await readDomainCa({ domainCa })).issue(
    'docs.example.com',
  );
  const issued = new X509Certificate(cert);
  expect(issued.checkHost('docs.example.com')).toBe('docs.example.com');
  const own = new X509Certificate(certificate);
  expect(issued.checkIssued(own)).toBe(true);
  expect(issued.verify(own.publicKey)).toBe(true);
});

it('says what is wrong with the file of an authority', async () => {
  const folder = await openFolder();
  const [cert, key] = await Promise.all(
    [forLocalhost.tlsCert, forLocalhost.tlsKey].map((file) => readFile(file, 'utf8')),
  );
  const messageOf = async (text?: string, name = 'ca.pem') => {
    const domainCa = join(folder, name);
    if (text !== undefined) await writeFile(domainCa, text);
    const error = await readDomainCa({ domainCa }).catch((reason: Error) => reason);
    return (error as Error).message.replaceAll(folder, '');
  };
  expect(await messageOf('nothing')).toMatch(
    /^--domain-ca \/ca\.pem contains no PEM certificate \(/,
  );
  expect(await messageOf(cert)).toMatch(/^--domain-ca \/ca\.pem contains no PEM private key \(/);
  expect(await messageOf(`${cert}${key}`)).toBe(
    '--domain-ca /ca.pem must have an RSA key, but has one of ec.',
  );
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('1990-01-01') });
  onTestFinished(() => void vi.useRealTimers());
  await readDomainCa({ domainCa: join(folder, 'old.pem') });
  vi.useRealTimers();
  expect(await messageOf(undefined, 'old.pem')).toMatch(
    /^--domain-ca \/old\.pem has a certificate that is valid from .+ to .+\. Remove the file/,
  );
  expect(await messageOf(undefined, 'none/ca.pem')).toMatch(/ca\.pem cannot be made: ENOENT/);
  expect(await messageOf(undefined, 'ca.pem/ca.pem')).toMatch(/ca\.pem cannot be read: ENOTDIR/);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const locked = { type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
    expect(await messageOf(`${cert}${privateKey.export(locked)}`)).toBe(
      '--domain-ca /ca.pem has an encrypted key. Write certificate and key without a passphrase: (openssl x509 -in /ca.pem; openssl pkey -in /ca.pem) > plain.pem',
    );
  }
});
