import type { NameServer } from '../../common/dns/name-server.ts';
import type { DomainRules } from '../../openapi/index.ts';
import { judgeRecords } from './judge-records.ts';
import { judgeCertificate, judgeRedirect, judgeRemoved, type Redirect } from './judge-visits.ts';
import { Observer } from './observe.ts';
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

/** What became of each clause on a domain, by id. */
export type CheckedDomain = {
  name: string;
  rulings: ReadonlyMap<string, Ruling>;
  requests: number;
  seconds: number;
};

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
  if (names.some(isSite)) {
    const facts = await observer.observe(site, platform);
    const { ttlSeconds } = rules;
    const ofRecords = judgeRecords(facts, { ...options, ttlSeconds, server: servers[0] });
    for (const [id, ruling] of ofRecords) add(id, ruling);
    const way = ['cname', 'apex', 'no-address'].flatMap((id) => rulings.get(id) ?? []);
    add('certificate', judgeCertificate(site, facts, way));
  }
  const redirect = redirects.find(({ from }) => isSite(from));
  if (redirect) add('redirect', await judgeRedirect(redirect, observer));
  if (removed.some(isSite)) add('removed', await judgeRemoved(site, observer));
  const seconds = (Date.now() - started) / 1000;
  return { name: site.host, rulings, requests: observer.requests, seconds };
}
