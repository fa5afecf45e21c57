import { noContent, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { addRedirect, removeRedirect } from '../domains/change-domains.ts';
import { toDomainKind } from '../domains/domain-kind.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { toRedirectView } from '../domains/domain-view.ts';
import type { Redirect } from '../domains/domains-state.ts';
import { toHostName } from '../domains/host-name.ts';
import { quote } from '../json/quote.ts';
import type { AdminHandlers } from './admin.ts';
import {
  type FindHostProblem,
  notHostName,
  notRegistrable,
  refuse,
  toName,
} from './domain-answers.ts';

/** List, add and remove the redirects to domains of the project. */
export function createRedirectHandlers(
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
