import type { Check, Clause } from '../clauses/check.ts';
import { judgeChanges, statedChange } from '../clauses/judge-changes.ts';
import { collectionsOf } from '../description/document.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 9110 §9.3.4',
  text: 'PUT replaces the state of an item with what is sent.',
};

/** A replacement replaces: the item no longer has the values that it had. */
export const replaced: Check = {
  id: 'replaced',
  clause,
  unheld: 'no item was replaced and read again',
  cases: ['change', 'look'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'an operation that replaces items',
  findStated: (document) => statedChange(collectionsOf(document), 'replaced'),
  judge: (transcript, judge) =>
    judgeChanges(transcript, judge, { how: 'replace', clause, check: 'replaced' }),
};
