import { isSecured } from '../../openapi/model/security.ts';
import { type Check, called } from '../clauses/check.ts';
import type { Answer } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** The name of the bearer scheme may be written in any case. */
export const schemeCase: Check = {
  id: 'scheme-case',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §11.1',
    text: 'The name of an authentication scheme may be written in any case.',
  },
  unheld: 'no call with a valid key and "bearer" in lower case was answered',
  cases: ['credential'],
  needsCases: ['credential'],
  needs: 'a bearer token',
  part: 'status',
  judge(transcript, judge) {
    const answers = answersOfOperations(transcript);
    const valid = answers.filter(({ case: { credential } }) => credential === 'valid');
    const byOperation = Map.groupBy(valid, ({ case: { operation } }) => operation);
    for (const exchange of answers) {
      // An operation may refuse every key.
      const plain = byOperation.get(exchange.case.operation) ?? [];
      const isClosed = plain.length > 0 && plain.every(({ response }) => response.status === 401);
      if (!showsSchemeCase(exchange) || isClosed) continue;
      judge.hold(exchange.response.status !== 401, exchange, () => ({
        message: `${called(exchange)} refuses a valid key because "bearer" is written in lower case`,
        expected: 'an answer other than 401',
        actual: '401',
      }));
    }
  },
};

/** Whether a call shows it: one that was made for it, or another one that succeeds. */
function showsSchemeCase({ case: { operation, purpose }, request, response }: Answer): boolean {
  if (response.status === 429) return false;
  if (purpose.kind === 'credential') return purpose.form === 'lower-case-scheme';
  return (
    isSecured(operation) &&
    response.status < 300 &&
    /^bearer /.test(request.headers.Authorization ?? '')
  );
}
