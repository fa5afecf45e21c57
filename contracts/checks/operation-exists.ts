import { isDescribed } from '../description/stated.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { type Check, called, shownAnswer } from './check.ts';
import { clauseOf } from './clause-of.ts';

/** An operation that the interface names without telling its answers is there. */
export const operationExists: Check = {
  id: 'operation-exists',
  clause: clauseOf('operation-exists'),
  unheld: 'no GET besides those that list and read items was called',
  cases: ['call'],
  needs: 'an operation of no kind',
  general: 'An operation that the document describes exists.',
  follows: ['reliable-answers'],
  part: 'status',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'call')) {
      const { status, text } = exchange.response;
      const { operation, purpose } = exchange.case;
      // Of a path such as /shelters/{shelterId}/report only the item may be unknown.
      if (operation?.path.includes('{') && [404, 410].includes(status)) continue;
      if (purpose.isMadeUp && ![405, 501].includes(status)) continue;
      const isKey = status === 401 && operation?.secured === true;
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
