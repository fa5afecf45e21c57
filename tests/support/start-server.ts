import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOn } from './listen-on.ts';

/** A request as a deployment of a test reads it. */
export type AskedRequest = {
  method: string;
  path: string;
  /** The parts of the path. */
  segments: string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** The object that the body is, if it is JSON and one. */
  sent: Record<string, unknown> | undefined;
};

/** An answer; its body is sent as JSON, unless it is bytes. */
export type Reply = { status: number; body?: unknown; headers?: OutgoingHttpHeaders };

/** Starts a server that ends with the test, and gives its origin. */
export function startServer(
  answer: (asked: AskedRequest) => Reply | Promise<Reply>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
    const bytes = Buffer.concat(await request.toArray());
    const text = bytes.toString();
    const segments = path.split('/').slice(1);
    const asked = { method, path, segments, query, headers, bytes, text, sent: readObject(text) };
    const { status, body, headers: more } = await answer(asked);
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    response
      .writeHead(status, { ...type, ...more })
      .end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
