import { isSecured } from '../../openapi/model/security.ts';
import { type Check, called } from '../clauses/check.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** A 401 carries a challenge, and a bearer challenge has a parameter. */
export const challenge: Check = {
  id: 'challenge',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §11.6.1, RFC 6750 §3',
    text: 'A 401 carries WWW-Authenticate with a challenge.',
  },
  unheld: 'no call was answered with 401',
  cases: ['credential'],
  needsCases: ['credential', 'credentials-first', 'change', 'items'],
  needs: 'a credential',
  part: 'headers',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      if (exchange.response.status !== 401) continue;
      const sent = headerValue(exchange, 'WWW-Authenticate');
      judge.hold(sent !== undefined && !/^bearer\s*$/i.test(sent), exchange, () => ({
        message:
          sent === undefined
            ? `${called(exchange)} answers 401 without WWW-Authenticate`
            : `${called(exchange)} answers 401 with a Bearer challenge that has no parameter`,
        expected: isSecured(exchange.case.operation)
          ? 'WWW-Authenticate: Bearer realm="..."'
          : 'WWW-Authenticate with a challenge',
        actual: sent === undefined ? 'no WWW-Authenticate' : `WWW-Authenticate: ${sent}`,
        group: String(sent),
      }));
    }
  },
};
