import { isJsonMedia, toEssence } from '../../common/media-type.ts';
import { type Check, called, clauseOf, shownBody } from '../clauses/check.ts';
import { headerValue } from '../transcript/exchange.ts';
import {
  answersOfOperations,
  fitsMediaTypes,
  holdsText,
  statedMediaTypes,
} from '../transcript/transcript.ts';

/** A body has a stated media type, whose parameters do not matter; one of JSON is JSON. */
export const mediaType: Check = {
  id: 'media-type',
  clause: clauseOf('media-type'),
  unheld: 'no body was received whose media type is stated',
  needs: 'a JSON body',
  general: 'A response body has a media type that the document states for it.',
  part: 'headers',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { response } = exchange;
      const types = statedMediaTypes(transcript, exchange);
      if (types.length === 0 || response.size === 0) continue;
      const sent = headerValue(exchange, 'Content-Type');
      const type = toEssence(sent ?? '');
      const fits = fitsMediaTypes(type, types);
      judge.hold(fits, exchange, () => ({
        message: `${called(exchange)} sends the body of a ${response.status} ${sent === undefined ? 'without a Content-Type' : `as ${type || 'no media type'}`}`,
        expected: `Content-Type: ${types.join(' or ')}`,
        actual: sent === undefined ? 'no Content-Type' : `Content-Type: ${sent}`,
      }));
      const isOther = fits ? !isJsonMedia(type) : !types.some(isJsonMedia);
      if (response.unjudged !== undefined || isOther || holdsText(exchange, type)) continue;
      judge.hold(response.json !== undefined, exchange, () => ({
        message: `${called(exchange)} answers ${response.status} with a body that is not JSON`,
        expected: 'valid JSON',
        actual: shownBody(response),
      }));
    }
  },
};
