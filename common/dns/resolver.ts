import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { type CaaData, type DecodedPacket, decode, encode, type RecordType } from 'dns-packet';
import { toCaaText } from './caa.ts';
import { type NameServer, toServerText } from './name-server.ts';

/** A record of an answer: names in lower case, the value as a zone file has it. */
export type FoundRecord = { name: string; type: string; ttl: number; value: string };

/** What became of a question: records, the fact that there are none, or why it is not known. */
export type Lookup =
  | { outcome: 'answered'; isAuthoritative: boolean; records: FoundRecord[] }
  | { outcome: 'failed'; reason: string };

export type ResolverOptions = {
  /** The servers to ask, in this order, until one answers. */
  servers: readonly NameServer[];
  /** The wait for an answer of a server, in milliseconds. */
  timeout: number;
};

/**
 * Asks resolvers for the records of a type. They follow aliases: an answer holds those on the way to
 * its records.
 */
export async function lookUp(
  question: Question,
  { servers, timeout }: ResolverOptions,
): Promise<Lookup> {
  const failures: string[] = [];
  for (const server of servers)
    try {
      const reply = await askServer(question, server, timeout);
      // The types of dns-packet leave out the code, which it decodes.
      const { rcode } = reply as DecodedPacket & { rcode: string };
      if (rcode === 'NOERROR' || rcode === 'NXDOMAIN') return toLookup(reply);
      failures.push(`${rcode} from ${toServerText(server)}`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      failures.push(`${code ?? message} from ${toServerText(server)}`);
    }
  const reason = failures.join('; ') || 'there is no name server to ask';
  return { outcome: 'failed', reason };
}

/** Bytes of an answer that fit into a UDP packet nearly everywhere (RFC 9715 §3.2). */
const maxUdpBytes = 1232;
/** UDP loses packets, so that a question is sent again. */
const tries = 2;

export type Question = { name: string; type: RecordType };

/** Asks a name server over UDP. Throws an Error whose message says why there is no answer. */
function askServer(
  question: Question,
  { address, port }: NameServer,
  timeout: number,
): Promise<DecodedPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const id = randomInt(0x1_0000);
  // The flag asks a resolver to follow aliases, and to ask other servers.
  const message = encode({
    ...{ type: 'query', id, flags: 0x0100, questions: [question] },
    additionals: [
      { type: 'OPT', name: '.', udpPayloadSize: maxUdpBytes, flags: 0, options: [] } as never,
    ],
  });
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const send = () => socket.send(message, (error) => error && reject(error));
  const again = setTimeout(send, timeout / tries);
  const end = setTimeout(() => reject(new Error(`no answer within ${timeout} ms`)), timeout);
  socket.on('error', reject);
  socket.on('message', (bytes) => {
    const reply = readReply(bytes, id, question);
    if (reply?.flag_tc) reject(new Error('the answer is too large for UDP'));
    else if (reply) resolve(reply);
  });
  // A connected socket takes packets of this server alone, and hears that nobody listens.
  socket.connect(port, address, send);
  return promise.finally(() => {
    clearTimeout(again);
    clearTimeout(end);
    socket.close();
  });
}

/** The answer to a question; undefined for what somebody else may have sent. */
function readReply(bytes: Buffer, id: number, { name, type }: Question): DecodedPacket | undefined {
  try {
    const packet = decode(bytes);
    const [asked] = packet.questions ?? [];
    const isAnswer = packet.type === 'response' && packet.id === id && asked?.type === type;
    return isAnswer && asked.name.toLowerCase() === name ? packet : undefined;
  } catch {
    return undefined;
  }
}

function toLookup({ answers = [], flag_aa: isAuthoritative }: DecodedPacket): Lookup {
  const records = answers.map((answer): FoundRecord => {
    const { name, type, ttl = 0, data } = answer as { ttl?: number; data: unknown } & Question;
    return { name: name.toLowerCase(), type, ttl, value: toValue(type, data) };
  });
  return { outcome: 'answered', isAuthoritative, records };
}

function toValue(type: string, data: unknown): string {
  if (type !== 'CAA') return String(data).toLowerCase();
  const { flags = 0, tag, value } = data as CaaData;
  return toCaaText({ flags, tag, value });
}
