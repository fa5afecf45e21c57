import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { explainConnection } from '../cli/explain-connection.ts';
import { readVersion } from '../cli/read-version.ts';
import type { ReportedExchange } from '../report/events.ts';
import { isLocalFailure, tlsOptions } from './connect.ts';
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
