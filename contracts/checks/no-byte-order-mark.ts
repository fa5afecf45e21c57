import { type Check, called } from '../clauses/check.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** JSON starts with no byte order mark and is UTF-8. */
export const noByteOrderMark: Check = {
  id: 'no-byte-order-mark',
  clause: {
    basis: 'standard',
    source: 'RFC 8259 §8.1',
    text: 'JSON is UTF-8 and does not start with a byte order mark.',
  },
  unheld: 'no JSON body was received',
  needs: 'a JSON body',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { hasMark, json } = exchange.response;
      if (json === undefined) continue;
      judge.hold(!hasMark, exchange, () => ({
        message: `${called(exchange)} starts its JSON with a byte order mark`,
        expected: 'no byte order mark',
        actual: 'EF BB BF',
      }));
    }
  },
};
