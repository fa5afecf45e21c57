import type { DomainRules } from '../../contracts/description/domains.ts';
import { toProject } from './change-domains.ts';
import type { AttachedDomain, DomainsState } from './domains-state.ts';
import { type RequiredRecord, requiredRecord } from './judge-records.ts';
import { type Progress, toProgress } from './progress.ts';

/** A domain of the project as the admin shows it; instants as ISO 8601. */
export type DomainView = {
  domain: string;
  kind: AttachedDomain['kind'];
  addedAt: string;
  state: Progress['state'];
  since: string;
  /** What has to happen for the next state; null once it is active. */
  waitsFor: string | null;
  /** When that happens if nothing is changed; null where something has to be done first. */
  expectedAt: string | null;
  /** The record to set. */
  record: RequiredRecord;
  problems: Progress['problems'];
};

/** What decides where a domain stands, besides the facts. */
export type Circumstances = { rules: DomainRules; seed: number; now: number };

/** Where a domain stands. */
export function progressOf(
  domain: AttachedDomain,
  state: DomainsState,
  { rules, seed, now }: Circumstances,
): Progress {
  const project = toProject(state.project ?? {}, rules);
  return toProgress(domain, state, { project, ttl: rules.ttlSeconds, seed, now });
}

/** Shows a domain. */
export function toDomainView(
  domain: AttachedDomain,
  state: DomainsState,
  circumstances: Circumstances,
): DomainView {
  const progress = progressOf(domain, state, circumstances);
  const { rules } = circumstances;
  const project = toProject(state.project ?? {}, rules);
  return {
    domain: domain.name,
    kind: domain.kind,
    addedAt: toInstant(domain.addedAt),
    state: progress.state,
    since: toInstant(progress.since),
    waitsFor: progress.waitsFor ?? null,
    expectedAt: progress.expectedAt === undefined ? null : toInstant(progress.expectedAt),
    record: requiredRecord(domain, project, rules.ttlSeconds),
    problems: progress.problems,
  };
}

function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
