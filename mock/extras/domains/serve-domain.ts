import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { once } from '../../../common/once-per.ts';
import type { Api } from '../../../openapi/index.ts';
import { type Answer, noContent, type TextAnswer, toErrorAnswer } from '../../answers/answer.ts';
import { hostName, resolveSandboxHeader } from '../../http/guard-request.ts';
import { type EnterSandbox, localsOf, type RecordExchange } from '../../http/locals.ts';
import { sendAnswer } from '../../http/send-answer.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { createReadDocs } from '../pages/docs.ts';
import { toFileAnswer } from '../pages/mount-pages.ts';
import type { HostRole } from './domain-view.ts';
import { type FindHostRoleOptions, findHostRole } from './find-host-role.ts';

export type ServeDomainOptions = FindHostRoleOptions & {
  document: Api;
  enter: EnterSandbox;
  record: RecordExchange;
};

/**
 * Answers a request whose host is a domain of a project: with the reference, with a redirect, or
 * with 404 once it was removed. Gives whether it did.
 */
export type ServeDomain = (request: Request, response: Response) => Promise<boolean>;

/** Creates the step for hosts other than the twin's own. */
export function createServeDomain(options: ServeDomainOptions): ServeDomain {
  const { document, enter, record } = options;
  const docs = once(() => createReadDocs(document, { isPublished: true }));

  const toAnswer = async (
    request: Request,
    { host, role, sandbox }: { host: string; role: HostRole; sandbox: Sandbox },
  ): Promise<Answer | TextAnswer> => {
    switch (role.role) {
      case 'served':
        return toFileAnswer(request, await docs()(request.path.slice(1), sandbox.clock.now()));
      case 'redirected':
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
          `${host} is a domain of the project that is not active yet, but ${role.state}. It waits for ${role.waitsFor.replace(/^The /, 'the ')}`,
        );
    }
  };
  return async (request, response) => {
    const host = hostName(authorityOf(request));
    if (host === undefined) return false;
    // A path that names a sandbox is one of the site, as any other.
    const address = resolveSandboxHeader(request);
    if (address.refusal) return false;
    const found = await findHostRole(host, options, address.name);
    if (!found) return false;
    const { sandbox, role } = found;
    const locals = localsOf(response);
    if (sandbox !== options.sandboxes.defaultSandbox) locals.sandboxName = sandbox.name;
    enter(response, locals);
    const sent = sendAnswer(response, await toAnswer(request, { host, role, sandbox }), []);
    record(response, { step: 'domain', domain: host, outcome: role.role }, sent);
    return true;
  };
}

/** The host and port that a request is for (RFC 9112 §3.2.2). */
function authorityOf({ url, headers }: Request): string {
  return /^https?:\/\/([^/?]*)/i.exec(url)?.[1] ?? headers.host ?? '';
}

/** Returns the URL of a request at another host, on the same port. */
function toLocation(request: Request, to: string): string {
  const scheme = (request.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  const port = /:\d+$/.exec(authorityOf(request))?.[0] ?? '';
  const target = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  return `${scheme}://${to}${port}${target.startsWith('/') ? target : `/${target}`}`;
}
