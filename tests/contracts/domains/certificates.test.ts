import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseSite } from '../../../contracts/domains/read-what.ts';
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

it('says what is wrong with a certificate, and trusts no authority that it is not told to', async () => {
  const wrong: [CertificateName, string][] = [
    ['expired', 'the certificate has expired (CERT_HAS_EXPIRED); renew it'],
    ['early', 'the certificate is not valid yet (CERT_NOT_YET_VALID)'],
    ['other-name', 'the certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)'],
    ['self-signed', 'the certificate is not trusted on this machine (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['without-intermediate', 'is not trusted on this machine (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  ];
  for (const [name, actual] of wrong)
    expect(await certificateRuling(name), name).toMatchObject({
      verdict: 'drift',
      message: `${docs} has no certificate that is good for it`,
      actual: expect.stringContaining(actual),
      again: expect.stringMatching(/^openssl s_client -connect '127\.0\.0\.1:\d+' -servername /),
    });
  expect(await certificateRuling('good', [])).toMatchObject({
    actual: expect.stringContaining('not trusted'),
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
    const names = [parseSite(`${docs}:${port}`)];
    return rulingOf(await check([], { names, timeout }), 'certificate');
  };
  expect(await rule(portOf(plain))).toMatchObject({
    verdict: 'drift',
    actual: expect.stringMatching(/does not speak TLS|TLS handshake/),
  });
  expect(await rule(portOf(silent), 150)).toMatchObject({
    verdict: 'unanswered',
    message: `1 of 1 addresses of ${docs} did not answer`,
    actual: '127.0.0.1: no response within 150 ms',
  });
  expect(await rule(await findFreePort())).toMatchObject({
    verdict: 'unanswered',
    actual: `127.0.0.1: ${refused}`,
  });
});

const caa = (value: string, more: Partial<ZoneRecord & { type: 'CAA' }> = {}): ZoneRecord => ({
  ...{ name: 'example.test', type: 'CAA', tag: 'issue', value },
  ...more,
});

async function caaRuling(
  records: readonly ZoneRecord[],
  options: { authority?: string } = { authority: 'authority.test' },
) {
  const { check } = await startStand({ records: [...standing, ...records] });
  return rulingOf(await check([docs], options), 'caa');
}

it('climbs to the CAA records that hold for a name, along its aliases', async () => {
  expect(await caaRuling([caa('authority.test; policy=ev')])).toEqual({ verdict: 'kept' });
  expect(await caaRuling([caa('other.test')])).toMatchObject({
    verdict: 'drift',
    message: `The CAA records of example.test let no authority of the platform issue a certificate for ${docs}`,
    expected: 'records that allow authority.test',
    actual: '0 issue "other.test"',
    again: expect.stringMatching(/ example\.test CAA$/),
  });
  // The records at the end of an alias come before those of parents, and hide them.
  const atPlatform = caa('authority.test', { name: platform });
  expect(await caaRuling([caa('other.test'), atPlatform])).toEqual({ verdict: 'kept' });
  expect(await caaRuling([caa('AUTHORITY.test'), caa('other.test')])).toEqual({ verdict: 'kept' });
  // Those of a public suffix hold for nobody.
  expect(await caaRuling([caa('other.test', { name: 'test' })])).toEqual({ verdict: 'kept' });
});

it('knows records that forbid everybody or nobody, and else needs to be told the authority', async () => {
  expect(await caaRuling([caa(';')], {})).toMatchObject({ verdict: 'drift' });
  expect(await caaRuling([caa('mailto:a@example.test', { tag: 'iodef' })])).toEqual({
    verdict: 'kept',
  });
  expect(await caaRuling([caa('other.test')], {})).toEqual({
    verdict: 'inconclusive',
    reason:
      'example.test allows other.test; --authority says what the authority of the platform calls itself',
  });
});
