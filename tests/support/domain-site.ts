import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { projectFile } from './twin.ts';

/** The certificates that a site can show; the key of all of them is public, and for tests alone. */
export type CertificateName =
  | 'good'
  | 'expired'
  | 'early'
  | 'other-name'
  | 'self-signed'
  | 'without-intermediate'
  | 'with-intermediate';

const fileOf = (name: string) => projectFile(`tests/support/tls/domains/test-only-${name}.pem`);

/** The authorities of those certificates. */
export const authoritiesFile = fileOf('authorities');

/** What a site answers by the host of a request; 404 to any other. */
export type Sites = Record<string, { status: number; location?: string }>;

export type DomainSite = { port: number; requests: string[] };

/** A server over TLS that shows the certificate until the test ends. */
export async function startSite(
  certificate: CertificateName,
  { sites = {}, address = '127.0.0.1' }: { sites?: Sites; address?: string } = {},
): Promise<DomainSite> {
  const requests: string[] = [];
  const answer: RequestListener = ({ method, headers, url }: IncomingMessage, response) => {
    requests.push(`${method} ${headers.host}${url}`);
    const { status, location } = sites[headers.host?.split(':')[0] ?? ''] ?? { status: 404 };
    const port = (server.address() as AddressInfo).port;
    const place = location?.replace('PORT', String(port));
    response.writeHead(status, place === undefined ? {} : { location: place }).end('page');
  };
  const server = createServer(
    { cert: readFileSync(fileOf(certificate)), key: readFileSync(fileOf('key')) },
    answer,
  );
  await once(server.listen(0, address), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}
