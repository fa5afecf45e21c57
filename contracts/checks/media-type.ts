import { type Check, called, clauseOf, shownBody } from '../clauses/check.ts';
import type { Operation } from '../description/document.ts';
import { findIn, isJson } from '../description/stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';
/** Bodies are JSON, sent as application/json; parameters of the media type do not matter. */
export const mediaType: Check = {
  id: 'media-type',
  clause: clauseOf('media-type'),
  unheld: 'no body was received whose media type is stated',
  needs: 'a JSON body',
  general: 'A response body has a media type that the document states for it.',
  part: 'headers',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const {
        case: { operation, method },
        response,
      } = exchange;
      const types = operation && method !== 'HEAD' ? mediaTypes(operation, response.status) : [];
      if (!types.includes('application/json') || response.size === 0) continue;
      const sent = headerValue(exchange, 'Content-Type');
      const type = sent?.split(';')[0]?.trim().toLowerCase() ?? '';
      judge.hold(types.includes(type), exchange, () => ({
        message: `${called(exchange)} sends the body of a ${response.status} ${sent === undefined ? 'without a Content-Type' : `as ${type || 'no media type'}`}`,
        expected: `Content-Type: ${types.join(' or ')}`,
        actual: sent === undefined ? 'no Content-Type' : `Content-Type: ${sent}`,
      }));
      if (response.unjudged !== undefined || (type !== 'application/json' && types.includes(type)))
        continue;
      judge.hold(response.json !== undefined, exchange, () => ({
        message: `${called(exchange)} answers ${response.status} with a body that is not JSON`,
        expected: 'valid JSON',
        actual: shownBody(response),
      }));
    }
  },
};

/**
 * The media types that a body may have: those stated for its status; of a success that is not
 * stated, JSON where all else is JSON.
 */
function mediaTypes({ responses }: Operation, status: number): readonly string[] {
  const response = findIn(responses, status);
  const isBinding =
    status < 300 || (status >= 400 && status !== 429 && response?.assumed === undefined);
  if (status < 200 || !isBinding) return [];
  if (response) return response.mediaTypes;
  const withContent = responses.filter((one) => one.mediaTypes.length > 0);
  return status < 300 && withContent.length > 0 && withContent.every(isJson)
    ? ['application/json']
    : [];
}
