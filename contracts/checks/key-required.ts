import { asksForKey } from '../../openapi/model/key-places.ts';
import type { CredentialForm, Purpose } from '../cases/case.ts';
import { type Check, called, clauseOf, shownAnswer } from '../clauses/check.ts';
import { hasOtherFault, keyOnlyFaults } from '../clauses/key-doubts.ts';
import { isInProse, isStatedError } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';
import { answeredFor, answersOfOperations } from '../transcript/transcript.ts';

const forms: Record<Exclude<CredentialForm, 'valid' | 'lower-case-scheme' | 'unclear'>, string> = {
  none: 'without a key',
  unknown: 'with an unknown key',
  empty: 'with an empty Authorization header',
  'scheme-only': 'with a bearer scheme and no key',
  truncated: 'with a key whose last character is missing',
  altered: 'with a key whose last character is changed',
  prefixed: 'with a key that has an extra character in front',
  'in-cookie': 'with the key in a cookie instead of the Authorization header',
  extended: 'with a key that has an extra character at the end',
  'other-case': 'with a key in the opposite letter case',
  basic: 'with Basic credentials',
  'no-scheme': 'with a key but no scheme',
  'other-scheme': 'with credentials of another scheme',
  'in-query': 'with the key in the query instead of the Authorization header',
  'in-header': 'with the key in a header other than Authorization',
};

/** Whether a call was made to see what happens without a valid key. */
function wasAsked(purpose: Purpose): boolean {
  return purpose.kind === 'silence'
    ? purpose.silence === 'credentials-first'
    : purpose.kind === 'credential';
}

function isChange({ case: { operation, method } }: Answer): boolean {
  return operation?.kind !== 'create' && method !== 'GET';
}

/** A missing or invalid key is answered with 401, on every operation. */
export const keyRequired: Check = {
  id: 'key-required',
  clause: clauseOf('key-required'),
  unheld: 'no call was made that certainly had no valid key; an unknown key may be valid',
  cases: ['credential'],
  needsCases: ['list', 'read', 'create', 'call', 'credential', 'credentials-first', 'change'],
  needs: 'a credential',
  general:
    'An operation that asks for credentials refuses a call without valid ones, with 401 where that is stated.',
  follows: ['reliable-answers', 'key-required'],
  part: 'status',
  judge(transcript, judge) {
    const isOnlyFault = keyOnlyFaults(transcript);
    const untold = new Set<string>();
    for (const exchange of answeredFor(transcript, 'credential')) {
      const { operation, purpose } = exchange.case;
      const { form } = purpose;
      if (form === 'valid' || form === 'lower-case-scheme' || form === 'unclear') continue;
      const { status, text } = exchange.response;
      const refusesParameter = form === 'in-query' && status === 400;
      const states401 =
        operation !== undefined &&
        isStatedError(operation, 401) &&
        (isInProse(transcript.document) || status !== 403);
      // A change is made once with a valid key, and another time it may have another fault.
      if (hasOtherFault(exchange) && isChange(exchange)) continue;
      if (hasOtherFault(exchange) && states401 && !isOnlyFault(exchange)) {
        untold.add(called(exchange));
        continue;
      }
      const refused = states401 ? status === 401 : status >= 400 && status < 500;
      judge.hold(refused || refusesParameter, exchange, () => ({
        message: `${called(exchange)} answers ${status} to a call ${forms[form]}`,
        group: `${called(exchange)} does not refuse a call ${forms[form]}`,
        expected: states401 ? '401' : 'a refusal, such as 401',
        actual: shownAnswer({ status, text }),
        about: [`the key of ${called(exchange)}`],
      }));
    }
    for (const exchange of answeredFor(transcript, 'silence')) {
      if (exchange.case.purpose.silence !== 'credentials-first') continue;
      const { status, text } = exchange.response;
      judge.hold(status >= 400, exchange, () => ({
        message: `${called(exchange)} answers ${status} to a call that has no key and is wrong in another way too`,
        group: `${called(exchange)} does not refuse a call ${forms.none}`,
        expected: 'a refusal, such as 401',
        actual: shownAnswer({ status, text }),
        about: [`the key of ${called(exchange)}`],
      }));
    }
    // Where a deployment runs without its security, its clients call it for something else.
    for (const exchange of answersOfOperations(transcript)) {
      const { credential, operation, purpose } = exchange.case;
      const { status, text } = exchange.response;
      const isLetIn = credential === 'none' && status < 300 && asksForKey(operation);
      if (!operation || !isLetIn || wasAsked(purpose)) continue;
      judge.hold(false, exchange, () => ({
        message: 'calls without a key are answered as if they had one',
        expected: isStatedError(operation, 401) ? '401' : 'a refusal, such as 401',
        actual: shownAnswer({ status, text }),
        about: [`the key of ${called(exchange)}`],
      }));
    }
    if (untold.size > 0)
      judge.inconclusive(
        `${[...untold].join(', ')}: no otherwise identical call with a valid key succeeded, so the refusal may not be about the key`,
      );
  },
};
