import { once } from 'node:events';
import { request as sendRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { ca, fetchOverTls, forLocalhost } from '../../support/tls.ts';
import { startTwin } from '../../support/twin.ts';

const name = 'docs.example.com';

it('shows a certificate of the authority for active domains and redirects, and its own for others', async () => {
  const twin = await startTwin(forLocalhost);
  const { port } = new URL(twin.origin);
  const admin = async (method: string, path: string, body?: object) =>
    (
      await fetchOverTls(`https://localhost:${port}/__admin/${path}`, {
        method,
        ...(body && {
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json' },
        }),
      })
    ).text;
  /** The name in the certificate that is shown for a host, and the answer. */
  const visit = async (host: string, trusted: string) => {
    const call = sendRequest({
      host: '127.0.0.1',
      port,
      path: '/a',
      servername: host,
      ca: trusted,
      agent: false,
      headers: { Host: `${host}:${port}` },
    });
    call.end();
    const [response] = await once(call, 'response');
    const { subject } = (response.socket as TLSSocket).getPeerCertificate();
    await text(response);
    return { subject: subject.CN, status: response.statusCode, to: response.headers.location };
  };
  const authority = await admin('GET', 'domains/ca.pem');
  await expect(visit(name, authority)).rejects.toThrow();

  await admin('PUT', 'clock', { action: 'freeze', instant: '2030-01-01T00:00:00Z' });
  const project = { plan: 'pro', deploy: 'succeeded', propagationHours: 0, issuanceMinutes: 0 };
  await admin('PUT', 'project', project);
  await admin('POST', 'domains', { domain: name });
  const record = { name, type: 'CNAME', value: 'domains.petstore.example' };
  await admin('PUT', 'dns', { records: [record] });
  await expect(visit(name, authority)).rejects.toThrow();
  await admin('PUT', 'clock', { action: 'advance', durationMillis: 60_000 });
  await admin('POST', 'redirects', { from: 'old.example.com', to: name });

  expect(await visit(name, authority)).toMatchObject({ subject: name, status: 404 });
  expect(await visit('old.example.com', authority)).toEqual({
    subject: 'old.example.com',
    status: 301,
    to: `https://${name}:${port}/a`,
  });
  await expect(visit(name, ca)).rejects.toThrow();
  expect((await visit('localhost', ca)).status).toBe(404);
  await admin('DELETE', `domains/${name}`);
  await expect(visit(name, authority)).rejects.toThrow();
});
