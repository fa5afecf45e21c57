import type { Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { aboutStatus, type Check, called, clauseOf, shownAnswer } from '../clauses/check.ts';
import { isInProse, isStatedError } from '../document/stated.ts';
import { formOfId, idAsked } from '../transcript/ids.ts';
import { recordsOf } from '../transcript/ledger.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** An id that nothing has is answered with 404. */
export const unknownId: Check = {
  id: 'unknown-id',
  clause: clauseOf('unknown-id'),
  unheld: 'no unknown id was requested',
  cases: ['unknown-id'],
  needsCases: ['unknown-id'],
  needs: 'an answer to an unknown id',
  follows: ['reliable-answers'],
  part: 'status',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'unknown-id')) {
      const { status, text } = exchange.response;
      const { operation } = exchange.case;
      if (!operation || !isStatedError(operation, 404)) continue;
      if (status === 410 && (operation.sunset ?? Number.POSITIVE_INFINITY) <= exchange.endedAt)
        continue;
      // What a caller may not see need not be told from what is not there (RFC 9110 §15.5.4).
      if (status === 403 && !isInProse(transcript.document)) continue;
      // A schema may leave no room for an id that nothing has.
      const isOfForm = !isInProse(transcript.document) && [400, 422].includes(status);
      const id = idAsked(exchange.request.path);
      if (isOfForm && (isStatedError(operation, status) || !mayBeId(transcript, operation, id)))
        continue;
      judge.hold(status === 404, exchange, () => ({
        message: `${called(exchange)} answers ${status} for an unknown id`,
        group: `${called(exchange)} does not answer 404`,
        expected: '404',
        actual: shownAnswer({ status, text }),
        ...aboutStatus(exchange),
      }));
    }
  },
};

/** Whether an id keeps to the bounds of its schema, and to the one form of the ids that were seen. */
function mayBeId(transcript: Transcript, operation: Operation, id: string): boolean {
  const { document } = transcript;
  const parameter = operation.parameters.find(({ name }) => operation.path.endsWith(`{${name}}`));
  const schema = document.schemas.resolve(parameter?.schema ?? {});
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const resource = findResource(document, operation);
  const seen = resource ? recordsOf(transcript, resource) : [];
  const forms = new Set(seen.map((item) => formOfId(item.id)));
  const isOpen = schema.type === 'string' && schema.format === undefined && forms.size < 2;
  if (isOpen && !forms.has(formOfId(id))) return false;
  return !(Number(id) < Number(minimum) || Number(id) > Number(maximum));
}
