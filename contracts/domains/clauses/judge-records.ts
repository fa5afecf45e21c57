import type { DomainRules } from '../../description/domains.ts';
import type { DomainFacts } from '../observe.ts';
import { judgeApex } from './apex.ts';
import { judgeCaa } from './caa.ts';
import { judgeCertificate } from './certificate.ts';
import { judgeCname } from './cname.ts';
import { judgeCnameAlone, judgeNoAddress } from './no-address.ts';
import { type Ruling, unobserved } from './ruling.ts';
import { judgeTtl } from './ttl.ts';

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
