import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A name server on a free UDP port of 127.0.0.1, whose answers can be changed as it runs. */
export type NameServer = { address: string; addresses: readonly string[] };

/** Takes what is to be done when something is used no longer. */
export type OnEnd = (end: () => Promise<void> | void) => void;

const typeA = 1;

/**
 * Answers every name with the same IPv4 addresses, as the DNS of Docker does for a service with
 * several containers (RFC 1035 §4.1), until the test ends, unless `onEnd` says when else.
 */
export async function startNameServer(
  addresses: readonly string[],
  onEnd: OnEnd = onTestFinished,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onEnd(() => void socket.close());
  const server = { address: `127.0.0.1:${socket.address().port}`, addresses };
  socket.on('message', (query, { port, address }) => {
    socket.send(toReply(query, server.addresses), port, address);
  });
  return server;
}

function toReply(query: Buffer, addresses: readonly string[]): Buffer {
  let end = 12;
  while (query[end] !== 0) end += (query[end] ?? 0) + 1;
  const question = query.subarray(12, end + 5);
  const records = query.readUInt16BE(end + 1) === typeA ? addresses.map(toRecord) : [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2); // a response, recursion available, no error
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/** An address of the name in the question, to be held for a second. */
function toRecord(address: string): Buffer {
  const start = [0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4];
  return Buffer.from([...start, ...address.split('.').map(Number)]);
}
