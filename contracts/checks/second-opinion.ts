import { type Check, called } from '../clauses/check.ts';
import { successBodies } from '../transcript/transcript.ts';

/** prism-http's validators and our own agree on each success body. */
export const secondOpinion: Check = {
  id: 'second-opinion',
  clause: {
    basis: 'none',
    source: '@stoplight/prism-http',
    text: 'A second validator agrees on each success body.',
  },
  unheld: 'no body was given to a second validator',
  needs: 'a schema of a success',
  judge(transcript, judge) {
    for (const { exchange, problems: ours } of successBodies(transcript)) {
      const { response } = exchange;
      const other = transcript.secondOpinions.get(exchange.number);
      if (other === undefined) continue;
      judge.hold(ours.length > 0 === other.length > 0, exchange, () => ({
        message: `two validators disagree on the body of a ${response.status} of ${called(exchange)}`,
        expected: ours.length > 0 ? `our own finds: ${ours[0]?.problem}` : 'our own finds no fault',
        actual: other.length > 0 ? `prism-http finds: ${other[0]}` : 'prism-http finds no fault',
      }));
    }
  },
};
