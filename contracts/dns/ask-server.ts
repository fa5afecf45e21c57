import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createConnection } from 'node:net';
import { type DecodedPacket, decode, encode, type RecordType } from 'dns-packet';
import type { NameServer } from './name-server.ts';

/** What is asked of a name server; names are without a final dot. */
export type Question = { name: string; type: RecordType };

/** A record of an answer, its name in lower case. */
export type DnsRecord = { name: string; type: string; ttl: number; data: unknown };

/** What a name server answered. */
export type Reply = {
  /** The code in words: `NOERROR`, `NXDOMAIN`, `SERVFAIL`. */
  code: string;
  /** Whether the server is an authority for the name, so that TTLs are as they were set. */
  isAuthoritative: boolean;
  records: DnsRecord[];
};

export type AskOptions = {
  /** The wait for an answer, in milliseconds. */
  timeout: number;
  /** Whether the server is to ask others, as a resolver does. */
  isRecursive: boolean;
};

/** Bytes of an answer that fit into a UDP packet nearly everywhere (RFC 9715 §3.2). */
const maxUdpBytes = 1232;
/** UDP loses packets, so that a question is sent again. */
const udpTries = 2;

/**
 * Asks a name server over UDP, and over TCP where the answer is too large for it (RFC 7766). Throws
 * an Error whose message says why there is no answer.
 */
export async function askServer(
  question: Question,
  server: NameServer,
  { timeout, isRecursive }: AskOptions,
): Promise<Reply> {
  const id = randomInt(0x1_0000);
  const message = encode({
    type: 'query',
    id,
    flags: isRecursive ? 0x0100 : 0,
    questions: [question],
    additionals: [
      { type: 'OPT', name: '.', udpPayloadSize: maxUdpBytes, flags: 0, options: [] } as never,
    ],
  });
  const read = (bytes: Buffer) => readReply(bytes, id, question);
  const reply = await overUdp(message, server, { timeout, read });
  return toReply(reply.flag_tc ? await overTcp(message, server, { timeout, read }) : reply);
}

type Transport = { timeout: number; read: (bytes: Buffer) => DecodedPacket | undefined };

function overUdp(
  message: Buffer,
  { address, port }: NameServer,
  { timeout, read }: Transport,
): Promise<DecodedPacket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const send = () => socket.send(message, (error) => error && reject(error));
  const timers = Array.from({ length: udpTries }, (_, index) =>
    setTimeout(
      index + 1 < udpTries ? send : () => reject(new Error(noAnswer(timeout))),
      ((index + 1) * timeout) / udpTries,
    ),
  );
  socket.on('error', reject);
  socket.on('message', (bytes) => {
    const reply = read(bytes);
    if (reply !== undefined) resolve(reply);
  });
  // A connected socket takes packets of this server alone, and hears that nobody listens.
  socket.connect(port, address, send);
  return promise.finally(() => {
    timers.forEach(clearTimeout);
    socket.close();
  });
}

function overTcp(
  message: Buffer,
  { address, port }: NameServer,
  { timeout, read }: Transport,
): Promise<DecodedPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = createConnection({ host: address, port });
  const timer = setTimeout(() => reject(new Error(`${noAnswer(timeout)} over TCP`)), timeout);
  let received = Buffer.alloc(0);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  socket.on('connect', () => socket.write(Buffer.concat([length, message])));
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the connection was closed without an answer')));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < received.readUInt16BE() + 2) return;
    const reply = read(received.subarray(2, received.readUInt16BE() + 2));
    if (reply === undefined) reject(new Error('what came over TCP is no answer to the question'));
    else resolve(reply);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** The answer to a question; undefined for what somebody else may have sent. */
function readReply(bytes: Buffer, id: number, { name, type }: Question): DecodedPacket | undefined {
  try {
    const packet = decode(bytes);
    const [asked] = packet.questions ?? [];
    const isAnswer =
      packet.type === 'response' &&
      packet.id === id &&
      asked?.type === type &&
      asked.name.toLowerCase() === name.toLowerCase();
    return isAnswer ? packet : undefined;
  } catch {
    return undefined;
  }
}

function toReply(packet: DecodedPacket): Reply {
  const records = (packet.answers ?? []).map((answer): DnsRecord => {
    const { name, type, ttl, data } = answer as DnsRecord;
    return { name: name.toLowerCase(), type, ttl: ttl ?? 0, data };
  });
  // The types of dns-packet leave out the code, which it decodes.
  const { rcode } = packet as DecodedPacket & { rcode: string };
  return { code: rcode, isAuthoritative: packet.flag_aa, records };
}

function noAnswer(timeout: number): string {
  return `no answer within ${timeout} ms`;
}
