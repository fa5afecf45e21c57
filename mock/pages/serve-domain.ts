import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import type { ApiDocument } from '../../contracts/description/document.ts';
import { type Answer, noContent, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { findRole, type HostRole, knowsHost } from '../domains/host-role.ts';
import { hostName } from '../http/guard-host.ts';
import { type EnterSandbox, localsOf } from '../http/locals.ts';
import type { RecordExchange } from '../http/record-exchange.ts';
import { resolveSandboxHeader } from '../http/resolve-sandbox.ts';
import { sendAnswer } from '../http/send-answer.ts';
import type { DomainOutcome } from '../journal/reason.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { createReadDocs } from './docs.ts';
import { toFileAnswer } from './mount-pages.ts';

export type ServeDomainOptions = {
  document: ApiDocument;
  sandboxes: Pick<Sandboxes, 'defaultSandbox' | 'find' | 'list'>;
  readRules: ReadDomainRules;
  enter: EnterSandbox;
  record: RecordExchange;
};

/**
 * Answers a request whose host is a domain of a project: with the reference, with a redirect, or
 * with 404 once it was removed. Gives whether it did.
 */
export type ServeDomain = (request: Request, response: Response) => Promise<boolean>;

const outcomes: Record<HostRole['role'], DomainOutcome> = {
  published: 'served',
  redirect: 'redirected',
  removed: 'removed',
  waiting: 'waiting',
};

/** Makes the step for hosts that are none of the twin's own. */
export function createServeDomain(options: ServeDomainOptions): ServeDomain {
  const { document, sandboxes, readRules, enter, record } = options;
  let read: ReturnType<typeof createReadDocs> | undefined;

  /** The sandbox that the request names, or the first one whose project knows the host. */
  const findSandbox = async (
    request: Request,
    host: string,
  ): Promise<{ sandbox: Sandbox; name?: string } | undefined> => {
    // A path that names a sandbox is one of the site, as any other.
    const address = resolveSandboxHeader(request);
    if (address.refusal) return undefined;
    const { name } = address;
    const named = name === undefined ? sandboxes.defaultSandbox : sandboxes.find(name)?.sandbox;
    await named?.refresh?.();
    if (named && knowsHost(named.domains.state(), host))
      return { sandbox: named, ...(name !== undefined && { name }) };
    if (name !== undefined) return undefined;
    const other = sandboxes
      .list()
      .find(({ sandbox }) => knowsHost(sandbox.domains.state(), host))?.sandbox;
    if (!other) return undefined;
    await other.refresh?.();
    return { sandbox: other, name: other.name };
  };
  const toAnswer = async (
    request: Request,
    { host, role, sandbox }: { host: string; role: HostRole; sandbox: Sandbox },
  ): Promise<Answer | TextAnswer> => {
    switch (role.role) {
      case 'published':
        read ??= createReadDocs(document, { isPublished: true });
        return toFileAnswer(request, await read(request.path.slice(1), sandbox.clock.now()));
      case 'redirect':
        return {
          ...noContent,
          status: role.status,
          headers: { Location: toLocation(request, role.to) },
        };
      case 'removed':
        return toErrorAnswer(
          'not_found',
          `${host} was removed from the project, and serves nothing.`,
        );
      case 'waiting':
        return toErrorAnswer(
          'host_not_allowed',
          `${host} is a domain of the project that is not active yet, but ${role.state}. It waits for: ${role.waitsFor}`,
        );
    }
  };
  return async (request, response) => {
    const host = hostName(authorityOf(request));
    if (host === undefined) return false;
    const found = await findSandbox(request, host);
    if (!found) return false;
    const { sandbox, name } = found;
    const role = findRole(sandbox.domains.state(), host, {
      rules: await readRules(),
      seed: sandbox.settings.seed,
      now: sandbox.clock.now(),
    });
    if (!role) return false;
    const locals = localsOf(response);
    locals.sandboxName = name;
    enter(response, locals);
    const sent = sendAnswer(response, await toAnswer(request, { host, role, sandbox }), []);
    record(response, { step: 'domain', domain: host, outcome: outcomes[role.role] }, sent);
    return true;
  };
}

/** The host and port that a request is for (RFC 9112 §3.2.2). */
function authorityOf({ url, headers }: Request): string {
  return /^https?:\/\/([^/?]*)/i.exec(url)?.[1] ?? headers.host ?? '';
}

/** The same place at another host, at the port that the request came to. */
function toLocation(request: Request, to: string): string {
  const scheme = (request.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  const port = /:\d+$/.exec(authorityOf(request))?.[0] ?? '';
  const target = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  return `${scheme}://${to}${port}${target.startsWith('/') ? target : `/${target}`}`;
}
