import { type Check, called, clauseOf, toWrongBody } from '../clauses/check.ts';
import { isStatedErrorBody } from '../document/stated.ts';
import { statedBodies } from '../transcript/transcript.ts';

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
    const { document } = transcript;
    const isOfError = isStatedErrorBody.bind(undefined, document);
    for (const { exchange, problems } of statedBodies(transcript, isOfError)) {
      const message = `${called(exchange)} answers ${exchange.response.status} with a body that breaks its schema`;
      judge.hold(problems.length === 0, exchange, () => ({
        ...toWrongBody(message, exchange.response, problems),
        group: `${message} ${problems.map(({ kind }) => kind)}`,
      }));
    }
  },
};
