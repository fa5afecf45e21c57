import { builtInDocument } from '../../common/built-in-document.ts';
import { toDomainRules } from '../../common/prose/domains.ts';
import type { DnsRecord } from '../../mock/domains/dns-records.ts';
import {
  type AttachedDomain,
  type DomainsState,
  noDomains,
  type Project,
} from '../../mock/domains/domains-state.ts';
import { replaceRecords } from '../../mock/extras/domains/change-domains.ts';
import { type Progress, toProgress } from '../../mock/extras/domains/progress.ts';
import { changeProject } from '../../mock/extras/domains/project.ts';
import { compile } from '../../openapi/index.ts';

export const rules = toDomainRules((await compile(builtInDocument)).asOpenApi());
export const start = Date.UTC(2030, 0, 1);

/** A domain that is added at the start. */
export const docs: AttachedDomain = { name: 'docs.example.com', kind: 'subdomain', addedAt: start };
export const cname: DnsRecord = {
  name: docs.name,
  type: 'CNAME',
  ttl: 3600,
  value: 'domains.petstore.example',
};

export type Change = [at: number, records: DnsRecord[]];

type Given = { seed?: number; project?: Partial<Project>; domains?: AttachedDomain[] };

/** The facts after records were set at instants, each time in place of all. */
export function zoneOf(
  changes: readonly Change[],
  { seed = 1, project = {}, domains = [] }: Given = {},
): DomainsState {
  let state: DomainsState = { ...noDomains, domains };
  state = changeProject(state, project, { rules, seed, now: start });
  for (const [now, records] of changes) state = setRecords(state, records, now, seed);
  return state;
}

/** The same where records take no time to spread. */
export function instantZone(...changes: Change[]): DomainsState {
  return zoneOf(changes, { project: { propagationHours: 0 } });
}

/** Puts records in place of all. */
export function setRecords(state: DomainsState, records: DnsRecord[], now: number, seed = 1) {
  return replaceRecords(state, records, { rules, seed, now });
}

/**
 * Returns where a domain stands: one that the facts hold, or another that was added at the start.
 */
export function progressOf(
  state: DomainsState,
  now: number,
  { domain = state.domains[0] ?? docs, seed = 1 }: { domain?: AttachedDomain; seed?: number } = {},
): Progress {
  return toProgress(domain, state, { rules, seed, now });
}
