import type { Check, Clause } from '../clauses/check.ts';
import { judgeChanges } from '../clauses/judge-changes.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 6902 §4.1',
  text: 'A JSON Patch sets the values that its operations name, and no others.',
};

/** A JSON Patch does what its operations say. */
export const jsonPatch: Check = {
  id: 'json-patch',
  clause,
  isStatedByNeed: true,
  unheld: 'no item was changed by a JSON Patch and read again',
  cases: ['change', 'look'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'a JSON Patch',
  judge: (transcript, judge) => judgeChanges(transcript, judge, { how: 'json-patch', clause }),
};
