import type { X509Certificate } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getCACertificates, type TLSSocket } from 'node:tls';
import { explainConnection } from '../../common/cli/explain-connection.ts';
import { readVersion } from '../../common/cli/read-version.ts';
import { toCurl } from '../judging/reported-exchange.ts';
import type { ReportedExchange } from '../report/events.ts';

/** A request for the start page of a site at one of its addresses, and what came of it. */
export type Visit = {
  address: string;
  /** With the response, or why there is none. */
  exchange: ReportedExchange;
  /** What the server showed over TLS, whether it is good or not. */
  certificate?: X509Certificate;
  /** Why a browser would not accept the handshake. */
  fault?: string;
  /** Whether this machine has no way to the address. */
  isOutOfReach: boolean;
};

export type VisitOptions = {
  address: string;
  /** The wait for the head of a response, in milliseconds. */
  timeout: number;
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  ca: readonly string[];
};

const localFailures = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** GETs from a server that the name of the URL need not lead to; bodies are not read. */
export function visit(url: URL, { address, timeout, ca }: VisitOptions): Promise<Visit> {
  const { promise, resolve } = Promise.withResolvers<Visit>();
  const exchange = { case: 'visit', request: { method: 'GET', url: url.href, headers: {} } };
  const isSecure = url.protocol === 'https:';
  const shown: Pick<Visit, 'certificate' | 'fault'> = {};
  const giveUp = (failure: string, isOutOfReach = false) =>
    resolve({ address, ...shown, exchange: { ...exchange, failure }, isOutOfReach });
  const options = {
    host: address,
    port: url.port || (isSecure ? 443 : 80),
    headers: { Host: url.host, Accept: '*/*', 'User-Agent': `petstore-twin/${readVersion()}` },
    agent: false as const,
  };
  // What is wrong with the certificate is a finding, not a failure.
  const trust = { rejectUnauthorized: false, ca: [...getCACertificates('default'), ...ca] };
  const call = isSecure
    ? requestHttps({ ...options, ...trust, servername: url.hostname })
    : requestHttp(options);
  const timer = setTimeout(() => giveUp(`no response within ${timeout} ms`), timeout);
  call.on('socket', (socket) =>
    socket.once('secureConnect', () => {
      const { authorizationError } = socket as TLSSocket;
      const certificate = (socket as TLSSocket).getPeerX509Certificate();
      if (certificate) shown.certificate = certificate;
      if (authorizationError) shown.fault = explainConnection(String(authorizationError));
    }),
  );
  call.on('response', ({ statusCode: status = 0, rawHeaders }) => {
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    const response = { status, headers, body: '' };
    resolve({ address, ...shown, exchange: { ...exchange, response }, isOutOfReach: false });
  });
  call.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    const failure = explainConnection(code || message);
    if (code.startsWith('ERR_SSL') || code === 'EPROTO') shown.fault = failure;
    giveUp(failure, localFailures.includes(code));
  });
  call.end();
  return promise.finally(() => {
    clearTimeout(timer);
    call.destroy();
  });
}

/** Makes a visit again; what is wrong with the certificate hides nothing. */
export function toVisitAgain({ exchange, address }: Visit): string {
  const insecure = exchange.request.url.startsWith('https:') ? ' --insecure' : '';
  return `${toCurl(exchange)}${insecure} --connect-to '::${toHost(address)}:'`;
}

/** An address as URLs have it. */
export function toHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
