import { UsageError } from '../cli/usage-error.ts';
import type { DomainRules } from '../description/domains.ts';
import type { NameServer } from '../dns/name-server.ts';
import { createResolver, type Resolver } from '../dns/resolver.ts';
import { type DomainName, toNameText } from './domain-name.ts';
import { judgeRecords, unobservedRecords } from './judge-records.ts';
import { type Note, noteFacts, noteRemoved } from './notes.ts';
import { type ObserveOptions, observeDomain } from './observe.ts';
import { type Ruling, unobserved } from './ruling.ts';
import { judgeRedirect, judgeRemoved, type Redirect } from './visit.ts';

/** What is checked of each domain, and how. */
export type CheckAllOptions = Omit<ObserveOptions, 'resolver'> & {
  rules: DomainRules;
  names: readonly DomainName[];
  redirects: readonly Redirect[];
  removed: readonly DomainName[];
  /** The name servers to ask, in this order. */
  servers: readonly NameServer[];
  /** Unix milliseconds. */
  now: () => number;
};

/** What became of each clause on a domain, by id, and what was seen where nothing is stated. */
export type CheckedDomain = {
  domain: DomainName;
  rulings: ReadonlyMap<string, Ruling>;
  notes: readonly Note[];
  requests: number;
  seconds: number;
};

/** Why a clause is seen nowhere but in the dashboard. */
const reasons: Readonly<Record<string, string>> = {
  'paid-plan': 'only the dashboard knows the plan',
  deployed: 'only the dashboard knows whether a deploy succeeded',
  verified: 'only the dashboard knows whether the platform has verified a domain',
  several: 'only the dashboard knows which domains belong to one project',
};

/** The clauses that nobody sees from outside. */
const dashboardRulings: readonly [id: string, ruling: Ruling][] = Object.entries(reasons).map(
  ([id, reason]) => [id, unobserved(reason)],
);

/** Checks domains, redirects and removals. Throws {@link UsageError}. */
export async function checkDomains(options: CheckAllOptions): Promise<CheckedDomain[]> {
  const { names, redirects, removed, servers, timeout } = options;
  const resolver = createResolver({ servers, timeout });
  const all = [...names, ...redirects.map(({ from }) => from), ...removed];
  const domains = [...new Map(all.map((domain) => [toNameText(domain), domain])).values()];
  const checked = await Promise.all(
    domains.map((domain) => checkDomain(domain, options, resolver)),
  );
  const silence = resolver.whySilent();
  if (silence !== undefined)
    throw new UsageError(
      `No name server answered: ${silence}. Name one that does with --dns-server ADDRESS.`,
    );
  return checked;
}

/** Checks a domain as what it was named: a domain, the start of a redirect, or a removed one. */
async function checkDomain(
  domain: DomainName,
  options: CheckAllOptions,
  shared: Resolver,
): Promise<CheckedDomain> {
  const started = Date.now();
  const { names, redirects, removed, rules, timeout, now } = options;
  const isDomain = (other: DomainName) => toNameText(other) === toNameText(domain);
  let requests = 0;
  const count = () => {
    requests += 1;
  };
  const resolver: Resolver = {
    ...shared,
    look(name, type) {
      count();
      return shared.look(name, type);
    },
  };
  const facts = names.some(isDomain)
    ? await observeDomain(domain, { ...options, resolver })
    : undefined;
  requests += facts?.connections.length ?? 0;
  const how = { resolver, timeout, count };
  const redirect = redirects.find(({ from }) => isDomain(from));
  const isRemoved = removed.some(isDomain);
  const rulings = new Map<string, Ruling>([
    ...dashboardRulings,
    ...(facts
      ? judgeRecords(facts, { rules, now: now() })
      : unobservedRecords(whyNotNamed(isRemoved))),
    [
      'redirect',
      redirect ? await judgeRedirect(redirect, how) : unobserved('no --redirect names it'),
    ],
    ['removed', isRemoved ? await judgeRemoved(domain, how) : unobserved('no --removed names it')],
  ]);
  const notes = [
    ...(facts ? noteFacts(facts, now()) : []),
    ...(isRemoved ? await noteRemoved(domain, resolver) : []),
  ];
  return { domain, rulings, notes, requests, seconds: (Date.now() - started) / 1000 };
}

function whyNotNamed(isRemoved: boolean): string {
  return isRemoved
    ? 'it was removed'
    : 'only its redirect is checked; name it as a domain too for its records and its certificate';
}
