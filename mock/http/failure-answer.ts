import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { Log } from '../log.ts';
import { StoreUnavailableError } from '../state/store.ts';

/**
 * The answer to an error that a step throws. What a store does not do is no failure of the twin; whoever keeps the store logs that.
 */
export function toFailureAnswer(error: unknown, log: Log): Answer {
  if (error instanceof StoreUnavailableError)
    return toErrorAnswer('store_unavailable', error.message);
  log.error(`The twin failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The twin failed. Its log says why.');
}
