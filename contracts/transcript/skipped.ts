import type { Case } from '../cases/case.ts';

/** Why a case that was planned was not made. */
export type SkipReason =
  | { code: 'no-value'; name: string }
  | { code: 'key-must-wait' }
  | { code: 'quota-used-up' }
  | { code: 'quota-short' }
  | { code: 'too-much-received'; mebibytes: number }
  | { code: 'no-answers'; times: number }
  | { code: 'max-requests'; requests: number }
  | { code: 'out-of-time' }
  | { code: 'may-change-others' }
  | { code: 'below-others' }
  | { code: 'writes-not-allowed' }
  | { code: 'unmarked' }
  | { code: 'keeps-failing' }
  | { code: 'answers-others' }
  | { code: 'never-proven' }
  | { code: 'stays-at-edge' }
  | { code: 'key-stopped' }
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
    case 'too-much-received':
      return `the target had sent more than ${reason.mebibytes} MiB`;
    case 'no-answers':
      return `the target did not answer ${reason.times} times`;
    case 'max-requests':
      return `the run may make ${reason.requests} requests (--max-requests)`;
    case 'out-of-time':
      return 'the time for the run is over';
    case 'may-change-others':
      return 'it may change what the run has not made';
    case 'below-others':
      return 'it creates below an item that the run has not made';
    case 'unmarked':
      return 'nothing in its body would show that the run made the item';
    case 'keeps-failing':
      return 'each call of its operation failed';
    case 'answers-others':
      return 'it answered with an item that the run had not made';
    case 'never-proven':
      return "nothing proved that its items are the run's own";
    case 'stays-at-edge':
      return 'nothing could delete an item with a value at the edge of its range';
    case 'writes-not-allowed':
      return 'it may change something, and --allow-writes was not given';
    case 'key-stopped':
      return 'the key stopped working';
    case 'interrupted':
      return 'the run was interrupted';
  }
}

/** Reasons that leave no run incomplete: nothing could be made, or it was not to be made. */
const asItShould: readonly SkipReason['code'][] = [
  'no-value',
  'key-must-wait',
  'may-change-others',
  'below-others',
  'unmarked',
  'keeps-failing',
  'answers-others',
  'never-proven',
  'stays-at-edge',
  'writes-not-allowed',
  'key-stopped',
];

/** Whether a skipped case leaves the run incomplete. */
export function isMissed({ reason }: Skipped): boolean {
  return !asItShould.includes(reason.code);
}
