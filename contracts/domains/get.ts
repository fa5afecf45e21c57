import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { explainConnection } from '../cli/explain-connection.ts';
import { readVersion } from '../cli/read-version.ts';
import type { ReportedExchange } from '../report/events.ts';
import { tlsOptions } from './connect.ts';
import { httpPort, httpsPort } from './domain-name.ts';

export type GetOptions = {
  /** Tried in this order until one answers. */
  addresses: readonly string[];
  /** The wait for the head of a response, in milliseconds. */
  timeout: number;
  /** What the request is made for. */
  purpose: string;
  /** Aborted when there is no time left for the domain. */
  signal: AbortSignal;
};

/** A name may have thousands of addresses, each of which may let a request wait. */
export const maxAddresses = 8;

/** GETs an address of the web from a server that the name need not lead to; bodies are not read. */
export async function get(
  url: URL,
  { addresses, timeout, purpose, signal }: GetOptions,
): Promise<ReportedExchange> {
  const request = { method: 'GET', url: url.href, headers: {} };
  const failures: string[] = [];
  for (const address of addresses.slice(0, maxAddresses)) {
    const response = await getFrom(address, url, { timeout, signal });
    if (typeof response === 'object') return { case: purpose, request, response };
    const [what, ...advice] = explainConnection(response).split('; ');
    failures.push([`${what} at ${address}`, ...advice].join('; '));
  }
  return { case: purpose, request, failure: failures.join('; ') || 'it has no address' };
}

/** The response, or why there is none. */
function getFrom(
  address: string,
  url: URL,
  { timeout, signal }: Pick<GetOptions, 'timeout' | 'signal'>,
): Promise<NonNullable<ReportedExchange['response']> | string> {
  const { promise, resolve } = Promise.withResolvers<
    NonNullable<ReportedExchange['response']> | string
  >();
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
  const timer = setTimeout(() => resolve(`no response within ${timeout} ms`), timeout);
  call.on('response', ({ statusCode: status = 0, rawHeaders }) => {
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    resolve({ status, headers, body: '' });
  });
  call.on('error', ({ code, message }: NodeJS.ErrnoException) =>
    resolve(signal.aborted ? 'no response within the time for the domain' : (code ?? message)),
  );
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
