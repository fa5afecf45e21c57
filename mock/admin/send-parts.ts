import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends the parts of a JSON text, each made once the client has taken those before it. */
export async function sendParts(
  response: ServerResponse,
  parts: Iterable<string | Buffer>,
): Promise<void> {
  response.writeHead(200, ['Content-Type', 'application/json', 'Cache-Control', 'no-store']);
  if (response.req.method === 'HEAD') return void response.end();
  try {
    await pipeline(Readable.from(parts, { highWaterMark: 1 }), response);
  } catch (error) {
    // The client has left.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
