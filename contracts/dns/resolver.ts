import type { RecordType } from 'dns-packet';
import { askServer, type DnsRecord, type Reply } from './ask-server.ts';
import { dnsPort, maxAliases, type NameServer, toServerText } from './name-server.ts';

/** What became of a question: records, the fact that there are none, or why it is not known. */
export type Lookup =
  | { outcome: 'answered'; exists: boolean; isAuthoritative: boolean; records: DnsRecord[] }
  | { outcome: 'failed'; reason: string };

/** Asks name servers. */
export interface Resolver {
  /**
   * The records of a type, those of aliases on the way to them included. A question that was asked
   * before has the same answer, unless it is to be asked anew.
   */
  look(name: string, type: RecordType, options?: { isNew?: boolean }): Promise<Lookup>;
  /** Why nothing is known: no server gave any answer. */
  whySilent(): string | undefined;
}

export type ResolverOptions = {
  servers: readonly NameServer[];
  /** The wait for an answer of a server, in milliseconds. */
  timeout: number;
};

export function createResolver({ servers, timeout }: ResolverOptions): Resolver {
  const replies = new Map<string, Promise<Reply>>();
  let hasAnswered = false;
  let lastFailure: string | undefined;
  async function ask(name: string, type: RecordType): Promise<Reply> {
    const failures: string[] = [];
    for (const server of servers) {
      const failure = await askServer({ name, type }, server, { timeout, isRecursive: true }).then(
        (reply) => {
          hasAnswered = true;
          return isFinal(reply)
            ? reply
            : `${reply.code} from ${toServerText(server)}${adviceOn(reply)}`;
        },
        (error: NodeJS.ErrnoException) => explain(error, server),
      );
      if (typeof failure === 'object') return failure;
      failures.push(failure);
    }
    lastFailure = failures.join('; ') || 'there is no name server to ask';
    throw new Error(lastFailure);
  }
  const askOnce = (name: string, type: RecordType, isNew: boolean) => {
    const key = `${type} ${name.toLowerCase()}`;
    const reply = (isNew ? undefined : replies.get(key)) ?? ask(name, type);
    replies.set(key, reply);
    return reply;
  };
  async function look(name: string, type: RecordType, isNew: boolean): Promise<Lookup> {
    const records: DnsRecord[] = [];
    const seen = new Set<string>();
    let isAuthoritative = true;
    for (let at = name.toLowerCase(); !seen.has(at) && seen.size <= maxAliases; ) {
      seen.add(at);
      const reply = await askOnce(at, type, isNew);
      isAuthoritative &&= reply.isAuthoritative;
      records.push(...reply.records);
      const end = endOf(at, reply.records);
      const isDone =
        type === 'CNAME' || end === at || reply.records.some((one) => one.type === type);
      if (isDone || reply.code === 'NXDOMAIN')
        return { outcome: 'answered', exists: reply.code !== 'NXDOMAIN', isAuthoritative, records };
      // A server that asks no others leaves the rest of the way to who asks it.
      at = end;
    }
    return { outcome: 'failed', reason: `the aliases of ${name} lead in a circle` };
  }
  return {
    look: (name, type, { isNew = false } = {}) =>
      look(name, type, isNew).catch((error: Error) => ({
        outcome: 'failed',
        reason: error.message,
      })),
    whySilent: () => (hasAnswered ? undefined : lastFailure),
  };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no name server listens',
  EHOSTUNREACH: 'there is no route',
  ENETUNREACH: 'there is no route',
};

/** Why a server gave no answer. */
function explain({ code = '', message }: NodeJS.ErrnoException, server: NameServer): string {
  const reason = reasons[code];
  const at = toServerText(server);
  return reason === undefined ? `${message} from ${at}` : `${reason} at ${at} (${code})`;
}

/** Servers of zones refuse what is about other zones. */
function adviceOn({ code }: Reply): string {
  return code === 'REFUSED' ? ', which may answer for zones of its own alone' : '';
}

function isFinal({ code }: Reply): boolean {
  return code === 'NOERROR' || code === 'NXDOMAIN';
}

/** Where the aliases of an answer lead from a name. */
function endOf(name: string, records: readonly DnsRecord[]): string {
  const aliases = new Map(
    records
      .filter(({ type }) => type === 'CNAME')
      .map((record) => [record.name, String(record.data).toLowerCase()]),
  );
  let end = name;
  // An answer may hold a circle.
  for (let step = 0; step <= maxAliases; step += 1) end = aliases.get(end) ?? end;
  return end;
}

/** The most servers of a zone that are asked. */
const maxServers = 4;

type AuthorityOptions = {
  /** The wait for an answer, in milliseconds. */
  timeout: number;
  /** The port of the zone's servers. */
  port?: number;
};

/**
 * The TTL of the CNAME record of a name as its zone has it, in seconds: a resolver counts down what
 * it gives. Undefined where no server of the zone answers.
 */
export async function findAuthoritativeTtl(
  name: string,
  resolver: Resolver,
  { timeout, port = dnsPort }: AuthorityOptions,
): Promise<number | undefined> {
  const addresses = await zoneServers(name, resolver);
  const ask = async (address: string) => {
    const question = { name, type: 'CNAME' } as const;
    const reply = await askServer(question, { address, port }, { timeout, isRecursive: false });
    const record = reply.records.find((one) => one.type === 'CNAME' && one.name === name);
    if (!reply.isAuthoritative || record === undefined) throw new Error('not an authority');
    return record.ttl;
  };
  return Promise.any(addresses.slice(0, maxServers).map(ask)).catch(() => undefined);
}

/** The addresses of the servers of the zone that a name is in, one of each server first. */
async function zoneServers(name: string, resolver: Resolver): Promise<string[]> {
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const zone = labels.slice(from).join('.');
    const hosts = (await recordsOf(zone, 'NS', resolver)).map((host) => host.toLowerCase());
    if (hosts.length === 0) continue;
    const ofHosts = await Promise.all(
      hosts
        .slice(0, maxServers)
        .map(async (host) => [
          ...(await recordsOf(host, 'A', resolver)),
          ...(await recordsOf(host, 'AAAA', resolver)),
        ]),
    );
    return [
      ...ofHosts.flatMap((ones) => ones.slice(0, 1)),
      ...ofHosts.flatMap((ones) => ones.slice(1)),
    ];
  }
  return [];
}

async function recordsOf(
  name: string,
  type: 'NS' | 'A' | 'AAAA',
  resolver: Resolver,
): Promise<string[]> {
  const lookup = await resolver.look(name, type);
  if (lookup.outcome === 'failed') return [];
  return lookup.records.filter((one) => one.type === type).map(({ data }) => String(data));
}
