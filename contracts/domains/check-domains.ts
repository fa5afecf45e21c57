import { once } from 'node:events';
import type { DomainRules } from '../description/domains.ts';
import type { NameServer } from '../dns/name-server.ts';
import { createResolver, type Lookup, type Resolver } from '../dns/resolver.ts';
import { judgeApex } from './clauses/apex.ts';
import { judgeCaa } from './clauses/caa.ts';
import { judgeCertificate } from './clauses/certificate.ts';
import { judgeCname } from './clauses/cname.ts';
import { judgeCnameAlone, judgeNoAddress } from './clauses/no-address.ts';
import { judgeRedirect } from './clauses/redirect.ts';
import { judgeRemoved } from './clauses/removed.ts';
import { type Ruling, unobserved } from './clauses/ruling.ts';
import { judgeTtl } from './clauses/ttl.ts';
import { type DomainName, toNameText } from './domain-name.ts';
import { followRedirect, type Redirect } from './follow-redirect.ts';
import { type Note, noteFacts, noteRemoved } from './notes.ts';
import { type DomainFacts, observeDomain } from './observe.ts';

/** What is checked, and how. */
export type CheckOptions = {
  rules: DomainRules;
  names: readonly DomainName[];
  redirects: readonly Redirect[];
  removed: readonly DomainName[];
  /** The host name of the platform. */
  platform?: string;
  /** How the authority calls itself in CAA records. */
  authority?: string;
  /** Authorities to trust besides those of Node, as PEM. */
  ca: readonly string[];
  servers: readonly NameServer[];
  /** The wait for an answer, in milliseconds. */
  timeout: number;
  /** Begins the time of a domain; aborted when it is over. After 12 waits unless given. */
  startTime?: () => AbortSignal;
  /** The port of the zones' name servers. */
  zonePort?: number;
  /** Unix milliseconds. */
  now: () => number;
  /** Called for each domain that was checked. */
  onDomain?: (name: string) => void;
};

/** What became of each clause on a domain, by id, and what was seen where nothing is stated. */
export type CheckedDomain = {
  domain: DomainName;
  rulings: ReadonlyMap<string, Ruling>;
  notes: readonly Note[];
  requests: number;
  seconds: number;
};

/** Nothing could be looked up; the message says what to do. */
export class NoNameServer extends Error {}

/** Why a clause is seen nowhere but in the dashboard. */
const unseen: Readonly<Record<string, string>> = {
  'paid-plan': 'only the dashboard knows the plan',
  deployed: 'only the dashboard knows whether a deploy succeeded',
  verified: 'only the dashboard knows whether the platform has verified a domain',
  several: 'only the dashboard knows which domains belong to one project',
};

/** Clauses of RFCs where the interface states nothing. */
export const standards = [
  {
    id: 'cname-alone',
    source: 'RFC 1034 §3.6.2',
    text: 'A name that has a CNAME record has no AAAA record.',
  },
] as const;

/** How many waits for an answer a domain may take together, unless it is given. */
const maxWaits = 12;

/** How many domains are checked at a time. */
const concurrency = 8;

/** Checks domains, redirects and removals. Throws {@link NoNameServer}. */
export async function checkDomains(options: CheckOptions): Promise<CheckedDomain[]> {
  const { names, redirects, removed, servers, timeout } = options;
  const resolver = createResolver({ servers, timeout });
  const all = [...names, ...redirects.map(({ from }) => from), ...removed];
  const domains = [...new Map(all.map((domain) => [toNameText(domain), domain])).values()];
  const checked: CheckedDomain[] = [];
  const waiting = domains.entries();
  const work = async () => {
    for (const [index, domain] of waiting) {
      checked[index] = await checkDomain(domain, options, resolver);
      options.onDomain?.(toNameText(domain));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const silence = resolver.whySilent();
  if (silence !== undefined)
    throw new NoNameServer(
      `No name server answered: ${silence}. Name one that does with --dns-server ADDRESS.`,
    );
  return checked;
}

async function checkDomain(
  domain: DomainName,
  options: CheckOptions,
  shared: Resolver,
): Promise<CheckedDomain> {
  const started = Date.now();
  const { names, redirects, removed, timeout } = options;
  const signal = options.startTime?.() ?? AbortSignal.timeout(maxWaits * timeout);
  const isDomain = (other: DomainName) => toNameText(other) === toNameText(domain);
  let requests = 0;
  const count = () => {
    requests += 1;
  };
  const resolver = withSignal(shared, { signal, count });
  const facts = names.some(isDomain)
    ? await observeDomain(domain, { ...options, resolver })
    : undefined;
  requests += facts?.connections.length ?? 0;
  const web = { resolver, timeout, count, signal };
  const redirect = redirects.find(({ from }) => isDomain(from));
  const isRemoved = removed.some(isDomain);
  const rulings = new Map<string, Ruling>([
    ...Object.entries(unseen).map(([id, reason]) => [id, unobserved(reason)] as const),
    ...(facts
      ? judgeRecords(facts, options)
      : recordClauses.map((id) => [id, unobserved(whyNotNamed(isRemoved))] as const)),
    [
      'redirect',
      redirect
        ? judgeRedirect(await followRedirect(redirect, web))
        : unobserved('no --redirect names it'),
    ],
    ['removed', isRemoved ? await judgeRemoved(domain, web) : unobserved('no --removed names it')],
  ]);
  const notes = [
    ...(facts ? noteFacts(facts, options.now()) : []),
    ...(isRemoved ? await noteRemoved(domain, resolver) : []),
  ];
  return { domain, rulings, notes, requests, seconds: (Date.now() - started) / 1000 };
}

/** Counts the questions of a domain, and waits for no answer once its time is over. */
function withSignal(
  shared: Resolver,
  { signal, count }: { signal: AbortSignal; count: () => void },
): Resolver {
  const reason = 'the check of the domain took too long';
  const over = once(signal, 'abort').then((): Lookup => ({ outcome: 'failed', reason }));
  return {
    ...shared,
    look(...question) {
      if (signal.aborted) return Promise.resolve({ outcome: 'failed', reason });
      count();
      return Promise.race([shared.look(...question), over]);
    },
  };
}

const recordClauses = ['cname', 'ttl', 'apex', 'certificate', 'no-address', 'caa', 'cname-alone'];

function judgeRecords(
  facts: DomainFacts,
  { rules, now }: CheckOptions,
): [id: string, ruling: Ruling][] {
  return [
    ['cname', judgeCname(facts)],
    ['ttl', judgeTtl(facts, rules.ttlSeconds)],
    ['apex', judgeApex(facts)],
    ['certificate', judgeCertificate(facts, now())],
    ['no-address', judgeNoAddress(facts)],
    ['caa', judgeCaa(facts)],
    ['cname-alone', judgeCnameAlone(facts)],
  ];
}

function whyNotNamed(isRemoved: boolean): string {
  return isRemoved
    ? 'it was removed'
    : 'only its redirect is checked; name it as a domain too for its records and its certificate';
}
