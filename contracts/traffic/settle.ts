import type { Purpose } from '../cases/case.ts';
import type { ApiDocument } from '../description/document.ts';
import { asksForKey } from '../description/key-places.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { readKeyValidity } from './key-validity.ts';
import type { Memory } from './memory.ts';
import { settlePurpose, toCredentialPurpose } from './settle-purpose.ts';
import type { Call } from './to-call.ts';

/**
 * Decides, of calls that were judged together, which keys were valid and what each call was for, in
 * order of sending. A purpose that the interface leaves open is `observed`.
 */
export function settle(
  calls: readonly Call[],
  { document, memory }: { document: ApiDocument; memory: Memory },
): Exchange[] {
  const sorted = calls.toSorted(
    (left, right) =>
      left.exchange.sentAt - right.exchange.sentAt || left.exchange.number - right.exchange.number,
  );
  const { isProven, isRefusedByMistake, isNoneAsked } = readKeyValidity(sorted, document);
  return sorted.map((call) => {
    const { exchange, credential } = call;
    const status = exchange.response?.status;
    const isRefused = status === 401 || status === 403;
    const to = (form: Exchange['case']['credential'], purpose: Purpose): Exchange => ({
      ...exchange,
      case: { ...exchange.case, credential: form, purpose },
    });
    const { operation, purpose } = exchange.case;
    const isValid =
      credential.form === 'token' &&
      isProven(exchange) &&
      (!isRefused || isRefusedByMistake(exchange));
    if (!operation)
      return to(isValid ? 'valid' : 'unclear', isValid ? purpose : { kind: 'observed' });
    if (!asksForKey(operation)) {
      const { waysIn } = operation;
      const isOpen = waysIn.length === 0 || waysIn.some((way) => way.length === 0);
      // What was sent without being asked for, or cannot be seen, may be wrong all the same.
      const mayBeKey = isRefused && (credential.form !== 'none' || !isOpen);
      return mayBeKey
        ? to('unclear', { kind: 'observed' })
        : to('valid', settlePurpose(call, { document, memory }));
    }
    if (isValid) return to('valid', settlePurpose(call, { document, memory }));
    if (credential.form === 'token') {
      const isCase = credential.isLowerCase && status === 401 && isProven(exchange);
      return isCase
        ? to('lower-case-scheme', { kind: 'credential', form: 'lower-case-scheme' })
        : to('unclear', { kind: 'observed' });
    }
    if (credential.form === 'unclear')
      return to(
        'unclear',
        status !== undefined && status < 300
          ? settlePurpose(call, { document, memory })
          : { kind: 'observed' },
      );
    if (credential.form === 'none' && isNoneAsked)
      return to('none', settlePurpose(call, { document, memory }));
    return to(credential.form, toCredentialPurpose(call, credential.form, { document, memory }));
  });
}
