import { isUnmatched } from './entry.ts';
import type { Exchange } from './exchange.ts';
import type { Step } from './reason.ts';

/** Which exchanges to show; all given conditions must hold. */
export type Filter = {
  /**
   * Those that came at an instant (Unix milliseconds) or later, or after the exchange with an id.
   */
  since?: { instant: number; id?: never } | { id: number; instant?: never };
  /** Those that were requests, or that never became one. */
  isRequest?: boolean;
  unmatched?: boolean;
  /** Whether to include calls of the admin; their `step` selects them alone. */
  admin?: boolean;
  /** The id of an operation. */
  operation?: string;
  status?: number;
  /** The name of a key. */
  key?: string;
  /** The step that gave the answer. */
  step?: Step;
};

/** Whether an exchange matches. */
export function matchesFilter(exchange: Exchange, filter: Filter): boolean {
  const { since, isRequest, unmatched, admin, operation, status, key, step } = filter;
  const ofAdmin = exchange.reason.step === 'admin';
  return (
    (!ofAdmin || admin === true || step === 'admin') &&
    (since?.id === undefined || exchange.id > since.id) &&
    (since?.instant === undefined || exchange.at >= since.instant) &&
    (isRequest === undefined || (exchange.method !== undefined) === isRequest) &&
    (unmatched === undefined || isUnmatched(exchange) === unmatched) &&
    (operation === undefined || exchange.operation === operation) &&
    (status === undefined || exchange.status === status) &&
    (key === undefined || exchange.key === key) &&
    (step === undefined || exchange.reason.step === step)
  );
}
