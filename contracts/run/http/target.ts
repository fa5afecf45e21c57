import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  maxHeaderSize,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { explainConnection, isOfTls } from '../../../common/cli/explain-connection.ts';
import { toPairs } from '../../../common/http/forward.ts';
import { toEssence } from '../../../common/media-type.ts';
import { type Body, readBody } from '../../transcript/body.ts';
import type { Failure, ReceivedResponse } from '../../transcript/exchange.ts';
import { now } from '../wait.ts';
import { decode, TooLarge, toTooLarge } from './decode.ts';

export type HttpRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
};

export type HttpResult =
  | { response: ReceivedResponse; failure?: never }
  | { response?: never; failure: Failure };

/**
 * An exchange as it passed: headers in order, bodies in bytes, still encoded. Times are in Unix
 * milliseconds.
 */
export type PassedExchange = {
  request: { method: string; url: string; headers: Header[]; body?: { bytes: Uint8Array } };
  response?: { status: number; headers: Header[]; body: { bytes: Uint8Array } };
  failure?: Failure;
  sentAt: number;
  endedAt: number;
  /** The secrets that the run made up for the request. */
  secrets?: readonly string[];
};

type Header = [name: string, value: string];

export type SendOptions = {
  /** Bounds the whole exchange, in milliseconds. */
  timeout: number;
  /** When it aborts, the request is cut off, which is a failure like any other. */
  cutOff?: AbortSignal | undefined;
  read?: (bytes: Uint8Array) => Body;
  /** Called with the exchange as it passed, keys included. */
  onPassed?: ((exchange: PassedExchange) => void) | undefined;
};

const largestBody = 8 * 1024 * 1024;

/** How long a stream of items, which may never end, is read, in milliseconds. */
const streamTime = 1500;

/**
 * Sends one request on its own connection and follows no redirect, so that a dropped connection is
 * the fault of the target. Never throws: an error is a failure in the result.
 */
export function send(
  baseUrl: string,
  { method, path, headers, body }: HttpRequest,
  { timeout, cutOff, read = readBody, onPassed }: SendOptions,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      cutOff?.removeEventListener('abort', cut);
    };
    const sentAt = now();
    let response: PassedExchange['response'];
    const settle = (result: HttpResult) => {
      resolve(result);
      if (!onPassed) return;
      const request = toPassedRequest(baseUrl + path, outgoing, body);
      const { failure } = result;
      const came = { ...(response && { response }), ...(failure && { failure }) };
      onPassed({ request, ...came, sentAt, endedAt: now() });
      onPassed = undefined;
    };
    const fail = (kind: Failure['kind'], message: string) => {
      stopWaiting();
      settle({ failure: { kind, message } });
      outgoing.destroy();
    };
    const cut = () => fail('dropped', 'cut off, as the run was interrupted');
    const open = baseUrl.startsWith('https:') ? httpsRequest : httpRequest;
    const outgoing = open(baseUrl + path, {
      method,
      agent: false,
      headers: {
        Accept: 'application/json',
        ...headers,
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      },
    });
    const timer = setTimeout(() => fail('timeout', toSlow(timeout)), timeout);
    cutOff?.addEventListener('abort', cut);
    outgoing.on('error', (error: NodeJS.ErrnoException) => fail(...toFailure(error)));
    outgoing.on('upgrade', () =>
      fail('not-http', 'a switch to another protocol that was not requested (101)'),
    );
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > largestBody) fail('too-large', toTooLarge(largestBody));
      });
      const streamed = setTimeout(() => isStream(incoming) && endStream(), streamTime);
      incoming.on('close', () => clearTimeout(streamed));
      incoming.on('error', (error: NodeJS.ErrnoException) => {
        const [kind, message] = toFailure(error);
        if (kind !== 'dropped') return fail(kind, message);
        const why = `the connection ended within the body (${error.code ?? error.message})`;
        fail('cut-off', `${incoming.statusCode}, and then ${why}`);
      });
      const end = async (raw: Buffer) => {
        stopWaiting();
        const { statusCode: status = 0 } = incoming;
        const headers = toPairs(incoming.rawHeaders);
        response = { status, headers, body: { bytes: raw } };
        try {
          const bytes = await decode(raw, incoming.headers['content-encoding'], largestBody);
          settle({ response: { status, headers, ...read(bytes) } });
        } catch (error) {
          if (error instanceof TooLarge) fail('too-large', error.message);
          else fail('undecodable', 'the body does not match its Content-Encoding');
        }
      };
      const endStream = () => {
        incoming.removeAllListeners('error').on('error', () => {});
        incoming.removeAllListeners('end');
        end(Buffer.concat(chunks)).then(() => outgoing.destroy());
      };
      incoming.on('end', () => end(Buffer.concat(chunks)));
    });
    outgoing.end(body);
  });
}

/** Whether an answer is a sequence of items that are sent as they come, and may never end. */
function isStream({ headers }: IncomingMessage): boolean {
  return /^(text\/event-stream|application\/(jsonl|x-ndjson|json-seq))$/.test(
    toEssence(headers['content-type'] ?? ''),
  );
}

/** The interface states no time limit, so the advice is to allow more time. */
function toSlow(timeout: number): string {
  return `no complete answer within ${timeout / 1000} s; try --timeout ${Math.max(30_000, timeout * 4)}`;
}

function toPassedRequest(
  url: string,
  outgoing: ClientRequest,
  body: HttpRequest['body'],
): PassedExchange['request'] {
  return {
    method: outgoing.method,
    url,
    headers: outgoing
      .getRawHeaderNames()
      .flatMap((name) =>
        [outgoing.getHeader(name) ?? []].flat().map((value): Header => [name, String(value)]),
      ),
    ...(body !== undefined && { body: { bytes: Buffer.from(body) } }),
  };
}

/** Returns the kind of a connection error, with the reason in words. */
function toFailure({
  code = '',
  message,
}: NodeJS.ErrnoException): [kind: Failure['kind'], message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['too-large', `an answer with headers of more than ${maxHeaderSize / 1024} KiB`];
  return [kindOf(code), explainConnection(code || message)];
}

function kindOf(code: string): Failure['kind'] {
  if (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code) ||
    isOfTls(code)
  )
    return 'unreachable';
  return code.startsWith('HPE_') ? 'not-http' : 'dropped';
}
