import type { X509Certificate } from 'node:crypto';
import type { RecordType } from 'dns-packet';
import { getDomain } from 'tldts';
import { type Aliases, describeCircle, followAliases } from '../dns/aliases.ts';
import type { Resolver } from '../dns/resolver.ts';
import { findAuthoritativeTtl } from '../dns/resolver.ts';
import { findCaa, type RelevantCaa } from './caa.ts';
import { type DomainName, httpsPort, isRegistrable } from './domain-name.ts';
import { type Connection, connectTo } from './get.ts';

/** Addresses that a name has, or why they are not known. */
export type Addresses = { addresses: string[]; failure?: string };

/** What the world sees of a domain. */
export type DomainFacts = DomainName & {
  /** Whether it is the top of its zone, which can have no CNAME record. */
  isApex: boolean;
  aliases: Aliases;
  /** The TTL of its CNAME record, in seconds; exact where its zone said it. */
  ttl?: { seconds: number; isExact: boolean };
  /** The addresses of records on the name itself. */
  own: { a: Addresses; aaaa: Addresses };
  /** The addresses to which it leads. */
  leadsTo: Addresses;
  platform?: Addresses & { host: string };
  connections: Connection[];
  /** The CAA records for the name, or for the domain of a wildcard certificate. */
  caa: RelevantCaa;
  /** How the authority calls itself in CAA records, where the command was told. */
  authority?: string;
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
  /** The port of the zones' name servers. */
  zonePort?: number;
};

/** The most addresses of a name that are tried. */
const maxAddresses = 8;

/** Looks at a domain from outside; nothing is changed anywhere. */
export async function observeDomain(
  domain: DomainName,
  { resolver, timeout, platform, authority, ca, zonePort }: ObserveOptions,
): Promise<DomainFacts> {
  const { name, port = httpsPort } = domain;
  const [aliases, isZoneTop, a, aaaa] = await Promise.all([
    followAliases(name, resolver),
    hasSoa(name, resolver),
    addressesOf(name, ['A'], resolver, { isOwn: true }),
    addressesOf(name, ['AAAA'], resolver, { isOwn: true }),
  ]);
  const [leadsTo, platformAddresses, ttl] = await Promise.all([
    aliases.isCircle ? { addresses: [] } : findAddresses(aliases.end, resolver),
    platform === undefined ? undefined : findAddresses(platform, resolver),
    findTtl(aliases, resolver, { timeout, zonePort }),
  ]);
  const isApex = isRegistrable(name) || isZoneTop;
  if (isApex && platform !== undefined && platformAddresses !== undefined)
    await completeAddresses(platformAddresses, leadsTo.addresses, platform, resolver);
  const connections = await Promise.all(
    leadsTo.addresses
      .slice(0, maxAddresses)
      .map((address) => connectTo(address, { name, port, timeout, ca })),
  );
  return {
    ...domain,
    isApex,
    aliases,
    ...(ttl && { ttl }),
    own: { a, aaaa },
    leadsTo,
    ...(platform !== undefined &&
      platformAddresses && { platform: { host: platform, ...platformAddresses } }),
    connections,
    caa: await findCaa(certifiedDomain(name, connections), resolver),
    ...(authority !== undefined && { authority }),
  };
}

/** The IPv4 and IPv6 addresses to which a name leads. */
export function findAddresses(
  name: string,
  resolver: Resolver,
  { isNew = false } = {},
): Promise<Addresses> {
  return addressesOf(name, ['A', 'AAAA'], resolver, { isOwn: false, isNew });
}

/** How often a platform is asked anew that gives only some of its addresses at a time. */
const maxRounds = 3;

/** Asks the platform anew as long as it has not given all addresses that a domain has. */
async function completeAddresses(
  of: Addresses,
  wanted: readonly string[],
  platform: string,
  resolver: Resolver,
): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    if (wanted.every((address) => of.addresses.includes(address))) return;
    const { addresses } = await findAddresses(platform, resolver, { isNew: true });
    of.addresses = [...new Set([...of.addresses, ...addresses])];
  }
}

/** The certificate that a server shows for a domain, if any does. */
export function shownCertificate({ connections }: Pick<DomainFacts, 'connections'>) {
  const connection = connections.find(({ outcome }) => outcome === 'connected');
  return connection?.outcome === 'connected' ? connection.certificate : undefined;
}

/** How the authority of a domain's certificate is called, and its names in CAA records. */
export function issuerOf({ connections, authority }: DomainFacts) {
  const certificate = shownCertificate({ connections });
  if (certificate === undefined) return undefined;
  const issuer = authorityOf(certificate);
  if (authority === undefined) return issuer;
  return { title: issuer.title, caaNames: [authority], isKnown: true };
}

/** Whether the certificate for a name is one for all names beside it. */
export function isWildcard({ name, connections }: Pick<DomainFacts, 'name' | 'connections'>) {
  const match = shownCertificate({ connections })?.checkHost(name, { subject: 'never' });
  return match?.startsWith('*.') === true;
}

/** The domain for which an authority looks up CAA records: that of a wildcard is without its star. */
function certifiedDomain(name: string, connections: readonly Connection[]): string {
  return isWildcard({ name, connections: [...connections] })
    ? name.slice(name.indexOf('.') + 1)
    : name;
}

async function findTtl(
  { links: [link] }: Aliases,
  resolver: Resolver,
  { timeout, zonePort }: { timeout: number; zonePort: number | undefined },
): Promise<DomainFacts['ttl']> {
  if (link === undefined) return undefined;
  if (link.isAuthoritative) return { seconds: link.ttl, isExact: true };
  const exact = await findAuthoritativeTtl(link.name, resolver, {
    timeout,
    ...(zonePort !== undefined && { port: zonePort }),
  });
  return { seconds: exact ?? link.ttl, isExact: exact !== undefined };
}

async function hasSoa(name: string, resolver: Resolver): Promise<boolean> {
  const lookup = await resolver.look(name, 'SOA');
  if (lookup.outcome === 'failed') return false;
  return lookup.records.some((record) => record.type === 'SOA' && record.name === name);
}

async function addressesOf(
  name: string,
  types: readonly RecordType[],
  resolver: Resolver,
  { isOwn, isNew = false }: { isOwn: boolean; isNew?: boolean },
): Promise<Addresses> {
  const lookups = await Promise.all(types.map((type) => resolver.look(name, type, { isNew })));
  const addresses = lookups.flatMap((lookup) =>
    lookup.outcome === 'failed'
      ? []
      : lookup.records
          .filter((record) => types.includes(record.type as RecordType))
          .filter((record) => !isOwn || record.name === name)
          .map(({ data }) => String(data)),
  );
  const [failure] = lookups.flatMap((lookup) =>
    lookup.outcome === 'failed' ? [lookup.reason] : [],
  );
  return {
    addresses: [...new Set(addresses)],
    ...(failure !== undefined &&
      addresses.length === 0 && { failure: (await describeCircle(name, resolver)) ?? failure }),
  };
}

/**
 * The names by which well-known authorities call themselves in CAA records, as they document them,
 * by the organization in their certificates.
 */
const caaNames: readonly [organization: RegExp, names: readonly string[]][] = [
  [/^(let's encrypt|isrg|internet security research group)$/i, ['letsencrypt.org']],
  [/^google trust services/i, ['pki.goog', 'google.com']],
  [/^amazon$/i, ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']],
  [
    /^digicert|^thawte|^geotrust|^rapidssl/i,
    [
      'digicert.com',
      'digicert.ne.jp',
      'symantec.com',
      'thawte.com',
      'geotrust.com',
      'rapidssl.com',
    ],
  ],
  [
    /^sectigo|^comodo|^zerossl|^the usertrust/i,
    ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  ],
  [/^globalsign/i, ['globalsign.com']],
  [/^ssl corp/i, ['ssl.com']],
];

/** The authority of a certificate: what people call it, and its names in CAA records. */
type Authority = {
  title: string;
  caaNames: readonly string[];
  /** Whether these are all names that it has; a name that may be its own proves nothing else. */
  isKnown: boolean;
};

/** Which authority issued a certificate. */
export function authorityOf({ issuer, infoAccess }: X509Certificate): Authority {
  const organization = partOf(issuer, 'O');
  const title = organization ?? partOf(issuer, 'CN') ?? 'an authority without a name';
  const [, names] =
    caaNames.find(([pattern]) => organization !== undefined && pattern.test(organization)) ?? [];
  // A certificate says where its issuer's is, which most authorities have under their own name.
  const published = [...(infoAccess ?? '').matchAll(/URI:(\S+)/g)].flatMap(
    ([, url = '']) => getDomain(url) ?? [],
  );
  return {
    title,
    caaNames: [...new Set([...(names ?? []), ...published])],
    isKnown: names !== undefined,
  };
}

function partOf(distinguishedName: string, key: string): string | undefined {
  const line = distinguishedName.split('\n').find((one) => one.startsWith(`${key}=`));
  return line?.slice(key.length + 1);
}
