import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { explainConnection } from '../../../common/cli/explain-connection.ts';
import { send } from '../../../contracts/run/http/target.ts';
import { projectFile } from '../../support/twin.ts';

/** The URL of a server with a certificate of an authority that is not trusted here. */
async function startServer(): Promise<string> {
  const read = (name: string) =>
    readFileSync(projectFile(`tests/support/tls/test-only-untrusted-${name}.pem`));
  const server = createServer({ cert: read('cert'), key: read('key') }, (_, response) =>
    response.end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

it('says of a certificate without its authority what to do', async () => {
  const url = await startServer();
  const message = explainConnection('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  const { failure } = await send(url, { method: 'GET', path: '/', headers: {} }, { timeout: 5000 });
  expect(failure).toEqual({ kind: 'unreachable', message });
});

it('takes a server without TLS for one that cannot be reached', async () => {
  const server = createPlainServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { failure } = await send(url, { method: 'GET', path: '/', headers: {} }, { timeout: 5000 });
  expect(failure).toEqual({
    kind: 'unreachable',
    message: expect.stringMatching(
      /^the server does not speak TLS at this port \(\w+\); check the /,
    ),
  });
});

const trust = 'set NODE_EXTRA_CA_CERTS to a file that contains it or its authority';

it.each([
  ['ECONNRESET', 'the connection ended before a complete answer (ECONNRESET)'],
  ['ENOTFOUND', 'the host name has no address (ENOTFOUND); check its spelling'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired (CERT_HAS_EXPIRED); renew it'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    `the certificate is not trusted on this machine (DEPTH_ZERO_SELF_SIGNED_CERT); ${trust}`,
  ],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'the server refused the TLS handshake (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED); check what it requires of clients, such as a certificate or a TLS version',
  ],
])('says in plain words what %s means', (code, text) => {
  expect(explainConnection(code)).toBe(text);
});
