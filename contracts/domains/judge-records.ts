import { permittedAuthorities, toCaaText } from '../../common/dns/caa.ts';
import type { NameServer } from '../../common/dns/name-server.ts';
import type { DomainFacts } from './observe.ts';
import { drift, inconclusive, kept, type Ruling, toDig, unanswered, vacuous } from './ruling.ts';

/** What the clauses depend on beside the domain. */
export type Circumstances = {
  ttlSeconds: number;
  /** How the authority calls itself in CAA records, where the command was told. */
  authority?: string;
  /** The name server that was asked first. */
  server: NameServer | undefined;
};

/** What became of the clauses on the records of a domain, by their ids. */
export function judgeRecords(
  facts: DomainFacts,
  given: Circumstances,
): [id: string, ruling: Ruling][] {
  return [
    ['cname', judgeCname(facts, given)],
    ['ttl', judgeTtl(facts, given)],
    ['apex', judgeApex(facts, given)],
    ['no-address', judgeNoAddress(facts, given)],
    ['caa', judgeCaa(facts, given)],
  ];
}

/** A name server gave no answer about the records of the name itself. */
function notLookedUp({ name, failure = '' }: DomainFacts, again: string): Ruling {
  return unanswered({
    message: `The records of ${name} could not be looked up`,
    expected: 'an answer of a name server',
    actual: failure,
    again,
  });
}

/** Whether the CNAME record of a subdomain points at the platform, directly or through others. */
function judgeCname(facts: DomainFacts, { server }: Circumstances): Ruling {
  const { name, isApex, aliases, own, platform, leadsTo } = facts;
  if (isApex) return vacuous('it is an apex domain, which can have no CNAME record');
  const again = toDig(name, 'CNAME', server);
  const expected = `a CNAME record that points at ${platform?.host ?? 'the platform'}`;
  if (aliases.length === 0) {
    if (facts.failure !== undefined) return notLookedUp(facts, again);
    const addresses = [...own.a, ...own.aaaa];
    const actual = addresses.length > 0 ? `addresses of its own: ${addresses.join(', ')}` : 'none';
    return drift({ message: `${name} has no CNAME record`, expected, actual, again });
  }
  const way = [name, ...aliases.map(({ value }) => value)].join(' -> ');
  if (platform === undefined)
    return inconclusive(`no --target says which host is the platform's; the name leads ${way}`);
  if (aliases.some(({ value }) => value === platform.host)) return kept;
  if (leadsTo.failure !== undefined) return notLookedUp({ ...facts, ...leadsTo }, again);
  const message = `The CNAME record of ${name} does not point at the platform`;
  return drift({ message, expected, actual: way, again });
}

/** Whether the TTL of a CNAME record is the stated one; a resolver counts down what it gives. */
function judgeTtl(
  { name, aliases: [alias], isTtlExact }: DomainFacts,
  { ttlSeconds, server }: Circumstances,
): Ruling {
  if (alias === undefined) return vacuous('there is no CNAME record');
  const { ttl } = alias;
  if (ttl === ttlSeconds) return kept;
  if (!isTtlExact && ttl < ttlSeconds)
    return inconclusive(
      `a resolver gave the TTL as ${ttl} s, which it counts down; a name server of the zone says it exactly (--dns-server)`,
    );
  return drift({
    message: `The TTL of the CNAME record of ${name} is not ${ttlSeconds} s`,
    expected: `${ttlSeconds} s`,
    actual: `${ttl} s`,
    again: toDig(name, 'CNAME', server),
  });
}

/** Whether an apex domain has the addresses of the platform, as ALIAS and ANAME records give them. */
function judgeApex(facts: DomainFacts, { server }: Circumstances): Ruling {
  const { name, isApex, aliases, own, platform } = facts;
  if (!isApex) return vacuous('it is a subdomain');
  const addresses = [...own.a, ...own.aaaa];
  const again = toDig(name, aliases.length > 0 ? 'CNAME' : 'A', server);
  const wrong = (what: string, actual: string) =>
    drift({
      message: `The apex domain ${name} ${what}`,
      expected: `an ALIAS or ANAME record, which shows as addresses of ${platform?.host ?? 'the platform'}`,
      actual,
      again,
    });
  const [alias] = aliases;
  if (alias) return wrong('has a CNAME record', `CNAME ${alias.value}`);
  if (addresses.length === 0)
    return facts.failure === undefined
      ? wrong('has no address', 'no A and no AAAA record')
      : notLookedUp(facts, again);
  const shown = addresses.join(', ');
  if (platform === undefined)
    return inconclusive(`no --target says which host is the platform's; the name has ${shown}`);
  const isOfPlatform = (address: string) => platform.addresses.includes(address);
  if (addresses.every(isOfPlatform)) return kept;
  if (addresses.some(isOfPlatform) || platform.addresses.length === 0)
    return inconclusive(
      `${platform.host} did not show all of ${shown}; it may give some of its addresses at a time`,
    );
  return wrong('has addresses that are not of the platform', shown);
}

/** Whether a subdomain is free of A records, which block its CNAME record. */
function judgeNoAddress(
  { name, isApex, own, failure }: DomainFacts,
  { server }: Circumstances,
): Ruling {
  if (isApex) return vacuous('it is an apex domain, which is to have addresses');
  if (own.a.length > 0)
    return drift({
      message: `${name} has an A record, which blocks a CNAME record`,
      expected: 'no A record on the name',
      actual: own.a.map((address) => `A ${address}`).join(', '),
      again: toDig(name, 'A', server),
    });
  return failure === undefined ? kept : inconclusive(`it could not be looked up: ${failure}`);
}

/** Whether the CAA records let the authority of the platform issue a certificate. */
function judgeCaa({ name, caa }: DomainFacts, { authority, server }: Circumstances): Ruling {
  const again = toDig(caa.domain, 'CAA', server);
  if (caa.failure !== undefined)
    return unanswered({
      message: `The CAA records for ${name} could not be looked up, without which an authority may issue nothing`,
      expected: 'an answer of a name server, if only that there are none',
      actual: `${caa.domain}: ${caa.failure}`,
      again,
    });
  const permitted = permittedAuthorities(caa.properties);
  if (permitted === undefined) return kept;
  if (authority !== undefined && permitted.includes(authority)) return kept;
  if (authority === undefined && permitted.length > 0)
    return inconclusive(
      `${caa.domain} allows ${permitted.join(', ')}; --authority says what the authority of the platform calls itself`,
    );
  return drift({
    message: `The CAA records of ${caa.domain} let no authority of the platform issue a certificate for ${name}`,
    expected: `records that allow ${authority ?? 'an authority'}`,
    actual: caa.properties.map(toCaaText).join(', '),
    again,
  });
}
