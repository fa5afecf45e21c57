import type { DomainRules } from '../description/domains.ts';
import { permittedAuthorities, toCaaText } from '../dns/caa.ts';
import { issuerOf, judgeCertificate } from './certificate.ts';
import type { DomainFacts } from './observe.ts';
import {
  broken,
  inconclusive,
  kept,
  type Ruling,
  toDig,
  unanswered,
  unobserved,
  vacuous,
} from './ruling.ts';

/** What else the clauses depend on; `now` in Unix milliseconds. */
type Circumstances = { rules: DomainRules; now: number };

/** The clauses on the records of a domain and on its certificate. */
const clauses: Readonly<Record<string, (facts: DomainFacts, given: Circumstances) => Ruling>> = {
  cname: judgeCname,
  ttl: (facts, { rules }) => judgeTtl(facts, rules.ttlSeconds),
  apex: judgeApex,
  certificate: (facts, { now }) => judgeCertificate(facts, now),
  'no-address': judgeNoAddress,
  caa: judgeCaa,
  'cname-alone': judgeCnameAlone,
};

/** What became of the clauses on the records of a domain, by their ids. */
export function judgeRecords(
  facts: DomainFacts,
  given: Circumstances,
): [id: string, ruling: Ruling][] {
  return Object.entries(clauses).map(([id, judge]) => [id, judge(facts, given)]);
}

/** The same where nothing of the domain was looked up, for this reason. */
export function unobservedRecords(reason: string): [id: string, ruling: Ruling][] {
  return Object.keys(clauses).map((id) => [id, unobserved(reason)]);
}

/** A name server gave no answer about the records of the name itself. */
function notLookedUp({ name, failure = '', otherServer }: DomainFacts, type: string): Ruling {
  return unanswered({
    message: `The records of ${name} could not be looked up`,
    expected: 'an answer of a name server',
    actual: failure,
    again: toDig(name, type, otherServer),
  });
}

/** Whether the CNAME record of a subdomain points at the platform, directly or through others. */
function judgeCname(facts: DomainFacts): Ruling {
  const { name, isApex, aliases, own, exists, platform, otherServer } = facts;
  if (isApex) return vacuous('it is an apex domain, which can have no CNAME record');
  const again = toDig(name, 'CNAME', otherServer);
  const expected = `a CNAME record that points at ${platform?.host ?? 'the platform'}`;
  if (aliases.length === 0) {
    if (facts.failure !== undefined) return notLookedUp(facts, 'CNAME');
    const addresses = [...own.a, ...own.aaaa];
    const message = exists ? `${name} has no CNAME record` : `${name} does not exist`;
    const actual = addresses.length > 0 ? `addresses of its own: ${addresses.join(', ')}` : 'none';
    return broken({ message, expected, actual, again });
  }
  const way = [name, ...aliases.map(({ value }) => value)].join(' -> ');
  if (platform === undefined)
    return inconclusive(`no --target says which host is the platform's; the name leads ${way}`);
  if (aliases.some(({ value }) => value === platform.host)) return kept;
  const { failure } = facts.leadsTo;
  if (failure !== undefined)
    return unanswered({
      message: `The way of ${name} to the platform could not be looked up`,
      ...{ expected, actual: `${way}, and then ${failure}`, again },
    });
  const message = `The CNAME record of ${name} does not point at the platform`;
  return broken({ message, expected, actual: way, again });
}

/** Whether the TTL of a CNAME record is the stated one; a resolver counts down what it gives. */
function judgeTtl({ name, aliases, isTtlExact, otherServer }: DomainFacts, stated: number): Ruling {
  const [alias] = aliases;
  if (alias === undefined) return vacuous('there is no CNAME record');
  const { ttl } = alias;
  if (ttl === stated) return kept;
  if (!isTtlExact && ttl < stated)
    return inconclusive(
      `a resolver gave the TTL as ${ttl} s, which it counts down; a name server of the zone says it exactly (--dns-server)`,
    );
  return broken({
    message: `The TTL of the CNAME record of ${name} is not ${stated} s`,
    expected: `${stated} s`,
    actual: `${ttl} s`,
    again: toDig(name, 'CNAME', otherServer),
  });
}

/** Whether an apex domain has the addresses of the platform, as ALIAS and ANAME records give them. */
function judgeApex(facts: DomainFacts): Ruling {
  const { name, isApex, aliases, own, platform, otherServer } = facts;
  if (!isApex) return vacuous('it is a subdomain');
  const [alias] = aliases;
  if (alias !== undefined)
    return broken({
      message: `The apex domain ${name} has a CNAME record`,
      expected: 'an ALIAS or ANAME record, which shows as addresses',
      actual: `CNAME ${alias.value}`,
      again: toDig(name, 'CNAME', otherServer),
    });
  const addresses = [...own.a, ...own.aaaa];
  if (addresses.length === 0 && facts.failure !== undefined) return notLookedUp(facts, 'A');
  const again = toDig(name, 'A', otherServer);
  if (addresses.length === 0)
    return broken({
      message: `The apex domain ${name} has no address`,
      expected: 'the addresses of the platform',
      actual: 'no A and no AAAA record',
      again,
    });
  const shown = addresses.join(', ');
  if (platform === undefined)
    return inconclusive(`no --target says which host is the platform's; the name has ${shown}`);
  if (platform.addresses.length === 0)
    return inconclusive(`${platform.host} has no address to compare with`);
  const others = addresses.filter((address) => !platform.addresses.includes(address));
  if (others.length === 0) return kept;
  if (others.length < addresses.length)
    return inconclusive(
      `${platform.host} did not show ${others.join(', ')}; it may give some of its addresses at a time`,
    );
  return broken({
    message: `The apex domain ${name} has addresses that are not of the platform`,
    expected: `addresses of ${platform.host}: ${platform.addresses.join(', ')}`,
    actual: shown,
    again,
  });
}

/** Whether a subdomain is free of A records, which block its CNAME record. */
function judgeNoAddress({ name, isApex, own, failure, otherServer }: DomainFacts): Ruling {
  if (isApex) return vacuous('it is an apex domain, which is to have addresses');
  if (own.a.length > 0)
    return broken({
      message: `${name} has an A record, which blocks a CNAME record`,
      expected: 'no A record on the name',
      actual: own.a.map((address) => `A ${address}`).join(', '),
      again: toDig(name, 'A', otherServer),
    });
  return failure === undefined ? kept : inconclusive(`it could not be looked up: ${failure}`);
}

/** Whether a CNAME record has no AAAA record beside it. */
function judgeCnameAlone({ name, aliases, own, failure, otherServer }: DomainFacts): Ruling {
  if (aliases.length === 0) return vacuous('there is no CNAME record');
  if (own.aaaa.length > 0)
    return broken({
      message: `${name} has an AAAA record beside its CNAME record`,
      expected: 'no other record on the name',
      actual: own.aaaa.map((address) => `AAAA ${address}`).join(', '),
      again: toDig(name, 'AAAA', otherServer),
    });
  return failure === undefined ? kept : inconclusive(`it could not be looked up: ${failure}`);
}

/** Whether the CAA records let the authority that issued the certificate issue the next one. */
function judgeCaa(facts: DomainFacts): Ruling {
  const { name, caa, otherServer } = facts;
  if (caa.outcome === 'none') return kept;
  const again = toDig(caa.domain, 'CAA', otherServer);
  if (caa.outcome === 'failed')
    return unanswered({
      message: `The CAA records for ${name} could not be looked up, without which an authority may issue nothing`,
      expected: 'an answer of a name server, if only that there are none',
      actual: `${caa.domain}: ${caa.reason}`,
      again,
    });
  const { domain, properties } = caa;
  const permitted = permittedAuthorities(properties);
  if (permitted === undefined) return kept;
  const issuer = issuerOf(facts);
  const { title = 'the authority of the platform', caaNames } = issuer ?? {};
  if (permitted.length > 0 && issuer === undefined)
    return inconclusive(
      `${domain} allows ${permitted.join(', ')}, and no certificate shows which authority issues`,
    );
  if (permitted.length > 0 && caaNames === undefined)
    return inconclusive(
      `${domain} allows ${permitted.join(', ')}, and which of them ${title} is, is not known; name it with --authority`,
    );
  if (caaNames?.some((one) => permitted.includes(one))) return kept;
  return broken({
    message: `The CAA records of ${domain} do not let ${title} issue a certificate for ${name}`,
    expected: `records that allow ${title}${caaNames ? ` (${caaNames.join(', ')})` : ''}`,
    actual: `${domain}: ${properties.map(toCaaText).join(', ')}`,
    again,
  });
}
