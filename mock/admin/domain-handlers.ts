import { type Answer, noContent, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { type Authority, AuthorityError } from '../domains/authority.ts';
import { addDomain, findDomain, removeDomain, verifyDomain } from '../domains/change-domains.ts';
import { observeRecords } from '../domains/change-records.ts';
import { toDomainKind } from '../domains/domain-kind.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { toDomainView } from '../domains/domain-view.ts';
import type { AttachedDomain } from '../domains/domains-state.ts';
import { toHostName } from '../domains/host-name.ts';
import { createLookUp, LookUpError } from '../domains/look-up.ts';
import { projectOf } from '../domains/project.ts';
import { quote } from '../json/quote.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminHandlers, OperationTraits } from './admin.ts';
import { createDnsHandlers } from './dns-handlers.ts';
import {
  circumstancesOf,
  createFindHostProblem,
  notRegistrable,
  refuse,
  toName,
} from './domain-answers.ts';
import { createProjectHandlers } from './project-handlers.ts';
import { createRedirectHandlers } from './redirect-handlers.ts';

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
