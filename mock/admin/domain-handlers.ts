import { type Answer, noContent, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { type Authority, AuthorityError } from '../domains/authority.ts';
import {
  addDomain,
  addRedirect,
  findDomain,
  observeRecords,
  removeDomain,
  removeRedirect,
  replaceRecords,
  verifyDomain,
} from '../domains/change-domains.ts';
import { type DnsRecord, findBesideCname, toRecord } from '../domains/dns-records.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { toDomainView, toRedirectView } from '../domains/domain-view.ts';
import type { AttachedDomain, Project, Redirect } from '../domains/domains-state.ts';
import { toDomainKind, toHostName } from '../domains/host-name.ts';
import { createLookUp, LookUpError } from '../domains/look-up.ts';
import { changeProject, projectOf } from '../domains/project.ts';
import { allRecords } from '../domains/zone.ts';
import { quote } from '../json/quote.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminHandlers } from './admin.ts';
import {
  circumstancesOf,
  createFindHostProblem,
  type FindHostProblem,
  invalid,
  notHostName,
  notRegistrable,
  refuse,
  toName,
} from './domain-answers.ts';

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
  const findHostProblem = createFindHostProblem(allowedHosts);
  /** What the name server says of a domain; nothing without one. */
  const find = async (
    { domains }: Sandbox,
    { name, kind }: Pick<AttachedDomain, 'name' | 'kind'>,
  ) => {
    const rules = await readRules();
    const { target } = projectOf(domains.state(), rules);
    return lookUp?.({ name, kind, target, ttl: rules.ttlSeconds });
  };
  const show = async (sandbox: Sandbox, name: string, status = 200): Promise<Answer> => {
    const circumstances = await circumstancesOf(sandbox, readRules);
    const state = sandbox.domains.state();
    const domain = findDomain(state, name);
    if (!domain) return notFound(name);
    return toJsonAnswer(toDomainView(domain, state, circumstances), status);
  };
  return {
    ...createProjectHandlers(readRules),
    ...createDnsHandlers(readRules, dnsServer),
    ...createRedirectHandlers(readRules, findHostProblem),
    listDomains: async ({ sandbox }) => {
      const circumstances = await circumstancesOf(sandbox, readRules);
      const state = sandbox.domains.state();
      return toJsonAnswer({
        domains: state.domains.map((domain) => toDomainView(domain, state, circumstances)),
      });
    },
    addDomain: ({ sandbox, body }) =>
      orRefusal(async () => {
        const { domain: given } = body as { domain: string };
        const name = toHostName(given);
        const kind = name === undefined ? undefined : await toDomainKind(name);
        if (name === undefined || kind === undefined) return notRegistrable('domain', given);
        const problem = findHostProblem(name);
        if (problem) return refuse(problem);
        const { domains, clock } = sandbox;
        const rules = await readRules();
        const before = addDomain(domains.state(), { name, kind, addedAt: clock.now() }, rules);
        if (before.refusal !== undefined) return refuse(before.refusal);
        const found = await find(sandbox, { name, kind });
        const circumstances = await circumstancesOf(sandbox, readRules);
        // What was asked meanwhile has changed the facts.
        const seen = observeRecords(domains.state(), found, circumstances);
        if (seen.refusal !== undefined) return refuse(seen.refusal);
        const changed = addDomain(seen.state, { name, kind, addedAt: circumstances.now }, rules);
        if (changed.refusal !== undefined) return refuse(changed.refusal);
        domains.change(changed.state);
        return show(sandbox, name, 201);
      }),
    getAuthority: () =>
      orRefusal(async () => {
        const text = await authority.certificate();
        return { status: 200, text, mediaType: 'application/x-pem-file' };
      }),
    getDomain: ({ sandbox, params: { domain = '' } }) => show(sandbox, toName(domain)),
    removeDomain: ({ sandbox: { domains }, params: { domain = '' } }) => {
      const removed = removeDomain(domains.state(), toName(domain));
      if (!removed) return notFound(domain);
      domains.change(removed);
      return noContent;
    },
    verifyDomain: ({ sandbox, params: { domain: given = '' } }) =>
      orRefusal(async () => {
        const { domains } = sandbox;
        const domain = findDomain(domains.state(), toName(given));
        if (!domain) return notFound(given);
        const found = await find(sandbox, domain);
        const circumstances = await circumstancesOf(sandbox, readRules);
        const seen = observeRecords(domains.state(), found, circumstances);
        if (seen.refusal !== undefined) return refuse(seen.refusal);
        domains.change(verifyDomain(seen.state, domain.name, circumstances));
        return show(sandbox, domain.name);
      }),
  };
}

/** The answer, or the refusal where something outside the facts cannot be had. */
async function orRefusal<Given>(answer: () => Promise<Given>): Promise<Given | Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof LookUpError || error instanceof AuthorityError)
      return refuse(error.message);
    throw error;
  }
}

function notFound(name: string): Answer {
  return toErrorAnswer(
    'not_found',
    `The project has no domain ${quote(name)}. GET /__admin/domains lists those it has.`,
  );
}

/** The TTL of a record that is set without one, in seconds. */
const defaultTtl = 3600;

/** Show and replace the records of the zone, which are looked up where there is a name server. */
function createDnsHandlers(
  readRules: ReadDomainRules,
  dnsServer: string | undefined,
): AdminHandlers {
  return {
    getDns: ({ sandbox: { domains, clock } }) =>
      toJsonAnswer({
        records: allRecords(domains.state().zone, clock.now()),
        ...(dnsServer !== undefined && { dnsServer }),
      }),
    setDns: async ({ sandbox, body }) => {
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
      const misplaced = findBesideCname(next);
      if (misplaced) return invalid(`"records/${misplaced.index}": ${misplaced.problem}`);
      const circumstances = await circumstancesOf(sandbox, readRules);
      const changed = replaceRecords(sandbox.domains.state(), next, circumstances);
      if (changed.refusal !== undefined) return refuse(changed.refusal);
      sandbox.domains.change(changed.state);
      return toJsonAnswer({ records: next });
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
      for (const field of ['target', 'authority'] as const) {
        const name = given[field];
        if (name === undefined) continue;
        const canonical = toHostName(name);
        if (canonical === undefined) return notHostName(field, name);
        given[field] = canonical;
      }
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
    listRedirects: ({ sandbox }) =>
      toJsonAnswer({ redirects: sandbox.domains.state().redirects.map(toRedirectView) }),
    addRedirect: async ({ sandbox: { domains }, body }) => {
      const given = body as Omit<Redirect, 'status'> & { status?: number };
      const from = toHostName(given.from);
      const to = toHostName(given.to);
      if (from === undefined) return notHostName('from', given.from);
      if (to === undefined) return notHostName('to', given.to);
      if ((await toDomainKind(from)) === undefined) return notRegistrable('from', given.from);
      const problem = findHostProblem(from);
      if (problem) return refuse(problem);
      const { status = (await readRules()).redirectStatus } = given;
      const redirect = { from, to, status };
      const added = addRedirect(domains.state(), redirect);
      if (added.refusal !== undefined) return refuse(added.refusal);
      domains.change(added.state);
      return toJsonAnswer(toRedirectView(redirect), 201);
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
  };
}
