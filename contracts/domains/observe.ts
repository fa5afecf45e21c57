import { getDomain } from 'tldts';
import { findCaa, type RelevantCaa } from '../dns/find-caa.ts';
import type { NameServer } from '../dns/name-server.ts';
import type { FoundRecord, Lookup, Resolver } from '../dns/resolver.ts';
import { type Connection, connectTo } from './connect.ts';
import { type DomainName, httpsPort } from './domain-name.ts';

/** Addresses that a name has, or why they are not known. */
export type Addresses = {
  addresses: string[];
  failure?: string;
  /** The CNAME records on the way to them. */
  aliases: FoundRecord[];
};

/** What the world sees of a domain. */
export type DomainFacts = DomainName & {
  /** Whether it is directly below a public suffix, so that it can have no CNAME record. */
  isApex: boolean;
  exists: boolean;
  /** Why its own records are not known. */
  failure?: string;
  /** The addresses of records on the name itself. */
  own: { a: string[]; aaaa: string[] };
  /** Its CNAME record and those to which it leads. */
  aliases: FoundRecord[];
  /** Whether the TTL of its CNAME record is as its zone has it: a resolver counts it down. */
  isTtlExact: boolean;
  /** The addresses to which it leads. */
  leadsTo: Addresses;
  platform?: Addresses & { host: string };
  connections: Connection[];
  caa: RelevantCaa;
  /** How the authority calls itself in CAA records, where the command was told. */
  authority?: string;
  /** The name server that was asked first, if not the machine's own. */
  otherServer?: NameServer;
};

export type ObserveOptions = {
  resolver: Resolver;
  /** The wait for an answer, in milliseconds. */
  timeout: number;
  /** The host name of the platform. */
  platform?: string;
  authority?: string;
  /** Authorities to trust besides those of Node, as PEM. */
  ca: readonly string[];
  otherServer?: NameServer;
};

/** A name may have thousands of addresses, each of which may let a request wait. */
export const maxAddresses = 8;

/** Looks at a domain from outside; nothing is changed anywhere. */
export async function observeDomain(
  domain: DomainName,
  { resolver, timeout, platform, authority, ca, otherServer }: ObserveOptions,
): Promise<DomainFacts> {
  const { name, port = httpsPort } = domain;
  const registered = getDomain(name) ?? name;
  const [cname, ofA, ofAaaa, caa, platformAddresses] = await Promise.all([
    resolver.look(name, 'CNAME'),
    resolver.look(name, 'A'),
    resolver.look(name, 'AAAA'),
    findCaa(name, registered, resolver),
    platform === undefined ? undefined : findAddresses(platform, resolver),
  ]);
  const [alias] = recordsOf(cname, 'CNAME');
  const own = {
    a: toValues(recordsOf(ofA, 'A', name)),
    aaaa: toValues(recordsOf(ofAaaa, 'AAAA', name)),
  };
  const leadsTo = alias
    ? await findAddresses(alias.value, resolver)
    : { addresses: [...own.a, ...own.aaaa], aliases: [] };
  const [failed] = [cname, ofA, ofAaaa].filter(({ outcome }) => outcome === 'failed');
  const connections = await Promise.all(
    leadsTo.addresses
      .slice(0, maxAddresses)
      .map((address) => connectTo(address, { name, port, timeout, ca })),
  );
  return {
    ...domain,
    ...{ own, leadsTo, connections, caa },
    isApex: registered === name,
    exists: cname.outcome === 'failed' || cname.exists,
    ...(failed?.outcome === 'failed' && { failure: failed.reason }),
    aliases: alias ? [alias, ...leadsTo.aliases] : [],
    isTtlExact: cname.outcome === 'answered' && cname.isAuthoritative,
    ...(platform && platformAddresses && { platform: { host: platform, ...platformAddresses } }),
    ...(authority !== undefined && { authority }),
    ...(otherServer && { otherServer }),
  };
}

/** The IPv4 and IPv6 addresses to which a name leads. */
export async function findAddresses(name: string, resolver: Resolver): Promise<Addresses> {
  const lookups = await Promise.all([resolver.look(name, 'A'), resolver.look(name, 'AAAA')]);
  const addresses = toValues([
    ...lookups.flatMap((lookup) => recordsOf(lookup, 'A')),
    ...lookups.flatMap((lookup) => recordsOf(lookup, 'AAAA')),
  ]);
  const aliases = recordsOf(lookups[0], 'CNAME');
  const failed = lookups.find(({ outcome }) => outcome === 'failed');
  const isUnknown = failed?.outcome === 'failed' && addresses.length === 0;
  return { addresses, aliases, ...(isUnknown && { failure: failed.reason }) };
}

/** The records of a type, all or those of a name. */
function recordsOf(lookup: Lookup, type: string, name?: string): FoundRecord[] {
  if (lookup.outcome === 'failed') return [];
  const ofType = lookup.records.filter((record) => record.type === type);
  return name === undefined ? ofType : ofType.filter((record) => record.name === name);
}

function toValues(records: readonly FoundRecord[]): string[] {
  return [...new Set(records.map(({ value }) => value))];
}
