import type { DnsRecord } from '../mock/domains/dns-records.ts';
import type { Project, Redirect } from '../mock/domains/domains-state.ts';
import type { DomainView } from '../mock/extras/domains/domain-view.ts';
import { type CallAdmin, segment } from './admin-client.ts';

/** The custom domains of the published project, and the DNS records that lead to it. */
export interface Domains {
  list(): Promise<DomainView[]>;
  get(domain: string): Promise<DomainView>;
  /** Adds one; rejects with the code `domain_refused` without a paid plan and a deploy. */
  add(domain: string): Promise<DomainView>;
  /** Verifies it again, and asks for a certificate that CAA records had blocked. */
  verify(domain: string): Promise<DomainView>;
  /** Removes it with its redirects; it serves nothing from the next request on. */
  remove(domain: string): Promise<void>;
  /** The project, after a change if there is one. */
  project(change?: Partial<Project>): Promise<Project>;
  readonly redirects: Redirects;
  readonly dns: DnsZone;
}

/** Redirects from other names to domains of the project. */
export interface Redirects {
  list(): Promise<Redirect[]>;
  add(redirect: Omit<Redirect, 'status'> & { status?: number }): Promise<Redirect>;
  remove(from: string): Promise<void>;
}

/** The DNS records of the sandbox. */
export interface DnsZone {
  list(): Promise<DnsRecord[]>;
  /** Replaces all of them, each with a TTL of 3600 seconds unless it has its own. */
  set(records: readonly GivenDnsRecord[]): Promise<DnsRecord[]>;
}

/** A DNS record as it is set. */
export type GivenDnsRecord = Omit<DnsRecord, 'ttl'> & { ttl?: number };

/** Controls the domains of the sandbox that `call` calls. */
export function createDomains(call: CallAdmin): Domains {
  const placeOf = (domain: string) => `domains/${segment(domain)}`;
  return {
    list: async () => (await call<{ domains: DomainView[] }>('GET', 'domains')).domains,
    get: (domain) => call('GET', placeOf(domain)),
    add: (domain) => call('POST', 'domains', { domain }),
    verify: (domain) => call('POST', `${placeOf(domain)}/verify`),
    remove: (domain) => call('DELETE', placeOf(domain)),
    project: (change) => (change ? call('PUT', 'project', change) : call('GET', 'project')),
    redirects: {
      list: async () => (await call<{ redirects: Redirect[] }>('GET', 'redirects')).redirects,
      add: (redirect) => call('POST', 'redirects', redirect),
      remove: (from) => call('DELETE', `redirects/${segment(from)}`),
    },
    dns: {
      list: async () => (await call<{ records: DnsRecord[] }>('GET', 'dns')).records,
      set: async (records) =>
        (await call<{ records: DnsRecord[] }>('PUT', 'dns', { records })).records,
    },
  };
}
