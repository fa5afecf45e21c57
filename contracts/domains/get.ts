import type { X509Certificate } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type ConnectionOptions, connect, getCACertificates, type TLSSocket } from 'node:tls';
import { explainConnection } from '../cli/explain-connection.ts';
import { readVersion } from '../cli/read-version.ts';
import type { ReportedExchange } from '../report/events.ts';
import { httpPort, httpsPort } from './domain-name.ts';

export type GetOptions = {
  address: string;
  /** The wait for the head of a response, in milliseconds. */
  timeout: number;
  /** What the request is made for. */
  purpose: string;
  /** Aborted when there is no time left for the domain. */
  signal: AbortSignal;
};

/** Why an address gave no response. */
export type Silence = {
  reason: string;
  /** Whether this machine has no way to the address. */
  isLocal: boolean;
  /** Whether it was waited for until there was no time left. */
  isSlow: boolean;
};

/** A request to an address, with its response or why there is none. */
export type Visit = { address: string; exchange: ReportedExchange; silence?: Silence };

/** A name may have thousands of addresses, each of which may let a request wait. */
export const maxAddresses = 8;

/** GETs from a server that the name of the URL need not lead to; bodies are not read. */
export async function get(url: URL, options: GetOptions): Promise<Visit> {
  const { address, purpose } = options;
  const request = { method: 'GET', url: url.href, headers: {} };
  const answer = await getFrom(address, url, options);
  if ('status' in answer)
    return { address, exchange: { case: purpose, request, response: answer } };
  const exchange = { case: purpose, request, failure: answer.reason };
  return { address, exchange, silence: answer };
}

/** The response, or why there is none. */
function getFrom(
  address: string,
  url: URL,
  { timeout, signal }: Pick<GetOptions, 'timeout' | 'signal'>,
): Promise<NonNullable<ReportedExchange['response']> | Silence> {
  const { promise, resolve } = Promise.withResolvers<
    NonNullable<ReportedExchange['response']> | Silence
  >();
  const giveUp = (reason: string) => resolve({ reason, isLocal: false, isSlow: true });
  const isSecure = url.protocol === 'https:';
  const options = {
    host: address,
    port: url.port || (isSecure ? httpsPort : httpPort),
    path: `${url.pathname}${url.search}`,
    headers: { Host: url.host, Accept: '*/*', 'User-Agent': `petstore-twin/${readVersion()}` },
    agent: false as const,
    signal,
  };
  const call = isSecure
    ? requestHttps({ ...options, ...tlsOptions(url.hostname, []) })
    : requestHttp(options);
  const timer = setTimeout(() => giveUp(`no response within ${timeout} ms`), timeout);
  call.on('response', ({ statusCode: status = 0, rawHeaders }) => {
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    resolve({ status, headers, body: '' });
  });
  call.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (signal.aborted) return giveUp('no response within the time for the domain');
    const reason = explainConnection(code ?? message);
    resolve({ reason, isLocal: isLocalFailure(code), isSlow: false });
  });
  call.end();
  return promise.finally(() => {
    clearTimeout(timer);
    call.destroy();
  });
}

/** The value of a header of a response. */
export function headerOf({ response }: ReportedExchange, name: string): string | undefined {
  return response?.headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

/** What a server at an address showed for a name over TLS. */
export type Connection = { address: string } & (
  | {
      outcome: 'connected';
      certificate: X509Certificate;
      /** Why its chain is not trusted, as the code of OpenSSL. */
      chainFault?: string;
    }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unreachable'; reason: string; isLocal: boolean }
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
function isLocalFailure(code: string | undefined): boolean {
  return code !== undefined && localFailures.includes(code);
}

const localFailures = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Shakes hands at an address as a browser that asks for the name would, and sends nothing else. */
export function connectTo(
  address: string,
  { name, port, timeout, ca }: ConnectOptions,
): Promise<Connection> {
  const { promise, resolve } = Promise.withResolvers<Connection>();
  const socket: TLSSocket = connect({ ...tlsOptions(name, ca), host: address, port });
  const unreachable = (reason: string, isLocal = false) =>
    resolve({ address, outcome: 'unreachable', reason, isLocal });
  const timer = setTimeout(() => unreachable(`no handshake within ${timeout} ms`), timeout);
  socket.on('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined)
      return resolve({ address, outcome: 'refused', reason: 'the server shows no certificate' });
    const fault = socket.authorizationError as unknown as string | null;
    resolve({ address, outcome: 'connected', certificate, ...(fault && { chainFault: fault }) });
  });
  socket.on('error', (error: NodeJS.ErrnoException & { reason?: string }) => {
    const { code, message, reason } = error;
    const isTls = code?.startsWith('ERR_SSL') || code === 'EPROTO';
    if (isTls) resolve({ address, outcome: 'refused', reason: reason ?? message });
    else unreachable(explainConnection(code ?? message), isLocalFailure(code));
  });
  socket.on('close', () => unreachable('the connection was closed'));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** Connects whatever the certificate is: what is wrong with it is a finding, not a failure. */
function tlsOptions(name: string, ca: readonly string[]): ConnectionOptions {
  return {
    servername: name,
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ...(ca.length > 0 && { ca: [...getCACertificates('default'), ...ca] }),
  };
}
