import { createServer, Packet } from 'dns2';
import { onTestFinished } from 'vitest';
import { findFreePort } from './free-port.ts';

/** A record of a zone; the TTL is 3600 unless given. */
export type ZoneRecord = { name: string; ttl?: number } & (
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'CNAME'; domain: string }
  | { type: 'NS'; ns: string }
  | { type: 'SOA' }
  | { type: 'CAA'; flags?: number; tag: string; value: string }
);

type Type = ZoneRecord['type'];

export type ZoneOptions = {
  address?: string;
  port?: number;
  /** What it does with a question; it answers from its records unless this says otherwise. */
  behave?: (question: {
    name: string;
    type: Type;
  }) => 'SERVFAIL' | 'REFUSED' | 'silent' | undefined;
  /** Whether it is an authority for its records, or a resolver that has them of one. */
  isAuthoritative?: boolean;
};

/** What was asked, in order. */
export type ZoneServer = { address: string; port: number; asked: { name: string; type: Type }[] };

const typeNames = Object.fromEntries(
  Object.entries(Packet.TYPE).map(([name, code]) => [code, name as Type]),
);

/**
 * A real name server over UDP and TCP until the test ends. It follows aliases as far as it has their
 * records, and gives an address beside an alias where it is told to have both.
 */
export async function startZone(
  records: readonly ZoneRecord[],
  { address = '127.0.0.1', behave, isAuthoritative = true, ...given }: ZoneOptions = {},
): Promise<ZoneServer> {
  const port = given.port ?? (await findFreePort(address));
  const asked: ZoneServer['asked'] = [];
  const server = createServer({
    udp: { type: address.includes(':') ? 'udp6' : 'udp4' },
    tcp: true,
    handle(request, send) {
      const [{ name: written = '', type: code = 0 } = {}] = request.questions;
      const question = { name: written.toLowerCase(), type: typeNames[code] as Type };
      asked.push(question);
      const behaviour = behave?.(question);
      if (behaviour === 'silent') return;
      const response = Packet.createResponseFromRequest(request);
      response.header.aa = isAuthoritative ? 1 : 0;
      const { found, exists } = answer(records, question);
      response.header.rcode = behaviour
        ? Packet.RCODE[behaviour]
        : exists
          ? Packet.RCODE.NOERROR
          : Packet.RCODE.NXDOMAIN;
      if (!behaviour) response.answers.push(...(found.map(toResource) as never[]));
      send(response);
    },
  });
  await server.listen({ udp: { port, address }, tcp: { port, address } });
  onTestFinished(() => server.close());
  return { address, port, asked };
}

function answer(
  records: readonly ZoneRecord[],
  { name, type }: { name: string; type: Type },
): { found: ZoneRecord[]; exists: boolean } {
  const found: ZoneRecord[] = [];
  for (let at = name, steps = 0; steps < 20; steps += 1) {
    const ofName = records.filter((record) => record.name === at);
    const ofType = ofName.filter((record) => record.type === type);
    if (ofType.length > 0) return { found: [...found, ...ofType], exists: true };
    const alias = ofName.find((record) => record.type === 'CNAME');
    if (alias?.type !== 'CNAME')
      return { found, exists: ofName.length > 0 || isParent(records, at) };
    found.push(alias);
    at = alias.domain;
  }
  return { found, exists: true };
}

/** Whether a name has names below it, so that it exists without records. */
function isParent(records: readonly ZoneRecord[], name: string): boolean {
  return records.some((record) => record.name.endsWith(`.${name}`));
}

function toResource(record: ZoneRecord) {
  const soa = { primary: 'ns.test', admin: 'admin.test' };
  const numbers = { serial: 1, refresh: 1, retry: 1, expiration: 1, minimum: 1 };
  return {
    class: Packet.CLASS.IN,
    ttl: 3600,
    ...(record.type === 'SOA' && { ...soa, ...numbers }),
    ...record,
    ...(record.type === 'CAA' && { flags: record.flags ?? 0 }),
    type: Packet.TYPE[record.type],
  };
}
