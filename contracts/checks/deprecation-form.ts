import { type Check, called } from '../clauses/check.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** A Deprecation header is a structured-field date. */
export const deprecationForm: Check = {
  id: 'deprecation-form',
  clause: {
    basis: 'standard',
    source: 'RFC 9745 §2.1',
    text: 'A Deprecation header contains a date as @ and Unix seconds.',
  },
  unheld: 'no answer carried Deprecation',
  needs: 'a deprecated operation',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const sent = headerValue(exchange, 'Deprecation');
      if (sent === undefined) continue;
      judge.hold(/^@-?\d+$/.test(sent.trim()), exchange, () => ({
        message: `${called(exchange)} sends a Deprecation header that is not a date`,
        expected: 'Deprecation: @1733356800',
        actual: `Deprecation: ${sent}`,
      }));
    }
  },
};
