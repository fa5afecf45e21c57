import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseDomainName } from '../../../contracts/domains/domain-name.ts';
import type { CertificateName } from '../../support/domain-site.ts';
import { platform, rulingOf, standing, startStand } from '../../support/domain-stand.ts';
import { findFreePort } from '../../support/free-port.ts';
import type { ZoneRecord } from '../../support/zone-server.ts';

const refused =
  'the connection was refused (ECONNREFUSED); check that it is running and that the address is right';

const docs = 'docs.example.test';

async function certificateRuling(certificate: CertificateName, ca?: readonly string[]) {
  const { check } = await startStand({ certificate });
  return rulingOf(await check([docs], ca && { ca }), 'certificate');
}

it('accepts a certificate for the name, and a chain that the server sends', async () => {
  for (const name of ['good', 'with-intermediate'] as const)
    expect(await certificateRuling(name), name).toEqual({ verdict: 'kept' });
});

it('says what is wrong with a certificate', async () => {
  const wrong: [CertificateName, string][] = [
    ['expired', 'it expired on 2025-01-01'],
    ['early', 'it is not valid before 2125-01-01'],
    ['other-name', 'it is not for this name, but for DNS:other.test'],
    ['self-signed', 'it signed itself'],
    [
      'without-intermediate',
      'the server does not send the certificate of its issuer, which is not trusted by itself',
    ],
  ];
  for (const [name, actual] of wrong)
    expect(await certificateRuling(name), name).toMatchObject({
      verdict: 'broken',
      message: `${docs} has no certificate that is good for it`,
      actual,
      again: expect.stringMatching(/^openssl s_client -connect '127\.0\.0\.1:\d+' -servername /),
    });
});

it('names everything that is wrong, and trusts no authority that it is not told to', async () => {
  expect(await certificateRuling('good', [])).toMatchObject({
    actual: expect.stringContaining('not trusted'),
  });
  expect(await certificateRuling('other-name', [])).toMatchObject({
    problems: [
      'it is not for this name, but for DNS:other.test',
      expect.stringContaining('not trusted'),
    ],
  });
});

it('tells a server without a certificate from one that does not answer', async () => {
  const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const silent = createServer();
  for (const server of [plain, silent]) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
  }
  const portOf = (server: typeof plain) => (server.address() as { port: number }).port;
  const { check } = await startStand();
  const rule = async (port: number, timeout = 5000) => {
    const names = [parseDomainName(`${docs}:${port}`)];
    return rulingOf(await check([], { names, timeout }), 'certificate');
  };
  expect(await rule(portOf(plain))).toMatchObject({
    verdict: 'broken',
    actual: expect.stringContaining('127.0.0.1 completes no TLS handshake for it ('),
  });
  expect(await rule(portOf(silent), 150)).toMatchObject({
    verdict: 'unanswered',
    message: `1 of 1 addresses of ${docs} did not answer`,
    actual: '127.0.0.1: no handshake within 150 ms',
  });
  expect(await rule(await findFreePort())).toMatchObject({
    verdict: 'unanswered',
    actual: `127.0.0.1: ${refused}`,
  });
});

it('says how many days are left, and who issued', async () => {
  const { check } = await startStand();
  const { notes } = await check([docs], { now: () => Date.parse('2125-12-22T12:00:00Z') });
  expect(notes).toEqual([
    { id: 'where-it-leads', observed: `${platform}, 127.0.0.1` },
    { id: 'certificate-authority', observed: 'Test Only' },
    { id: 'certificate-days-left', observed: '9, until 2126-01-01' },
    { id: 'caa-records', observed: 'none' },
  ]);
});

const caa = (value: string, more: Partial<ZoneRecord & { type: 'CAA' }> = {}): ZoneRecord => ({
  ...{ name: 'example.test', type: 'CAA', tag: 'issue', value },
  ...more,
});

async function caaRuling(
  records: readonly ZoneRecord[],
  {
    certificate = 'good',
    authority = 'authority.test',
  }: { certificate?: CertificateName; authority?: string | null } = {},
) {
  const { check } = await startStand({ certificate, records: [...standing, ...records] });
  return rulingOf(await check([docs], authority === null ? {} : { authority }), 'caa');
}

it('climbs to the CAA records that hold for a name, along its aliases', async () => {
  expect(await caaRuling([caa('authority.test; policy=ev')])).toEqual({ verdict: 'kept' });
  expect(await caaRuling([caa('other.test')])).toMatchObject({
    verdict: 'broken',
    message: `The CAA records of example.test do not let Test Only issue a certificate for ${docs}`,
    expected: 'records that allow Test Only (authority.test)',
    actual: 'example.test: 0 issue "other.test"',
    again: expect.stringMatching(/ example\.test CAA$/),
  });
  // The records at the end of an alias come before those of parents, and hide them.
  const atPlatform = caa('authority.test', { name: platform });
  expect(await caaRuling([caa('other.test'), atPlatform])).toEqual({ verdict: 'kept' });
  expect(await caaRuling([caa('AUTHORITY.test'), caa('other.test')])).toEqual({ verdict: 'kept' });
  // Those of a public suffix hold for nobody.
  expect(await caaRuling([caa('other.test', { name: 'test' })])).toEqual({ verdict: 'kept' });
});

it('knows records that forbid everybody, and those that forbid nobody', async () => {
  expect(await caaRuling([caa(';')])).toMatchObject({
    message: `The CAA records of example.test do not let Test Only issue a certificate for ${docs}`,
  });
  expect(await caaRuling([caa('mailto:a@example.test', { tag: 'iodef' })])).toEqual({
    verdict: 'kept',
  });
});

it('knows the names of authorities, or is told them', async () => {
  const ofOne = { certificate: 'lets-encrypt', authority: null } as const;
  expect(await caaRuling([caa('letsencrypt.org')], ofOne)).toEqual({ verdict: 'kept' });
  expect(await caaRuling([caa('digicert.com')], ofOne)).toMatchObject({ verdict: 'broken' });
  const unknown = { certificate: 'unknown-authority', authority: null } as const;
  expect(await caaRuling([caa('other.test')], unknown)).toEqual({
    verdict: 'inconclusive',
    reason:
      'example.test allows other.test, and which of them Nobody Knows is, is not known; name it with --authority',
  });
  expect(await caaRuling([caa('other.test')], { ...unknown, authority: 'other.test' })).toEqual({
    verdict: 'kept',
  });
});

it('takes a failing look-up of CAA records for what it is: nobody issues then', async () => {
  const { check } = await startStand({
    zone: { behave: ({ type }) => (type === 'CAA' ? 'SERVFAIL' : undefined) },
  });
  expect(rulingOf(await check([docs]), 'caa')).toMatchObject({
    verdict: 'unanswered',
    actual: expect.stringMatching(/^docs\.example\.test: SERVFAIL from /),
  });
});
