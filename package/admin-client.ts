import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

/** Where a twin is. */
export type Address = {
  /** Scheme, host and port, without a path. */
  origin: string;
  adminToken?: string;
  /** Certificates to trust besides those of the system, as PEM. */
  ca?: string;
};

/** Sends a request to the admin and gives the text of its answer. Rejects with a {@link TwinError}. */
export type Send = (method: string, path: string, body?: string) => Promise<string>;

/** The twin could not be reached, or refused what it was asked; the message says why. */
export class TwinError extends Error {
  override name = 'TwinError';
}

/** A client of the admin of a sandbox, which `prefix` names: `/sandboxes/NAME`, or nothing for the default one. */
export function createSend({ origin, adminToken, ca }: Address, prefix: string): Send {
  const request = origin.startsWith('https:') ? requestHttps : requestHttp;
  return async (method, path, body) => {
    const place = `${prefix}/__admin/${path}`;
    const headers = {
      ...(adminToken !== undefined && { Authorization: `Bearer ${adminToken}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    };
    const { status, content } = await exchange(
      request,
      origin + place,
      { method, headers, ...(ca !== undefined && { ca }) },
      body,
    );
    if (status < 400) return content;
    throw new TwinError(`The twin refused ${method} ${place}: ${messageOf(content) ?? `status ${status}.`}`);
  };
}

/** The last part of a path of the admin. */
export function segment(name: string): string {
  return encodeURIComponent(name);
}

function exchange(
  request: typeof requestHttp,
  url: string,
  options: RequestOptions,
  body = '',
): Promise<{ status: number; content: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      text(response).then((content) => resolve({ status: response.statusCode ?? 0, content }), reject);
    });
    outgoing.on('error', (error) => reject(new TwinError(`There is no twin at ${new URL(url).origin}: ${reasonOf(error)}.`)));
    outgoing.end(body);
  });
}

/** Where each address of a host was tried, the error itself says nothing. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message;
}

function messageOf(content: string): string | undefined {
  try {
    return JSON.parse(content).message;
  } catch {
    return undefined;
  }
}
