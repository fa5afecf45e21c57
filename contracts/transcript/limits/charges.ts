import type { Exchange } from '../exchange.ts';
import type { Transcript } from '../transcript.ts';

/**
 * Whether a call counts against its key's limit: the interface does not state it for errors and for
 * requests that match no operation.
 */
export type Charge = 'sure' | 'maybe' | 'none';

/** What is known of a call's charge. */
export function chargeOf({ case: { credential, operation }, request, response }: Exchange): Charge {
  const status = response?.status ?? 0;
  if (request.keyName === undefined) return 'none';
  if (credential !== 'valid')
    return status === 401 && credential !== 'lower-case-scheme' ? 'none' : 'maybe';
  return operation !== undefined && status >= 200 && status < 300 ? 'sure' : 'maybe';
}

/** The calls that each key was or may have been charged for, in order of sending. */
export function chargedCalls({
  exchanges,
}: Pick<Transcript, 'exchanges'>): Map<string, Exchange[]> {
  const charged = exchanges.filter((exchange) => chargeOf(exchange) !== 'none');
  return Map.groupBy(
    charged.toSorted((left, right) => left.sentAt - right.sentAt),
    ({ request }) => request.keyName as string,
  );
}
