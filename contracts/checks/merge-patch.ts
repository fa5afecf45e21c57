import type { Check, Clause } from '../clauses/check.ts';
import { judgeChanges } from '../clauses/judge-changes.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 7396 §2',
  text: 'A merge patch changes the members that it names, and no others.',
};

/** A merge patch changes what it names, and nothing else. */
export const mergePatch: Check = {
  id: 'merge-patch',
  clause,
  isStatedByNeed: true,
  unheld: 'no item was changed by a merge patch and read again',
  cases: ['change', 'look'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'a merge patch',
  judge: (transcript, judge) => judgeChanges(transcript, judge, { how: 'merge-patch', clause }),
};
