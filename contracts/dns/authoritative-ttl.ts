import { askServer } from './ask-server.ts';
import { dnsPort } from './name-server.ts';
import type { Resolver } from './resolver.ts';

/** The most servers of a zone that are asked. */
const maxServers = 4;

export type AuthorityOptions = {
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
