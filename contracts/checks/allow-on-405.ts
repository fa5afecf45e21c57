import type { Check } from '../clauses/check.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** A 405 says which methods there are. */
export const allowOn405: Check = {
  id: 'allow-on-405',
  clause: { basis: 'standard', source: 'RFC 9110 §15.5.6', text: 'A 405 carries Allow.' },
  unheld: 'no call was answered with 405',
  cases: ['protocol'],
  needsCases: ['items', 'protocol'],
  needs: 'a method that the document does not describe',
  part: 'headers',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'protocol')) {
      if (exchange.response.status !== 405) continue;
      judge.hold(headerValue(exchange, 'Allow') !== undefined, exchange, () => ({
        message: 'a 405 has no Allow header, which lists the supported methods',
        expected: 'Allow: a list of methods',
        actual: 'no Allow',
      }));
    }
  },
};
