import type { DomainRules } from '../../description/domains.ts';
import type { DomainFacts } from '../observe.ts';
import { judgeCaa } from './caa.ts';
import { judgeCertificate } from './certificate.ts';
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

/** What else the clauses depend on. */
type Circumstances = {
  rules: DomainRules;
  /** Unix milliseconds. */
  now: number;
};

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

/** Whether the TTL of a CNAME record is the stated one; a resolver counts down what it gives. */
function judgeTtl({ name, isApex, ttl }: DomainFacts, stated: number): Ruling {
  if (isApex) return vacuous('it is an apex domain, which can have no CNAME record');
  if (ttl === undefined) return vacuous('there is no CNAME record');
  const { seconds, isExact } = ttl;
  if (seconds === stated) return kept;
  if (!isExact && seconds < stated)
    return inconclusive(
      `a resolver gave the TTL as ${seconds} s, which it counts down, and no server of the zone answered`,
    );
  return broken({
    message: `The TTL of the CNAME record of ${name} is not ${stated} s`,
    expected: `${stated} s`,
    actual: `${seconds} s${isExact ? '' : ' left, of a resolver that counts it down'}`,
    repeat: toDig(name, 'CNAME'),
  });
}

/** Whether a subdomain is free of A records, which block its CNAME record. */
function judgeNoAddress({ name, isApex, aliases, own: { a } }: DomainFacts): Ruling {
  if (isApex) return vacuous('it is an apex domain, which is to have addresses');
  const hasAlias = aliases.links.length > 0;
  if (a.addresses.length > 0)
    return broken({
      message: hasAlias
        ? `${name} has an A record beside its CNAME record`
        : `${name} has an A record, which blocks a CNAME record`,
      expected: 'no A record on the name',
      actual: a.addresses.map((address) => `A ${address}`).join(', '),
      repeat: toDig(name, 'A'),
    });
  if (a.failure !== undefined)
    return inconclusive(`A records could not be looked up: ${a.failure}`);
  return kept;
}

/** Whether a CNAME record has no AAAA record beside it. */
function judgeCnameAlone({ name, isApex, aliases, own: { aaaa } }: DomainFacts): Ruling {
  if (isApex || aliases.links.length === 0) return vacuous('there is no CNAME record');
  if (aaaa.addresses.length > 0)
    return broken({
      message: `${name} has an AAAA record beside its CNAME record`,
      expected: 'no other record on the name',
      actual: aaaa.addresses.map((address) => `AAAA ${address}`).join(', '),
      repeat: toDig(name, 'AAAA'),
    });
  if (aaaa.failure !== undefined)
    return inconclusive(`AAAA records could not be looked up: ${aaaa.failure}`);
  return kept;
}

/** Whether an apex domain has the addresses of the platform, as ALIAS and ANAME records give them. */
function judgeApex({ name, isApex, aliases, own, platform }: DomainFacts): Ruling {
  if (!isApex) return vacuous('it is a subdomain');
  const [alias] = aliases.links;
  if (alias !== undefined)
    return broken({
      message: `The apex domain ${name} has a CNAME record`,
      expected: 'an ALIAS or ANAME record, which shows as addresses',
      actual: `CNAME ${alias.target}`,
      repeat: toDig(name, 'CNAME'),
    });
  const addresses = [...own.a.addresses, ...own.aaaa.addresses];
  const failure = own.a.failure ?? own.aaaa.failure;
  const repeat = toDig(name, 'A');
  if (addresses.length === 0 && failure !== undefined)
    return unanswered({
      message: `The addresses of ${name} could not be looked up`,
      expected: 'an answer of a name server',
      actual: failure,
      repeat,
    });
  if (addresses.length === 0)
    return broken({
      message: `The apex domain ${name} has no address`,
      expected: 'the addresses of the platform',
      actual: aliases.exists ? 'no A and no AAAA record' : 'no records at all (NXDOMAIN)',
      repeat,
    });
  if (platform === undefined)
    return inconclusive(
      `no --target says which host is the platform's; the name has ${addresses.join(', ')}`,
    );
  if (platform.addresses.length === 0)
    return inconclusive(
      `${platform.host} has no address to compare with (${platform.failure ?? 'none is listed'})`,
    );
  const others = addresses.filter((address) => !platform.addresses.includes(address));
  if (others.length === 0) return kept;
  return broken({
    message: `The apex domain ${name} has addresses that are not of the platform`,
    expected: `addresses of ${platform.host}: ${platform.addresses.join(', ')}`,
    actual: addresses.join(', '),
    repeat,
  });
}

/** Whether the CNAME record of a subdomain points at the platform. */
function judgeCname({ name, isApex, aliases, own, platform }: DomainFacts): Ruling {
  if (isApex) return vacuous('it is an apex domain, which can have no CNAME record');
  const { links, isCircle, failure, exists } = aliases;
  const repeat = toDig(name, 'CNAME');
  const expected = `a CNAME record that points at ${platform?.host ?? 'the platform'}`;
  if (links.length === 0) {
    if (failure !== undefined)
      return unanswered({
        message: `The CNAME record of ${name} could not be looked up`,
        expected: 'an answer of a name server',
        actual: failure,
        repeat,
      });
    const addresses = [...own.a.addresses, ...own.aaaa.addresses];
    return broken({
      message: exists ? `${name} has no CNAME record` : `${name} does not exist`,
      expected,
      actual: !exists
        ? 'no records at all (NXDOMAIN)'
        : addresses.length === 0
          ? 'no CNAME record'
          : `addresses of its own instead (${addresses.join(', ')}), as a proxy shows them too`,
      repeat,
    });
  }
  const way = [name, ...links.map(({ target }) => target)].join(' -> ');
  if (isCircle)
    return broken({
      message: `The CNAME records of ${name} lead in a circle`,
      expected,
      actual: way,
      repeat,
    });
  if (platform === undefined)
    return inconclusive(`no --target says which host is the platform's; the name leads ${way}`);
  if (links.some(({ target }) => target === platform.host)) return kept;
  if (failure !== undefined)
    return unanswered({
      message: `The way of ${name} to the platform could not be looked up`,
      expected,
      actual: `${way}, and then ${failure}`,
      repeat,
    });
  return broken({
    message: `The CNAME record of ${name} does not point at the platform`,
    expected,
    actual: way,
    repeat,
  });
}
