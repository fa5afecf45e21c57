import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FaultName } from '../faults/fault-rules.ts';
import type { Random } from '../faults/random.ts';

/**
 * How long a connection is still read once its answer has failed, in milliseconds, as bytes on
 * their way would reset it.
 */
const lingering = 500;

/** How many random bytes are sent. */
const garbageLength = 64;

/**
 * Breaks the connection instead of answering, once earlier answers on it are sent. `headers` (a
 * flat list of names and values) are used by the one fault that sends a head; `random` draws the
 * bytes that are not HTTP.
 */
export function breakConnection(
  response: ServerResponse,
  fault: FaultName,
  { headers, random }: { headers: readonly string[]; random: Random },
): void {
  const fail = () => {
    const { socket } = response.req;
    switch (fault) {
      case 'CONNECTION_RESET_BY_PEER':
        return reset(socket);
      case 'EMPTY_RESPONSE':
        return close(response);
      case 'MALFORMED_RESPONSE_CHUNK':
        response.writeHead(200, [
          'Content-Type',
          'application/json',
          'Transfer-Encoding',
          'chunked',
          ...headers,
        ]);
        response.flushHeaders();
        return close(response, toGarbage(random));
      case 'RANDOM_DATA_THEN_CLOSE':
        return close(response, toGarbage(random));
    }
  };
  // A response of a pipelined request has no socket until its turn comes.
  if (response.socket) fail();
  else response.once('socket', fail);
}

/** Sends bytes outside of any message, and ends the connection. */
function close(response: ServerResponse, bytes?: Buffer): void {
  const { req: request } = response;
  const { socket } = request;
  request.resume();
  if (bytes) socket.write(bytes);
  socket.end();
  setTimeout(() => socket.destroy(), lingering).unref();
}

/** Sends a TCP reset. The socket of TLS cannot; the one below it can. */
function reset(socket: Socket): void {
  const { _parent: below } = socket as Socket & { _parent?: Socket };
  (below ?? socket).resetAndDestroy();
  socket.destroy();
}

/** Bytes that begin neither a status line nor a chunk, as their first bit is set. */
function toGarbage(random: Random): Buffer {
  const bytes = Buffer.from(
    Array.from({ length: garbageLength }, () => Math.floor(random() * 256)),
  );
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  return bytes;
}
