import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { projectFile } from './twin.ts';

/**
 * Files of a certificate for localhost and of its key; both are public, and good for tests alone.
 */
export const forLocalhost = {
  tlsCert: projectFile('tests/support/tls/test-only-localhost-cert.pem'),
  tlsKey: projectFile('tests/support/tls/test-only-localhost-key.pem'),
};

/** The same of a certificate for another name. */
export const forElsewhere = {
  tlsCert: projectFile('tests/support/tls/test-only-elsewhere-cert.pem'),
  tlsKey: projectFile('tests/support/tls/test-only-elsewhere-key.pem'),
};

/** The certificate for localhost, which signed itself. */
export const ca = readFileSync(forLocalhost.tlsCert, 'utf8');

/** Calls over TLS, on a connection of its own, and trusts the certificate for localhost alone. */
export async function fetchOverTls(
  url: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const call = request(url, { ca, agent: new Agent(), ...options });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: await text(response),
  };
}
