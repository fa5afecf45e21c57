import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { ReceivedAnswer } from './judge-answer.ts';

/** A request; its target is below the base path of the server. */
export type Call = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
};

export const noAnswer: ReceivedAnswer = { status: 0, mediaType: '', text: '' };

/**
 * Sends a call, even one that fetch would not send (a GET with a body) or not show (a 407). Throws
 * if no response comes.
 */
export async function send(
  base: string,
  { method, target, headers, body }: Call,
  signal?: AbortSignal,
): Promise<ReceivedAnswer> {
  // A server may close a connection that was kept alive just as the next call is sent.
  const sent = request(base + target, {
    method,
    // Without it, Node sends the body of a DELETE or a GET as if it were another request.
    headers:
      body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
    agent: false,
    ...(signal && { signal }),
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const type = response.headers['content-type'] ?? '';
  return {
    status: response.statusCode ?? 0,
    mediaType: (type.split(';')[0] ?? '').trim().toLowerCase(),
    text: await readText(response),
  };
}
