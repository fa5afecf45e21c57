import { createChangeCheck } from '../clauses/judge-changes.ts';

/** A replacement replaces: the item no longer has the values that it had. */
export const replaced = createChangeCheck(['replace'], {
  id: 'replaced',
  source: 'RFC 9110 §9.3.4',
  text: 'PUT replaces the state of an item with what is sent.',
  unheld: 'no item was replaced and read again',
  needs: 'an operation that replaces items',
});
