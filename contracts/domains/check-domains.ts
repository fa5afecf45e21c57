import type { DomainRules } from '../description/domains.ts';
import { toCaaText } from '../dns/caa.ts';
import type { NameServer } from '../dns/name-server.ts';
import { judgeRecords } from './judge-records.ts';
import { judgeCertificate, judgeRedirect, judgeRemoved, type Redirect } from './judge-visits.ts';
import { type DomainFacts, Observer } from './observe.ts';
import { type Ruling, unobserved } from './ruling.ts';

/** What is to be checked, as the command line says it; a domain is the address of its site. */
export type What = {
  names: readonly URL[];
  redirects: readonly Redirect[];
  removed: readonly URL[];
  /** The host name of the platform. */
  platform?: string;
  /** How the authority calls itself in CAA records. */
  authority?: string;
  /** The name servers to ask, in this order. */
  servers: readonly NameServer[];
};

export type CheckOptions = What & {
  rules: DomainRules;
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  ca: readonly string[];
  /** The wait for an answer, in milliseconds. */
  timeout: number;
};

/** What became of each clause on a domain, by id, and what was seen where nothing is stated. */
export type CheckedDomain = {
  name: string;
  rulings: ReadonlyMap<string, Ruling>;
  notes: Readonly<Partial<Record<NoteId, string>>>;
  requests: number;
  seconds: number;
};

/** What the interface does not state about domains; the check judges none of it. */
export const questions = {
  'where-it-leads': ['Appendix 2', 'Where does the name lead?'],
  'certificate-authority': ['Appendix 3', 'Which authority issues the certificate?'],
  'certificate-end': ['Appendix 3', 'Until when is the certificate valid?'],
  'caa-records': ['Appendix 4', 'Which CAA records hold for the name?'],
  'records-after-removal': [
    'Appendix 6',
    'Which records does a domain that was removed still have?',
  ],
} as const;

type NoteId = keyof typeof questions;

/** Clauses that nobody sees from outside. */
const ofDashboard = ['paid-plan', 'deployed', 'verified', 'several'];

/** Checks domains, redirects and removals. */
export function checkDomains(options: CheckOptions): Promise<CheckedDomain[]> {
  const { names, redirects, removed } = options;
  const sites = [...names, ...redirects.map(({ from }) => from), ...removed];
  const distinct = new Map(sites.map((site) => [site.host, site]));
  return Promise.all([...distinct.values()].map((site) => checkDomain(site, options)));
}

/** Checks a domain as what it was named: a domain, the start of a redirect, or a removed one. */
async function checkDomain(site: URL, options: CheckOptions): Promise<CheckedDomain> {
  const started = Date.now();
  const { names, redirects, removed, platform, rules, servers } = options;
  const observer = new Observer(options);
  const isSite = ({ host }: URL) => host === site.host;
  const rulings = new Map<string, Ruling>(
    ofDashboard.map((id) => [id, unobserved('only the dashboard knows')]),
  );
  const add = (id: string, ruling: Ruling) => rulings.set(id, ruling);
  let notes: CheckedDomain['notes'] = {};
  if (names.some(isSite)) {
    const facts = await observer.observe(site, platform);
    notes = noteFacts(facts);
    const { ttlSeconds } = rules;
    const ofRecords = judgeRecords(facts, { ...options, ttlSeconds, server: servers[0] });
    for (const [id, ruling] of ofRecords) add(id, ruling);
    const way = ['cname', 'apex', 'no-address'].flatMap((id) => rulings.get(id) ?? []);
    add('certificate', judgeCertificate(site, facts, way));
  }
  const redirect = redirects.find(({ from }) => isSite(from));
  if (redirect) add('redirect', await judgeRedirect(redirect, observer));
  if (removed.some(isSite)) {
    add('removed', await judgeRemoved(site, observer));
    notes = { ...notes, ...(await noteRemoved(site, observer)) };
  }
  const seconds = (Date.now() - started) / 1000;
  return { name: site.host, rulings, notes, requests: observer.requests, seconds };
}

/** What else was seen of a domain. */
function noteFacts({ aliases, leadsTo, caa, visits }: DomainFacts): CheckedDomain['notes'] {
  const { issuer = '', validToDate } =
    visits.find(({ certificate }) => certificate !== undefined)?.certificate ?? {};
  const authority = /^O=(.+)$/m.exec(issuer)?.[1] ?? /^CN=(.+)$/m.exec(issuer)?.[1];
  const way = [...aliases.map(({ value }) => value), ...leadsTo.addresses];
  const properties = caa.properties.map(toCaaText).join(', ') || 'none';
  return {
    ...(way.length > 0 && { 'where-it-leads': way.join(', ') }),
    ...(authority !== undefined && { 'certificate-authority': authority }),
    ...(validToDate && { 'certificate-end': validToDate.toISOString().slice(0, 10) }),
    ...(caa.failure === undefined && { 'caa-records': properties }),
  };
}

/** What is left of a domain that was removed: a record that stays may lead to others one day. */
async function noteRemoved(site: URL, observer: Observer): Promise<CheckedDomain['notes']> {
  const { addresses, aliases, failure } = await observer.findAddresses(site.hostname);
  const records = [...aliases.slice(0, 1).map(({ value }) => `CNAME ${value}`), ...addresses];
  return failure === undefined ? { 'records-after-removal': records.join(', ') || 'none' } : {};
}
