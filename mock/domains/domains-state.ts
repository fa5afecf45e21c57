import type { DnsRecord } from './dns-records.ts';
import type { DomainKind } from './host-name.ts';

/** Refuses a change of domains; the message says why. */
export class DomainError extends Error {}

/** The project that is published, and how its platform works. */
export type Project = {
  plan: string;
  deploy: Deploy;
  /** The name that CNAME, ALIAS and ANAME records point at. */
  target: string;
  /** The name of the certificate authority in CAA records. */
  authority: string;
  /** The maximum time that a change of records takes to spread, in hours. */
  propagationHours: number;
  /** The maximum time that the issue of a certificate takes, in minutes. */
  issuanceMinutes: number;
};

/** The outcome of the project's last deploy. */
export type Deploy = 'succeeded' | 'failed' | 'none';

/** A domain of the project; instants in Unix milliseconds, by the clock of the sandbox. */
export type AttachedDomain = {
  name: string;
  kind: DomainKind;
  addedAt: number;
  /** When a certificate was asked for again that CAA records had refused. */
  askedAt?: number;
};

/** Leads from one name to a domain of the project. */
export type Redirect = { from: string; to: string; status: number };

/** The records that a name has from an instant on, until its next change. */
export type ZoneChange = {
  name: string;
  records: readonly DnsRecord[];
  at: number;
  /** When everybody sees it. */
  seenAt: number;
};

/** All facts about the domains of a sandbox; what follows from them is computed when asked. */
export type DomainsState = {
  project?: Project;
  domains: readonly AttachedDomain[];
  redirects: readonly Redirect[];
  /** The names that were removed last, and serve nothing. */
  removed: readonly string[];
  zone: readonly ZoneChange[];
};

/** The facts of a sandbox that has just begun. */
export const noDomains: DomainsState = {
  domains: [],
  redirects: [],
  removed: [],
  zone: [],
};

/** The facts about the domains of a sandbox. */
export interface Domains {
  state(): DomainsState;
  change(next: DomainsState): void;
  /** Returns the facts to store; undefined if there are none. */
  save(): DomainsState | undefined;
  load(state: DomainsState | undefined): void;
}

/** Holds the facts about the domains of a sandbox: none at first. */
export function createDomains(): Domains {
  let state = noDomains;
  return {
    state: () => state,
    change: (next) => void (state = next),
    save: () => (state === noDomains ? undefined : state),
    load: (given) => void (state = given ?? noDomains),
  };
}
