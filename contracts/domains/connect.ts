import type { X509Certificate } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, getCACertificates } from 'node:tls';
import { explainConnection } from '../cli/explain-connection.ts';
import { readVersion } from '../cli/read-version.ts';
import type { ReportedExchange } from '../report/events.ts';
import { httpPort, httpsPort } from './domain-name.ts';
import type { Silence } from './ruling.ts';

/** What a server at an address showed for a name over TLS. */
export type Connection = { address: string } & (
  | {
      outcome: 'connected';
      certificate: X509Certificate;
      /** Why its chain is not trusted, as the code of OpenSSL. */
      chainFault?: string;
    }
  | { outcome: 'refused'; reason: string }
  | ({ outcome: 'unreachable' } & Silence)
);

type ConnectOptions = {
  name: string;
  port: number;
  /** The wait for a handshake, in milliseconds. */
  timeout: number;
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  ca: readonly string[];
};

/** Whether the code of a failure says that this machine has no way to the address. */
function isLocalFailure(code: string): boolean {
  return ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code);
}

/**
 * Shakes hands at an address as a browser that asks for the name would, and sends nothing else. What
 * is wrong with the certificate is a finding, not a failure.
 */
export function connectTo(
  address: string,
  { name, port, timeout, ca }: ConnectOptions,
): Promise<Connection> {
  const { promise, resolve } = Promise.withResolvers<Connection>();
  const socket = connect({
    ...{ host: address, port, servername: name, rejectUnauthorized: false },
    checkServerIdentity: () => undefined,
    ca: [...getCACertificates('default'), ...ca],
  });
  const unreachable = (reason: string, isLocal = false) =>
    resolve({ outcome: 'unreachable', address, reason, isLocal });
  const timer = setTimeout(() => unreachable(`no handshake within ${timeout} ms`), timeout);
  socket.on('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    const fault = socket.authorizationError as unknown as string | null;
    if (certificate)
      resolve({ address, outcome: 'connected', certificate, ...(fault && { chainFault: fault }) });
    else resolve({ address, outcome: 'refused', reason: 'the server shows no certificate' });
  });
  socket.on('error', (error: NodeJS.ErrnoException & { reason?: string }) => {
    const { code = '', message, reason } = error;
    const isTls = code.startsWith('ERR_SSL') || code === 'EPROTO';
    if (isTls) resolve({ address, outcome: 'refused', reason: reason ?? message });
    else unreachable(explainConnection(code || message), isLocalFailure(code));
  });
  socket.on('close', () => unreachable('the connection was closed'));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** A request to an address, with its response or why there is none. */
export type Visit = {
  address: string;
  exchange: ReportedExchange;
  silence?: Silence & {
    /** Whether it was waited for in vain. */
    isSlow: boolean;
  };
};

type GetOptions = {
  address: string;
  /** The wait for the head of a response, in milliseconds. */
  timeout: number;
  /** What the request is made for. */
  purpose: string;
};

/** GETs from a server that the name of the URL need not lead to; bodies are not read. */
export function get(url: URL, { address, timeout, purpose }: GetOptions): Promise<Visit> {
  const { promise, resolve } = Promise.withResolvers<Visit>();
  const isSecure = url.protocol === 'https:';
  const exchange = { case: purpose, request: { method: 'GET', url: url.href, headers: {} } };
  const giveUp = (reason: string, { isLocal = false, isSlow = false } = {}) =>
    resolve({
      address,
      exchange: { ...exchange, failure: reason },
      silence: { address, reason, isLocal, isSlow },
    });
  const options = {
    host: address,
    port: url.port || (isSecure ? httpsPort : httpPort),
    path: `${url.pathname}${url.search}`,
    headers: { Host: url.host, Accept: '*/*', 'User-Agent': `petstore-twin/${readVersion()}` },
    agent: false as const,
  };
  const call = isSecure
    ? requestHttps({ ...options, servername: url.hostname, rejectUnauthorized: false })
    : requestHttp(options);
  const timer = setTimeout(
    () => giveUp(`no response within ${timeout} ms`, { isSlow: true }),
    timeout,
  );
  call.on('response', ({ statusCode: status = 0, rawHeaders }) => {
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    resolve({ address, exchange: { ...exchange, response: { status, headers, body: '' } } });
  });
  call.on('error', ({ code = '', message }: NodeJS.ErrnoException) =>
    giveUp(explainConnection(code || message), { isLocal: isLocalFailure(code) }),
  );
  call.end();
  return promise.finally(() => {
    clearTimeout(timer);
    call.destroy();
  });
}

/** An address as URLs have it. */
export function toHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
