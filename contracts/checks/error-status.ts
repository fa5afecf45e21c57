import { membersOf } from '../../common/json.ts';
import { type Check, called, clauseOf, shownBody } from '../clauses/check.ts';
import { isStatedError } from '../document/stated.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** The status member of an Error is the HTTP status. */
export const errorStatus: Check = {
  id: 'error-status',
  clause: clauseOf('error-status'),
  unheld: 'no error with a described body had a numeric status',
  cases: ['invalid-create', 'credential', 'unknown-id'],
  needs: 'the clause itself',
  part: 'body',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const {
        case: { operation },
        response,
      } = exchange;
      const status = membersOf(response.json)?.status;
      if (!operation || !isStatedError(operation, response.status) || typeof status !== 'number')
        continue;
      judge.hold(status === response.status, exchange, () => ({
        message: `${called(exchange)} answers ${response.status} with an Error whose status is ${status}`,
        group: `${called(exchange)} answers ${response.status} with an Error of another status`,
        expected: `"status": ${response.status}`,
        actual: shownBody(response),
      }));
    }
  },
};
