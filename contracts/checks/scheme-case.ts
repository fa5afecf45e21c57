import { answeredFor } from '../transcript/transcript.ts';
import { type Check, called } from './check.ts';

/** The name of the bearer scheme may be written in any case. */
export const schemeCase: Check = {
  id: 'scheme-case',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §11.1',
    text: 'The name of an authentication scheme may be written in any case.',
  },
  unheld: 'no call with "bearer" in lower case was answered',
  cases: ['credential'],
  needs: 'a bearer token',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'credential')) {
      if (exchange.case.purpose.form !== 'lower-case-scheme') continue;
      judge.hold(exchange.response.status !== 401, exchange, () => ({
        message: `${called(exchange)} refuses a valid key because "bearer" is written in lower case`,
        expected: 'an answer other than 401',
        actual: '401',
      }));
    }
  },
};
