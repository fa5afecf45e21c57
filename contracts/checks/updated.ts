import type { Check, Clause } from '../clauses/check.ts';
import { judgeChanges, statedChange } from '../clauses/judge-changes.ts';
import { collectionsOf } from '../description/document.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 5789 §2',
  text: 'A PATCH that is answered with a success makes the changes that it asks for.',
};

/** An update sets what it sends; what else a plain body changes is stated nowhere. */
export const updated: Check = {
  id: 'updated',
  clause,
  unheld: 'no item was changed by a plain body and read again',
  cases: ['change', 'look'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'a plain update',
  findStated: (document) => statedChange(collectionsOf(document), 'updated'),
  judge(transcript, judge) {
    for (const how of ['json', 'form'] as const)
      judgeChanges(transcript, judge, { how, clause, check: 'updated' });
  },
};
