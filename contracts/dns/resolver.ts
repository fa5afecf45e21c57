import type { RecordType } from 'dns-packet';
import { askServer, type DnsRecord, type Reply } from './ask-server.ts';
import { maxAliases, type NameServer, toServerText } from './name-server.ts';

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
