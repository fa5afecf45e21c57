import { statedSchema, statedSuccess } from '../stated.ts';
import { answersOfOperations } from '../transcript/transcript.ts';
import { type Check, called } from './check.ts';

/** prism-http's validators and our own agree on each success body. */
export const secondOpinion: Check = {
  id: 'second-opinion',
  clause: {
    basis: 'none',
    source: '@stoplight/prism-http',
    text: 'A second validator comes to the same result on each success body.',
  },
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const {
        case: { operation, method },
        response,
      } = exchange;
      const other = transcript.secondOpinions.get(exchange.number);
      if (
        !operation ||
        other === undefined ||
        method === 'HEAD' ||
        response.status !== statedSuccess(operation) ||
        !statedSchema(operation, response.status)
      )
        continue;
      const ours = transcript.validators.find(operation, response.status)?.(response.json) ?? [];
      judge.hold(ours.length > 0 === other.length > 0, exchange, () => ({
        message: `two validators disagree on the body of a ${response.status} of ${called(exchange)}`,
        expected: ours.length > 0 ? `our own finds: ${ours[0]?.problem}` : 'our own finds no fault',
        actual: other.length > 0 ? `prism-http finds: ${other[0]}` : 'prism-http finds no fault',
      }));
    }
  },
};
