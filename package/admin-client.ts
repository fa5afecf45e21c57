import type { RequestOptions, request as requestHttp } from 'node:http';
import { text } from 'node:stream/consumers';
import { membersOf, parseJson } from '../common/json.ts';
import { loadHttps, loadTls, nodeHttp } from '../common/node-http.ts';
import type { Fetch } from '../mock/http/in-process.ts';

/** The address of a twin. */
export type Address = {
  /** Words a message of the twin for who started it; as it is unless given. */
  toMessage?: (message: string) => string;
  /** Scheme, host and port, without a path. */
  origin: string;
  adminToken?: string;
  /** Sends requests to the twin without a socket. */
  fetch?: Fetch;
  /** Certificates to trust besides those that Node trusts, as PEM. */
  ca?: string;
  /** The certificate of the twin itself, whatever host it is for, as PEM. */
  ownCertificate?: string;
};

/**
 * Sends a request to the admin and gives the text of its answer, JSON or nothing. Rejects with a
 * {@link TwinError}.
 */
export type Send = (method: string, path: string, body?: string) => Promise<string>;

/** Calls the admin with a value, sent as JSON, and gives the value of its answer. */
export type CallAdmin = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** The admin of a twin. */
export interface AdminClient {
  /**
   * Returns a sender for the admin of a sandbox: `/sandboxes/NAME`, or nothing for the default one.
   */
  toSend(prefix: string): Send;
  /** Ends its connections. */
  close(): void;
}

/**
 * The twin could not be started or reached, or refused what it was asked; the message says why,
 * `code` is that of the Error object.
 */
export class TwinError extends Error {
  override name = 'TwinError';
  readonly code: string | undefined;

  constructor(
    message: string,
    { code, cause }: { code?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * How long the twin may take to answer, in milliseconds: it may have a snapshot of 64 MiB to take
 * in.
 */
const patience = 30_000;

export function createAdminClient({
  origin,
  adminToken,
  fetch,
  ca,
  ownCertificate,
  toMessage = (message) => message,
}: Address): AdminClient {
  // An import would load TLS too, which hardly a twin speaks.
  const { Agent, request } = origin.startsWith('https:') ? loadHttps() : nodeHttp;
  const agent = new Agent({ keepAlive: true });
  const trust = ownCertificate
    ? { ca: ownCertificate, checkServerIdentity: () => undefined }
    : ca && { ca: [...loadTls().getCACertificates('default'), ca] };
  const toSend = (prefix: string): Send => {
    return async (method, path, body) => {
      const place = `${prefix}/__admin/${path}`;
      const headers = {
        ...(adminToken !== undefined && { Authorization: `Bearer ${adminToken}` }),
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
        }),
      };
      const url = origin + place;
      const options = { method, headers, agent, timeout: patience, ...trust };
      const { status, content } = fetch
        ? await exchangeInProcess(fetch, url, { method, headers, body: body ?? null })
        : await exchange(request, { url, options, body });
      // An answer without content is one of the admin's too.
      const json = content === '' ? {} : parseJson(content);
      if (json !== undefined && status >= 200 && status < 300) return content;
      const { message, code } = membersOf(json) ?? {};
      if (typeof message === 'string')
        throw new TwinError(`The mock refused ${method} ${place}: ${toMessage(message)}`, {
          code: code as string | undefined,
        });
      throw new TwinError(
        `The server at ${origin} is not a twin: it answered ${method} ${place} with ${status}.`,
      );
    };
  };
  return { toSend, close: () => agent.destroy() };
}

/** The last part of a path of the admin. */
export function segment(name: string): string {
  return encodeURIComponent(name);
}

type Call = { url: string; options: RequestOptions; body: string | undefined };

function exchange(
  request: typeof requestHttp,
  { url, options, body = '' }: Call,
): Promise<{ status: number; content: string }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(new TwinError(`There is no twin at ${new URL(url).origin}: ${reasonOf(error)}.`));
    const outgoing = request(url, options, (response) => {
      text(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, content }),
        fail,
      );
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`it did not answer in ${patience / 1000} s`)),
    );
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

async function exchangeInProcess(fetch: Fetch, url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    return { status: response.status, content: await response.text() };
  } catch (error) {
    const { message, cause } = error as TypeError;
    throw new TwinError(`There is no twin: ${cause instanceof Error ? cause.message : message}.`);
  }
}

/** Returns the reason of an error. If several addresses of a host were tried, joins the reasons. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(({ message }) => message).join(', ')
    : error.message;
}
