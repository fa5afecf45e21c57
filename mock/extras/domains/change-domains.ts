import type { DomainRules } from '../../../openapi/index.ts';
import type { DnsRecord } from '../../domains/dns-records.ts';
import {
  type AttachedDomain,
  DomainError,
  type DomainsState,
  type Redirect,
} from '../../domains/domains-state.ts';
import { toProgress } from './progress.ts';
import { type Circumstances, projectOf } from './project.ts';
import { allRecords, setRecords } from './zone.ts';

/** How many domains and redirects a project may have, and how many removed names are retained. */
const max = 100;

/** Adds a domain to the project, if its plan and its deploy allow it. Throws {@link DomainError}. */
export function addDomain(
  state: DomainsState,
  domain: AttachedDomain,
  rules: DomainRules,
): DomainsState {
  const { name } = domain;
  const project = projectOf(state, rules);
  if (!rules.plans.includes(project.plan))
    throw new DomainError(
      `Custom domains need a paid plan (${rules.plans.join(', ')}), and the project has the plan ${project.plan}. Change it with PUT /__admin/project {"plan":"${rules.plans[0]}","deploy":"succeeded"}.`,
    );
  if (project.deploy !== 'succeeded')
    throw new DomainError(
      `A domain needs a successful deploy of the project, and ${deploys[project.deploy]}. Change that with PUT /__admin/project {"plan":"${project.plan}","deploy":"succeeded"}.`,
    );
  if (findDomain(state, name)) throw new DomainError(`The project has the domain ${name} already.`);
  if (state.domains.length >= max)
    throw new DomainError(`A project has at most ${max} domains here. Remove one first.`);
  return {
    ...state,
    project,
    domains: [...state.domains, domain],
    removed: state.removed.filter((one) => one !== name),
  };
}

const deploys = { failed: 'the last one failed', none: 'there was none yet' } as const;

/** Removes a domain and the redirects that lead to it. */
export function removeDomain(state: DomainsState, name: string): DomainsState {
  const dropped = state.redirects.filter(({ to }) => to === name);
  return {
    ...state,
    domains: state.domains.filter((domain) => domain.name !== name),
    redirects: state.redirects.filter(({ from, to }) => from !== name && to !== name),
    removed: [name, ...dropped.map(({ from }) => from)].reduce(withLast, state.removed),
  };
}

/** Verifies a domain again: asks for the certificate that CAA records refused, and allow now. */
export function verifyDomain(
  state: DomainsState,
  name: string,
  circumstances: Circumstances,
): DomainsState {
  const domain = findDomain(state, name);
  if (!domain) return state;
  const { problems } = toProgress(domain, state, circumstances);
  if (!problems.some(({ code }) => code === 'verify-again')) return state;
  const asked = { ...domain, askedAt: circumstances.now };
  return { ...state, domains: state.domains.map((one) => (one === domain ? asked : one)) };
}

/** Adds a redirect to a domain of the project, unless it would go round in a circle. */
export function addRedirect(state: DomainsState, redirect: Redirect): DomainsState {
  const { from, to } = redirect;
  if (from === to || findRedirect(state, to)?.to === from)
    throw new DomainError(`The redirect would go round in a circle: ${from} -> ${to} -> ${from}.`);
  if (!findDomain(state, to))
    throw new DomainError(
      `A redirect targets a domain of the project, and ${to} is not one. Add it with POST /__admin/domains {"domain":"${to}"}.`,
    );
  if (findRedirect(state, from))
    throw new DomainError(
      `${from} redirects already. DELETE /__admin/redirects/${from} ends that.`,
    );
  if (state.redirects.length >= max)
    throw new DomainError(`A project has at most ${max} redirects here. Remove one first.`);
  return {
    ...state,
    redirects: [...state.redirects, redirect],
    removed: state.removed.filter((one) => one !== from),
  };
}

/** Removes a redirect; undefined if the name has none. */
export function removeRedirect(state: DomainsState, from: string): DomainsState | undefined {
  if (!findRedirect(state, from)) return undefined;
  return {
    ...state,
    redirects: state.redirects.filter((redirect) => redirect.from !== from),
    removed: findDomain(state, from) ? state.removed : withLast(state.removed, from),
  };
}

/** The domain of a name, if the project has it. */
export function findDomain(state: DomainsState, name: string): AttachedDomain | undefined {
  return state.domains.find((domain) => domain.name === name);
}

/** The redirect from a name, if there is one. */
export function findRedirect(state: DomainsState, from: string): Redirect | undefined {
  return state.redirects.find((redirect) => redirect.from === from);
}

function withLast(names: readonly string[], last: string): string[] {
  return [...names.filter((one) => one !== last), last].slice(-max);
}

/** Puts these records in place of all that the zone has. */
export function replaceRecords(
  state: DomainsState,
  records: readonly DnsRecord[],
  { rules, now, seed }: Circumstances,
): DomainsState {
  const { propagationHours } = projectOf(state, rules);
  const names = new Set([...allRecords(state.zone, now), ...records].map(({ name }) => name));
  return setRecords(state, names, records, { now, seed, propagationHours });
}
