import type { Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { aboutStatus, type Check, called, clauseOf } from '../clauses/check.ts';
import { type Doubt, judgeStatus } from '../clauses/judge-status.ts';
import { isInProse } from '../document/stated.ts';
import { formOfId, idAsked } from '../transcript/items.ts';
import { recordsOf } from '../transcript/ledger.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** An id that nothing has is answered with 404, or with the 410 that a document states. */
export const unknownId: Check = {
  id: 'unknown-id',
  clause: clauseOf('unknown-id'),
  unheld: 'no unknown id was requested',
  cases: ['unknown-id'],
  needsCases: ['unknown-id'],
  needs: 'an answer to an unknown id',
  general:
    'A read of an id that nothing has is answered with the 404 or 410 that the document states.',
  follows: ['reliable-answers'],
  part: 'status',
  judge(transcript, judge) {
    const { document } = transcript;
    const isRemoved: Doubt = ({ case: { operation }, response: { status }, endedAt }) =>
      status === 410 && (operation?.sunset ?? Number.POSITIVE_INFINITY) <= endedAt;
    const isOfOtherForm: Doubt = (exchange) =>
      [400, 422].includes(exchange.response.status) &&
      !isInProse(document) &&
      exchange.case.operation !== undefined &&
      !mayBeId(transcript, exchange.case.operation, idAsked(exchange));
    for (const exchange of answeredFor(transcript, 'unknown-id'))
      judgeStatus(document, judge, exchange, {
        doubts: [isRemoved, isOfOtherForm],
        violation: () => ({
          message: `${called(exchange)} answers ${exchange.response.status} for an unknown id`,
          group: `${called(exchange)} does not answer 404`,
          ...aboutStatus(exchange),
        }),
      });
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
