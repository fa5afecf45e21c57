import type { Operation } from '../../contracts/description/document.ts';
import { sentStatus } from '../answers/answer.ts';
import { localsOf } from '../http/locals.ts';
import { contentOf, reserveUnread, reserveWritten, tooManyUnread } from '../http/send-answer.ts';
import type { BehaviourKind, Reason } from '../journal/reason.ts';
import type { CreateStep } from './step.ts';

/** How many bytes an answer that repeats the body adds to it. */
const added = 1024;

/** Does what the operation does, and answers. */
export const behave: CreateStep = ({ operation, deprecation, documented }, options) => {
  const { send } = options;
  const behaviour = options.behaviourOf(operation, options);
  const reason: Reason = { step: 'behaviour', kind: kindOf(operation) };
  return async (request, response) => {
    const { query = {}, parameters, sandbox, prefix, received } = localsOf(response);
    // An answer that repeats the body is refused before the item is stored, not after.
    if (received && !reserveUnread(response, received.length + added))
      return send(response, tooManyUnread, reason);
    const params = request.params as Record<string, string>;
    const { method, originalUrl: url, body } = request;
    const { store, clock } = sandbox;
    const call = { store, clock, method, url, params, query, parameters, source: request, body };
    const made = await behaviour(call);
    const answer = documented ? documented.complete(made, request, prefix) : made;
    if (received) reserveWritten(response, contentOf(answer).length);
    if (!deprecation) return send(response, answer, reason);
    const headers = { ...deprecation.headers(prefix, sentStatus(answer)), ...answer.headers };
    send(response, { ...answer, headers }, reason);
  };
};

function kindOf({ kind, singleton, actsOn, answersAs }: Operation): BehaviourKind {
  if (answersAs) return kindOf(answersAs);
  if (kind) return kind;
  if (singleton !== undefined) return 'singleton';
  return actsOn === undefined ? 'example' : 'action';
}
