import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { explainUntrusted } from '../../../contracts/cli/untrusted-certificate.ts';
import { probe } from '../../../contracts/dredd/target.ts';
import { send } from '../../../contracts/run/http/target.ts';
import { projectFile } from '../../support/twin.ts';

/** The URL of a server with a certificate of an authority that is not trusted here. */
async function startServer(): Promise<string> {
  const read = (name: string) =>
    readFileSync(projectFile(`tests/support/tls/domains/test-only-${name}.pem`));
  const server = createServer({ cert: read('good'), key: read('key') }, (_, response) =>
    response.end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

it('takes a certificate without its authority for one that is not trusted', async () => {
  const url = await startServer();
  const message = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
  const { failure } = await send(url, { method: 'GET', path: '/', headers: {} }, { timeout: 5000 });
  expect(failure).toEqual({ kind: 'unreachable', message });
  const none = { operations: [] } as unknown as Parameters<typeof probe>[0];
  await expect(probe(none, { url, key: undefined, timeout: 5000 })).rejects.toThrow(
    `${url} has a certificate that this machine does not trust (${message}). Set NODE_EXTRA_CA_CERTS to a file that contains it or its authority.`,
  );
});

it.each([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'this machine does not trust'],
])('says of %s that the certificate %s', (code, problem) => {
  expect(explainUntrusted(code).problem).toBe(problem);
});
