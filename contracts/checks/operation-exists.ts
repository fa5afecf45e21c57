import { isSuccess } from '../../common/success.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { type Check, called, clauseOf, shownAnswer } from '../clauses/check.ts';
import { toKeyDoubt } from '../clauses/key-doubts.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** An operation of which the interface says no more than that it is there, is there. */
export const operationExists: Check = {
  id: 'operation-exists',
  clause: clauseOf('operation-exists'),
  unheld: 'no operation other than those on stored items was called',
  cases: ['call'],
  needsCases: ['call'],
  needs: 'an operation of no kind',
  general: 'An operation that the document describes exists.',
  follows: ['reliable-answers'],
  part: 'status',
  judge(transcript, judge) {
    const answered = transcript.exchanges.filter(({ response }) => (response?.status ?? 500) < 300);
    const there = new Set(answered.map(({ case: { operation } }) => operation?.id));
    for (const exchange of answeredFor(transcript, 'call')) {
      const { status, text } = exchange.response;
      const { operation, isMadeUp } = exchange.case;
      // Of a path such as /shelters/{shelterId}/report only the item may be unknown.
      if (operation?.path.includes('{') && [404, 410].includes(status)) continue;
      if (isMadeUp && ![405, 501].includes(status)) continue;
      // One item may be in a state that forbids it.
      if (operation?.path.includes('{') && there.has(operation.id)) continue;
      if (toKeyDoubt(transcript, exchange) !== undefined) continue;
      // An operation may be described to refuse everybody.
      const isKey =
        status === 401 && operation?.waysIn.length !== 0 && operation?.responses.some(isSuccess);
      const isThere = ![401, 404, 405, 410, 501].includes(status);
      if (!isThere && operation && !isKey && isDescribed(operation, status)) continue;
      judge.hold(isThere, exchange, () => ({
        message: `${called(exchange)} answers ${status} to a valid key, as if it did not exist`,
        expected: 'an answer of the operation, such as 200',
        actual: shownAnswer({ status, text }),
      }));
    }
  },
};
