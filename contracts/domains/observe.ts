import { getDomain } from 'tldts';
import { type CaaProperty, parseCaa } from '../../common/dns/caa.ts';
import {
  type FoundRecord,
  type Lookup,
  lookUp,
  type Question,
  type ResolverOptions,
} from '../../common/dns/resolver.ts';
import { type Visit, type VisitOptions, visit } from './visit.ts';

/** Addresses that a name has, or why they are not known. */
export type Addresses = {
  addresses: string[];
  failure?: string;
  /** The CNAME records on the way to them. */
  aliases: FoundRecord[];
};

/** The CAA records that hold for a name, and the domain that was asked last, or why they are not known. */
type RelevantCaa = { domain: string; properties: CaaProperty[]; failure?: string };

/** What the world sees of a domain. */
export type DomainFacts = {
  name: string;
  /** Whether it is directly below a public suffix, so that it can have no CNAME record. */
  isApex: boolean;
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
  visits: Visit[];
  caa: RelevantCaa;
};

/** A name may have thousands of addresses, each of which may let a request wait. */
const maxAddresses = 8;

export type ObserverOptions = ResolverOptions & Pick<VisitOptions, 'ca'>;

/** Looks at a domain from outside, and counts what it asks; nothing is changed anywhere. */
export class Observer {
  readonly #options: ObserverOptions;
  requests = 0;

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  #look(name: string, type: Question['type']): Promise<Lookup> {
    this.requests += 1;
    return lookUp({ name, type }, this.#options);
  }

  /** GETs the start page of a site at each of these addresses. */
  visitAll(site: URL, addresses: readonly string[]): Promise<Visit[]> {
    const { timeout, ca } = this.#options;
    const visited = addresses.slice(0, maxAddresses);
    this.requests += visited.length;
    return Promise.all(visited.map((address) => visit(site, { address, timeout, ca })));
  }

  /** The IPv4 and IPv6 addresses to which a name leads. */
  async findAddresses(name: string): Promise<Addresses> {
    const [ofA, ofAaaa] = await Promise.all([this.#look(name, 'A'), this.#look(name, 'AAAA')]);
    const addresses = toValues([...recordsOf(ofA, 'A'), ...recordsOf(ofAaaa, 'AAAA')]);
    const failed = [ofA, ofAaaa].find(({ outcome }) => outcome === 'failed');
    const isUnknown = failed?.outcome === 'failed' && addresses.length === 0;
    const aliases = recordsOf(ofA, 'CNAME');
    return { addresses, aliases, ...(isUnknown && { failure: failed.reason }) };
  }

  /** Climbs from a name to its registered domain until CAA records are found (RFC 8659 §3). */
  async #findCaa(domain: string, registered: string): Promise<RelevantCaa> {
    const lookup = await this.#look(domain, 'CAA');
    if (lookup.outcome === 'failed') return { domain, properties: [], failure: lookup.reason };
    const properties = recordsOf(lookup, 'CAA').flatMap(({ value }) => parseCaa(value) ?? []);
    if (properties.length > 0 || domain === registered) return { domain, properties };
    return this.#findCaa(domain.slice(domain.indexOf('.') + 1), registered);
  }

  /** What there is to see of a domain; `platform` is the host name of the platform. */
  async observe(site: URL, platform: string | undefined): Promise<DomainFacts> {
    const { hostname: name } = site;
    const registered = getDomain(name) ?? name;
    const [cname, ofA, ofAaaa, caa, ofPlatform] = await Promise.all([
      this.#look(name, 'CNAME'),
      this.#look(name, 'A'),
      this.#look(name, 'AAAA'),
      this.#findCaa(name, registered),
      platform === undefined ? undefined : this.findAddresses(platform),
    ]);
    const [alias] = recordsOf(cname, 'CNAME');
    const ofName = (lookup: Lookup, type: string) =>
      toValues(recordsOf(lookup, type).filter((record) => record.name === name));
    const own = { a: ofName(ofA, 'A'), aaaa: ofName(ofAaaa, 'AAAA') };
    const leadsTo = alias
      ? await this.findAddresses(alias.value)
      : { addresses: [...own.a, ...own.aaaa], aliases: [] };
    const failed = [cname, ofA, ofAaaa].find(({ outcome }) => outcome === 'failed');
    return {
      ...{ name, own, leadsTo, caa },
      isApex: registered === name,
      ...(failed?.outcome === 'failed' && { failure: failed.reason }),
      aliases: alias ? [alias, ...leadsTo.aliases] : [],
      isTtlExact: cname.outcome === 'answered' && cname.isAuthoritative,
      ...(platform !== undefined && ofPlatform && { platform: { host: platform, ...ofPlatform } }),
      visits: await this.visitAll(site, leadsTo.addresses),
    };
  }
}

function recordsOf(lookup: Lookup, type: string): FoundRecord[] {
  return lookup.outcome === 'failed' ? [] : lookup.records.filter((one) => one.type === type);
}

function toValues(records: readonly FoundRecord[]): string[] {
  return [...new Set(records.map(({ value }) => value))];
}
