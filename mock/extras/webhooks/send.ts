import { lookup as lookupHost } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { toExcerpt } from '../../../common/look/visible.ts';
import { isSuccess } from '../../../common/success.ts';

/** A request of the twin to a receiver. */
export type WebhookRequest = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether it did not answer in time before. */
  wasLate?: boolean;
};

/** How a try ended: with a status and the beginning of the answer, or with what was wrong. */
export type Outcome = {
  status?: number;
  answer?: string;
  /** The end of a sentence; undefined where the status is 2xx. */
  problem?: string;
  /** Whether the receiver is one that the twin may not call, so that nothing was sent. */
  isRefused?: true;
  /** Whether the receiver did not answer in time. */
  isLate?: true;
};

export type SendOptions = {
  /** The hosts besides loopback that webhooks may be sent to. */
  hosts: readonly string[];
  /** Ends a try that takes this many seconds. */
  timeout?: (seconds: number) => AbortSignal;
  /** Finds the addresses of a host. */
  lookup?: typeof lookupHost;
};

export type Send = (outgoing: WebhookRequest) => Promise<Outcome>;

/** How much of an answer is read, in bytes, and how much is retained, in UTF-16 units. */
const maxRead = 65_536;
const maxRetained = 1000;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

class RefusedError extends Error {}

/**
 * Creates a sender of webhooks to this machine and to `hosts`. Other names must resolve to this
 * machine when the connection is made. Redirects are not followed.
 */
export function createSend({ hosts, timeout = after, lookup = lookupHost }: SendOptions): Send {
  const lookupLoopback: LookupFunction = (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, addresses = []) => {
      const other = addresses.find(({ address }) => !isLoopback(address));
      const refusal = other && new RefusedError(refusalOf(host, `, which is ${other.address}`));
      if (error ?? refusal) return callback(error ?? (refusal as Error), []);
      if (options.all) return callback(null, addresses);
      callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  return async ({ method, url, headers, body, wasLate }) => {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      return { isRefused: true, problem: 'its URL must begin with http:// or https://' };
    const { hostname, protocol } = new URL(url);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const isNamed = hosts.includes(host);
    if (!isNamed && isIP(host) !== 0 && !isLoopback(host))
      return { isRefused: true, problem: refusalOf(host) };
    const { request } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
    // A clock that is moved by days waits for all tries.
    const seconds = wasLate ? 1 : 5;
    const signal = timeout(seconds);
    const options = {
      method,
      headers,
      signal,
      agent: false,
      ...(!isNamed && { lookup: lookupLoopback }),
    };
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const fail = () => reject(new Error('it was closed without an answer'));
        const sent = request(url, options, (response) => {
          sent.off('close', fail);
          readAnswer(response).then(resolve, reject);
        });
        sent.on('upgrade', (_, socket) => {
          socket.destroy();
          resolve({ status: 101, problem: 'the receiver answered 101' });
        });
        sent.on('error', reject).on('close', fail).end(body);
      });
    } catch (error) {
      if (error instanceof RefusedError) return { isRefused: true, problem: error.message };
      if (!signal.aborted) return { problem: whyFailed(error as Error) };
      return { isLate: true, problem: `the receiver did not answer within ${seconds} s` };
    }
  };
}

function after(seconds: number): AbortSignal {
  return AbortSignal.timeout(seconds * 1000);
}

function refusalOf(host: string, because = ''): string {
  return `webhooks are sent to this machine only, and not to ${host}${because}; --webhook-hosts ${host} allows it`;
}

async function readAnswer(response: IncomingMessage): Promise<Outcome> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxRead) break;
  }
  const answer = Buffer.concat(chunks).toString().slice(0, maxRetained);
  const problem = problemOf(status, headers.location);
  const isLong =
    length > maxRead &&
    `the receiver answered ${status} with more than 64 KiB, of which the rest was not read`;
  return { status, answer, ...(problem ? { problem } : isLong && { problem: isLong }) };
}

function problemOf(status: number, location: string | undefined): string | undefined {
  if (isSuccess({ status })) return undefined;
  if (status === 410)
    return 'the receiver answered 410, and gets no more webhooks until the next reset';
  // A query may hold secrets.
  const [shown = ''] = (location ?? '').split('?', 1);
  if (status >= 300 && status < 400)
    return `the receiver answered ${status}${shown ? ` with ${toExcerpt(shown, 200)}` : ''}, and redirects are not followed; give the final URL`;
  return `the receiver answered ${status}`;
}

function whyFailed(error: NodeJS.ErrnoException): string {
  const { code, message } = error;
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  return `the connection failed (${code ?? message})`;
}
