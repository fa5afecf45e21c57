import type { Check } from './check.ts';
import { judgeChanges } from './judge-changes.ts';

/** A merge patch changes what it names, and nothing else. */
export const mergePatch: Check = {
  id: 'merge-patch',
  clause: {
    basis: 'standard',
    source: 'RFC 7396 §2',
    text: 'A merge patch changes the members that it names, and no others.',
  },
  isStatedByNeed: true,
  unheld: 'no item was changed by a merge patch and read again',
  cases: ['change', 'look'],
  needs: 'a merge patch',
  judge: (transcript, judge) => judgeChanges(transcript, judge, 'merge-patch'),
};
