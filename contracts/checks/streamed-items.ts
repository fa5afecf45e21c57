import { type Check, called, shownBody } from '../clauses/check.ts';
import { toEssence } from '../description/content.ts';
import { isStatedSuccess } from '../description/stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { readSequence } from '../transcript/page-walks.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** Each item of a body that is a sequence of them fits its schema. */
export const streamedItems: Check = {
  id: 'streamed-items',
  clause: {
    basis: 'none',
    source: 'the items of the same response',
    text: 'Each item of a streamed body matches its schema.',
  },
  isStatedByNeed: true,
  unheld: 'no success with streamed items was received',
  needs: 'a schema of streamed items',
  part: 'body',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { response } = exchange;
      const { operation, method } = exchange.case;
      if (!operation || method === 'HEAD' || response.unjudged !== undefined) continue;
      if (!isStatedSuccess(operation, response.status)) continue;
      const mediaType = toEssence(headerValue(exchange, 'Content-Type') ?? '');
      const find = transcript.validators.findItems(operation, response.status, mediaType);
      const [items, ...others] = find ? readSequence(mediaType, response.text) : [];
      if (!find || !items) continue;
      const broken = items.indexOf(undefined);
      const isMeant = others.some((one) => find(one).length === 0);
      const [first, ...more] = broken < 0 && !isMeant ? find(items) : [];
      judge.hold(broken < 0 && !first, exchange, () => ({
        message: `${called(exchange)} streams ${first ? 'an item that breaks its schema' : 'an item that is not JSON'}: ${first?.problem ?? `item ${broken + 1}`}`,
        ...(first &&
          more.length > 0 && { problems: [first, ...more].map(({ problem }) => problem) }),
        expected: first?.expected ?? 'JSON, as the media type says',
        actual: first?.actual ?? shownBody(response),
        group: `items of ${called(exchange)}`,
      }));
    }
  },
};
