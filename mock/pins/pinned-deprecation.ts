import type { Deprecation } from '../call/deprecation.ts';
import type { Pins } from './pins.ts';

/** The headers of a deprecated operation, and what becomes of it after its removal, as pinned. */
export function createPinnedDeprecation(
  made: Deprecation,
  { deprecation: pinned, afterRemoval }: Pins,
): Deprecation {
  const headers: Deprecation['headers'] = (prefix, status) => {
    if (!pinned) return made.headers(prefix, status);
    return pinned.on?.includes(status) === false ? {} : pinned.headers;
  };
  return {
    headers,
    refusal(now, prefix) {
      const refusal = afterRemoval ? undefined : made.refusal(now, prefix);
      return refusal && { ...refusal, headers: headers(prefix, refusal.status) };
    },
  };
}
