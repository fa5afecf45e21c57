import type { Answer } from '../answers/answer.ts';
import { noContent, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { type Authority, AuthorityError } from '../domains/authority.ts';
import { withParents } from '../domains/caa.ts';
import {
  addDomain,
  addRedirect,
  findDomain,
  removeDomain,
  removeRedirect,
  retryCertificate,
  toProject,
} from '../domains/change-domains.ts';
import { type DnsRecord, toRecord } from '../domains/dns-records.ts';
import { toDomainKind } from '../domains/domain-kind.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { type Circumstances, progressOf, toDomainView } from '../domains/domain-view.ts';
import type { Project, Redirect } from '../domains/domains-state.ts';
import { hostName, toHostName } from '../domains/host-name.ts';
import { createLookUp, LookUpError } from '../domains/look-up.ts';
import { allRecords, replaceRecords, setRecords } from '../domains/zone.ts';
import { quote } from '../json/quote.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminHandlers, OperationTraits } from './admin.ts';

const recorded: OperationTraits = { isRecorded: true };

/** What changes the domains of a sandbox is in its journal. */
export const domainTraits: Readonly<Record<string, OperationTraits>> = {
  getAuthority: { state: 'unused' },
  setProject: recorded,
  addDomain: recorded,
  removeDomain: recorded,
  verifyDomain: recorded,
  addRedirect: recorded,
  removeRedirect: recorded,
  setDns: recorded,
};

export type DomainHandlersOptions = {
  readRules: ReadDomainRules;
  /** The hosts of the twin itself, which are no domains of a project. */
  allowedHosts: readonly string[];
  authority: Authority;
  /** The name server where records are looked up, in place of the zones of sandboxes. */
  dnsServer?: string;
};

/** Publish a project, add domains to it and follow them until they are active. */
export function createDomainHandlers({
  readRules,
  allowedHosts,
  authority,
  dnsServer,
}: DomainHandlersOptions): AdminHandlers {
  const lookUp = dnsServer === undefined ? undefined : createLookUp(dnsServer);
  /** Looks up the records of a domain, where there is a name server. Gives why it could not. */
  const observe = async (
    { domains, clock }: Sandbox,
    name: string,
  ): Promise<Answer | undefined> => {
    const domain = findDomain(domains.state(), name);
    if (!lookUp || !domain) return undefined;
    const rules = await readRules();
    const { target } = toProject(domains.state().project ?? {}, rules);
    try {
      const records = await lookUp({ ...domain, target, ttl: rules.ttlSeconds });
      const now = clock.now();
      domains.change(
        setRecords(domains.state(), withParents(name), records, { now, isObserved: true }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof LookUpError) return refuse(error.message);
      throw error;
    }
  };
  const ownHosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
  /** Why a name cannot be one of the project; undefined where it can. */
  const problemOf = (name: string) =>
    name.endsWith('.localhost')
      ? `${name} is this machine, as all names that end in .localhost are. Give another one.`
      : ownHosts.has(name) || ownHosts.has('*')
        ? `${ownHosts.has(name) ? name : 'Any host'} is a host of the API here. Start the twin without it in --allowed-hosts.`
        : undefined;
  const circumstancesOf = async ({ clock, settings }: Sandbox): Promise<Circumstances> => ({
    rules: await readRules(),
    seed: settings.seed,
    now: clock.now(),
  });
  const showDomain = async (sandbox: Sandbox, name: string, status = 200): Promise<Answer> => {
    const state = sandbox.domains.state();
    const domain = findDomain(state, name);
    if (!domain) return notFound(name);
    return toJsonAnswer(toDomainView(domain, state, await circumstancesOf(sandbox)), status);
  };
  return {
    getProject: async ({ sandbox }) =>
      toJsonAnswer(toProject(sandbox.domains.state().project ?? {}, await readRules())),
    setProject: async ({ sandbox: { domains }, body }) => {
      const given = body as Partial<Project>;
      for (const field of ['target', 'authority'] as const) {
        const name = given[field];
        const canonical = name === undefined ? undefined : toHostName(name);
        if (name !== undefined && canonical === undefined)
          return invalid(`"${field}" must be ${hostName}, but is ${quote(name)}.`);
        if (canonical !== undefined) given[field] = canonical;
      }
      const project = toProject({ ...domains.state().project, ...given }, await readRules());
      domains.change({ ...domains.state(), project });
      return toJsonAnswer(project);
    },
    listDomains: async ({ sandbox }) => {
      const state = sandbox.domains.state();
      const circumstances = await circumstancesOf(sandbox);
      return toJsonAnswer({
        domains: state.domains.map((domain) => toDomainView(domain, state, circumstances)),
      });
    },
    addDomain: async ({ sandbox, body }) => {
      const { domain } = body as { domain: string };
      const name = toHostName(domain);
      const kind = name === undefined ? undefined : await toDomainKind(name);
      if (name === undefined || kind === undefined)
        return invalid(
          `"domain" must be a host name below a public suffix, such as docs.example.com, but is ${quote(domain)}.`,
        );
      const problem = problemOf(name);
      if (problem) return refuse(problem);
      const { domains, clock } = sandbox;
      const rules = await readRules();
      const added = addDomain(domains.state(), { name, kind, addedAt: clock.now() }, rules);
      if (added.refusal !== undefined) return refuse(added.refusal);
      const before = domains.state();
      domains.change(added.state);
      const unanswered = await observe(sandbox, name);
      if (unanswered) domains.change(before);
      return unanswered ?? showDomain(sandbox, name, 201);
    },
    getAuthority: async () => {
      try {
        const text = await authority.certificate();
        return { status: 200, text, mediaType: 'application/x-pem-file' };
      } catch (error) {
        if (error instanceof AuthorityError) return refuse(error.message);
        throw error;
      }
    },
    getDomain: ({ sandbox, params: { domain = '' } }) => showDomain(sandbox, toName(domain)),
    removeDomain: ({ sandbox: { domains }, params: { domain = '' } }) => {
      const removed = removeDomain(domains.state(), toName(domain));
      if (!removed) return notFound(domain);
      domains.change(removed);
      return noContent;
    },
    verifyDomain: async ({ sandbox, params: { domain: given = '' } }) => {
      const { domains } = sandbox;
      const domain = findDomain(domains.state(), toName(given));
      if (!domain) return notFound(given);
      const unanswered = await observe(sandbox, domain.name);
      if (unanswered) return unanswered;
      const circumstances = await circumstancesOf(sandbox);
      const { problems } = progressOf(domain, domains.state(), circumstances);
      if (problems.some(({ code }) => code === 'verify-again'))
        domains.change(retryCertificate(domains.state(), domain.name, circumstances.now));
      return showDomain(sandbox, domain.name);
    },
    listRedirects: ({ sandbox }) => toJsonAnswer({ redirects: sandbox.domains.state().redirects }),
    addRedirect: async ({ sandbox: { domains }, body }) => {
      const given = body as Omit<Redirect, 'status'> & { status?: number };
      const from = toHostName(given.from);
      const to = toHostName(given.to);
      if (from === undefined)
        return invalid(`"from" must be ${hostName}, but is ${quote(given.from)}.`);
      if (to === undefined) return invalid(`"to" must be ${hostName}, but is ${quote(given.to)}.`);
      const { status = (await readRules()).redirectStatus } = given;
      const redirect = { from, to, status };
      const problem = problemOf(from);
      if (problem) return refuse(problem);
      const added = addRedirect(domains.state(), redirect);
      if (added.refusal !== undefined) return refuse(added.refusal);
      domains.change(added.state);
      return toJsonAnswer(redirect, 201);
    },
    removeRedirect: ({ sandbox: { domains }, params: { from = '' } }) => {
      const removed = removeRedirect(domains.state(), toName(from));
      if (!removed)
        return toErrorAnswer(
          'not_found',
          `There is no redirect from ${quote(from)}. GET /__admin/redirects lists those that exist.`,
        );
      domains.change(removed);
      return noContent;
    },
    getDns: ({ sandbox: { domains, clock } }) =>
      toJsonAnswer({ records: allRecords(domains.state().zone, clock.now()) }),
    setDns: ({ sandbox: { domains, clock }, body }) => {
      if (dnsServer !== undefined)
        return refuse(
          `Records are looked up at ${dnsServer} (--dns-server). Set them there, and verify the domain again.`,
        );
      const { records } = body as { records: DnsRecord[] };
      const next: DnsRecord[] = [];
      for (const [index, given] of records.entries()) {
        const record = toRecord({ ...given, ttl: given.ttl ?? defaultTtl });
        if (typeof record === 'string') return invalid(`"records/${index}": ${record}`);
        next.push(record);
      }
      domains.change(replaceRecords(domains.state(), next, clock.now()));
      return toJsonAnswer({ records: next });
    },
  };
}

/** The TTL of a record that is set without one, in seconds. */
const defaultTtl = 3600;

function toName(given: string): string {
  return toHostName(given) ?? '';
}

function invalid(problem: string): Answer {
  return toErrorAnswer('invalid_body', problem);
}

function refuse(problem: string): Answer {
  return toErrorAnswer('domain_refused', problem);
}

function notFound(name: string): Answer {
  return toErrorAnswer(
    'not_found',
    `The project has no domain ${quote(name)}. GET /__admin/domains lists those it has.`,
  );
}
