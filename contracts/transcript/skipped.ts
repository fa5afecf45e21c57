import type { Case } from '../cases/case.ts';

/** Why a case that was planned was not made. */
export type SkipReason =
  | { code: 'no-value'; name: string }
  | { code: 'key-must-wait' }
  | { code: 'quota-used-up' }
  | { code: 'quota-short' }
  | { code: 'is-valid-key' }
  | { code: 'too-much-received'; mebibytes: number }
  | { code: 'no-answers'; times: number }
  | { code: 'max-requests'; requests: number }
  | { code: 'out-of-time' }
  | { code: 'interrupted' };

/** A case that was planned and not made. */
export type Skipped = { case: Case; reason: SkipReason };

/** The reason for a person; it continues "not made, as". */
export function toSkipText(reason: SkipReason): string {
  switch (reason.code) {
    case 'no-value':
      return `nothing gave a value for ${reason.name}`;
    case 'key-must-wait':
      return 'the key has to wait after a 429';
    case 'quota-used-up':
      return 'the quota of the keys is used up';
    case 'quota-short':
      return 'the quota of the keys is short';
    case 'is-valid-key':
      return 'it would be a valid key';
    case 'too-much-received':
      return `the target had sent more than ${reason.mebibytes} MiB`;
    case 'no-answers':
      return `the target did not answer ${reason.times} times`;
    case 'max-requests':
      return `the run may make ${reason.requests} requests (--max-requests)`;
    case 'out-of-time':
      return 'the time for the run is over';
    case 'interrupted':
      return 'the run was interrupted';
  }
}

/**
 * Whether a skipped case leaves the run incomplete: not where the target shows nothing to make it
 * with, nor where a key waits as it was asked to.
 */
export function isMissed({ reason }: Skipped): boolean {
  return reason.code !== 'no-value' && reason.code !== 'key-must-wait';
}
