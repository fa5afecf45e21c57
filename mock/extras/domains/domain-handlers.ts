import { type Answer, noContent, toJsonAnswer } from '../../answers/answer.ts';
import type { Authority } from '../../domains/authority.ts';
import { type DnsRecord, toRecord } from '../../domains/dns-records.ts';
import type { AttachedDomain, Project, Redirect } from '../../domains/domains-state.ts';
import { hostName, toDomainKind, toHostName } from '../../domains/host-name.ts';
import { quote } from '../../json/quote.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { AdminCall, AdminHandlers } from '../admin/admin.ts';
import { refuse, refuseUnknown } from '../admin/refusal.ts';
import {
  addDomain,
  addRedirect,
  findDomain,
  removeDomain,
  removeRedirect,
  replaceRecords,
  verifyDomain,
} from './change-domains.ts';
import { toDomainView } from './domain-view.ts';
import { type Circumstances, changeProject, projectOf, type ReadDomainRules } from './project.ts';
import { allRecords } from './zone.ts';

export type DomainHandlersOptions = {
  readRules: ReadDomainRules;
  /** The hosts of the twin itself, which are no domains of a project. */
  allowedHosts: readonly string[];
  authority: Authority;
};

/** Publish a project, add domains to it and follow them until they are active. */
export function createDomainHandlers(options: DomainHandlersOptions): AdminHandlers {
  const { readRules, authority } = options;
  const findHostProblem = createFindHostProblem(options.allowedHosts);
  const show = async (sandbox: Sandbox, name: string, status = 200): Promise<Answer> => {
    const circumstances = await circumstancesOf(sandbox, readRules);
    const state = sandbox.domains.state();
    return toJsonAnswer(toDomainView(domainOf(sandbox, name), state, circumstances), status);
  };
  return {
    ...createProjectHandlers(readRules),
    ...createDnsHandlers(readRules),
    ...createRedirectHandlers(readRules, findHostProblem),
    listDomains: async ({ sandbox }) => {
      const circumstances = await circumstancesOf(sandbox, readRules);
      const state = sandbox.domains.state();
      const domains = state.domains.map((domain) => toDomainView(domain, state, circumstances));
      return toJsonAnswer({ domains });
    },
    addDomain: async ({ sandbox, body }) => {
      const { domain: given } = body as { domain: string };
      const { name, kind } = await toRegistrable('domain', given);
      refuseHost(findHostProblem(name));
      const { domains, clock } = sandbox;
      const domain = { name, kind, addedAt: clock.now() };
      domains.change(addDomain(domains.state(), domain, await readRules()));
      return show(sandbox, name, 201);
    },
    getAuthority: async () => {
      const text = await authority.certificate();
      return { status: 200, text, mediaType: 'application/x-pem-file' };
    },
    getDomain: ({ sandbox, params: { domain = '' } }) => show(sandbox, domain),
    removeDomain: ({ sandbox, params: { domain = '' } }) => {
      const { name } = domainOf(sandbox, domain);
      sandbox.domains.change(removeDomain(sandbox.domains.state(), name));
      return noContent;
    },
    verifyDomain: async ({ sandbox, params: { domain = '' } }) => {
      const { name } = domainOf(sandbox, domain);
      const circumstances = await circumstancesOf(sandbox, readRules);
      sandbox.domains.change(verifyDomain(sandbox.domains.state(), name, circumstances));
      return show(sandbox, name);
    },
  };
}

/** The rules, the seed and the clock by which the domains of a sandbox go. */
async function circumstancesOf(
  { clock, settings }: Sandbox,
  readRules: ReadDomainRules,
): Promise<Circumstances> {
  return { rules: await readRules(), seed: settings.seed, now: clock.now() };
}

function domainOf({ domains }: Sandbox, given: string): AttachedDomain {
  const domain = findDomain(domains.state(), toHostName(given) ?? '');
  const known = 'GET /__admin/domains lists those it has.';
  return domain ?? refuse('not_found', `The project has no domain ${quote(given)}. ${known}`);
}

/** Returns why a name cannot be a project's domain; undefined if it can. */
export type FindHostProblem = (name: string) => string | undefined;

/** Creates a test that separates the mock's own hosts from possible domains. */
export function createFindHostProblem(allowedHosts: readonly string[]): FindHostProblem {
  const own = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return (name) => {
    if (name.endsWith('.localhost'))
      return `${name} is this machine, as all names that end in .localhost are. Give another one.`;
    if (!own.has(name) && !own.has('*')) return undefined;
    return `${own.has(name) ? name : 'Any host'} is a host of the API here. Start the mock without it in --allowed-hosts.`;
  };
}

function refuseHost(problem: string | undefined): void {
  if (problem !== undefined) refuse('domain_refused', problem);
}

/** The name in a field of a body, in its canonical form. */
function toName(field: string, given: string): string {
  const problem = `"${field}" must be ${hostName}, but is ${quote(given)}.`;
  return toHostName(given) ?? refuse('invalid_body', problem);
}

/**
 * Returns the host name of a field, and refuses names that nobody can register, such as public
 * suffixes.
 */
async function toRegistrable(field: string, given: string) {
  const name = toHostName(given);
  const kind = name === undefined ? undefined : await toDomainKind(name);
  if (name !== undefined && kind !== undefined) return { name, kind };
  return refuse(
    'invalid_body',
    `"${field}" must be a host name below a public suffix, such as docs.example.com, but is ${quote(given)}.`,
  );
}

/** The TTL of a record that is set without one, in seconds. */
const defaultTtl = 3600;

/** Show and replace the records of the zone. */
function createDnsHandlers(readRules: ReadDomainRules): AdminHandlers {
  return {
    getDns: ({ sandbox: { domains, clock } }) =>
      toJsonAnswer({ records: allRecords(domains.state().zone, clock.now()) }),
    setDns: async ({ sandbox, body }) => {
      const refuseRecord = (index: number, problem: string) =>
        refuse('invalid_body', `"records/${index}": ${problem}`);
      const { records: given } = body as { records: DnsRecord[] };
      const records = given.map((one, index) => {
        const record = toRecord({ ...one, ttl: one.ttl ?? defaultTtl });
        return typeof record === 'string' ? refuseRecord(index, record) : record;
      });
      const circumstances = await circumstancesOf(sandbox, readRules);
      sandbox.domains.change(replaceRecords(sandbox.domains.state(), records, circumstances));
      return toJsonAnswer({ records });
    },
  };
}

/** Show and change the project that is published. */
function createProjectHandlers(readRules: ReadDomainRules): AdminHandlers {
  return {
    getProject: async ({ sandbox }) =>
      toJsonAnswer(projectOf(sandbox.domains.state(), await readRules())),
    setProject: async ({ sandbox, body }) => {
      const given = { ...(body as Partial<Project>) };
      for (const field of ['target', 'authority'] as const)
        if (given[field] !== undefined) given[field] = toName(field, given[field]);
      const circumstances = await circumstancesOf(sandbox, readRules);
      const changed = changeProject(sandbox.domains.state(), given, circumstances);
      sandbox.domains.change(changed);
      return toJsonAnswer(changed.project);
    },
  };
}

/** List, add and remove the redirects to domains of the project. */
function createRedirectHandlers(
  readRules: ReadDomainRules,
  findHostProblem: FindHostProblem,
): AdminHandlers {
  return {
    listRedirects: ({ sandbox }) => toJsonAnswer({ redirects: sandbox.domains.state().redirects }),
    addRedirect: async ({ sandbox: { domains }, body }) => {
      const given = body as Omit<Redirect, 'status'> & { status?: number };
      const from = toName('from', given.from);
      const to = toName('to', given.to);
      await toRegistrable('from', given.from);
      refuseHost(findHostProblem(from));
      const { status = (await readRules()).redirectStatus } = given;
      const redirect = { from, to, status };
      domains.change(addRedirect(domains.state(), redirect));
      return toJsonAnswer(redirect, 201);
    },
    removeRedirect: ({ sandbox: { domains }, params: { from = '' } }: AdminCall) => {
      const removed = removeRedirect(domains.state(), toHostName(from) ?? '');
      const known = 'GET /__admin/redirects lists those that exist.';
      domains.change(removed ?? refuseUnknown('redirect from', from, known));
      return noContent;
    },
  };
}
