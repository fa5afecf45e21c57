import { isStatedError } from '../stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';
import { type Check, called, shown } from './check.ts';

/** Bodies are JSON, sent as application/json; parameters of the media type do not matter. */
export const mediaType: Check = {
  id: 'media-type',
  clause: { basis: 'stated', source: '§1, §7', text: 'Response bodies are JSON, with media type application/json.' },
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const {
        case: { operation, method },
        response,
      } = exchange;
      const stated = operation && (isSuccess(response.status) || isStatedError(operation, response.status));
      if (!stated || method === 'HEAD' || response.body.length === 0) continue;
      const sent = headerValue(exchange, 'Content-Type');
      const kept = sent?.split(';')[0]?.trim().toLowerCase() === 'application/json';
      judge.hold(kept, exchange, () => ({
        message: `${called(exchange)} sends the body of a ${response.status} as another media type`,
        expected: 'Content-Type: application/json',
        actual: sent === undefined ? 'no Content-Type' : `Content-Type: ${sent}`,
      }));
      judge.hold(response.json !== undefined, exchange, () => ({
        message: `${called(exchange)} answers ${response.status} with a body that is no JSON`,
        expected: 'valid JSON',
        actual: shown(response.text),
      }));
    }
  },
};

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
