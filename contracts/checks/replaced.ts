import type { Check } from './check.ts';
import { judgeChanges } from './judge-changes.ts';

/** A replacement replaces: the item no longer has the values that it had. */
export const replaced: Check = {
  id: 'replaced',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §9.3.4',
    text: 'PUT replaces the state of an item with what is sent.',
  },
  unheld: 'no item was replaced and read again',
  cases: ['change', 'look'],
  needs: 'an operation that replaces items',
  judge: (transcript, judge) => judgeChanges(transcript, judge, 'replace'),
};
