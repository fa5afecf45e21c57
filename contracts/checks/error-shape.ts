import { type Check, called, clauseOf, toWrongBody } from '../clauses/check.ts';
import { isStatedError, statedSchema } from '../document/stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations, isOtherThanJson } from '../transcript/transcript.ts';

/** The body of a stated error matches its schema. */
export const errorShape: Check = {
  id: 'error-shape',
  clause: clauseOf('error-shape'),
  unheld: 'no error was received whose body is described',
  cases: ['invalid-create', 'credential', 'unknown-id'],
  needs: 'a schema of an error',
  general: 'The body of a stated error matches its schema.',
  part: 'body',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { operation, method } = exchange.case;
      const { status, unjudged, json } = exchange.response;
      if (!operation || method === 'HEAD' || unjudged !== undefined) continue;
      const type = headerValue(exchange, 'Content-Type');
      if (!isStatedError(operation, status) || !statedSchema(operation, status, type)) continue;
      if (isOtherThanJson(transcript, exchange)) continue;
      const problems = transcript.validators.find(operation, status, type)?.(json) ?? [];
      const message = `${called(exchange)} answers ${status} with a body that breaks its schema`;
      judge.hold(problems.length === 0, exchange, () => ({
        ...toWrongBody(message, exchange.response, problems),
        group: `${message} ${problems.map(({ kind }) => kind)}`,
      }));
    }
  },
};
