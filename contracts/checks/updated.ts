import { createChangeCheck } from '../clauses/judge-changes.ts';

/** An update sets what it sends; what else a plain body changes is stated nowhere. */
export const updated = createChangeCheck(['json', 'form'], {
  id: 'updated',
  source: 'RFC 5789 §2',
  text: 'A PATCH that is answered with a success makes the changes that it asks for.',
  unheld: 'no item was changed by a plain body and read again',
  needs: 'a plain update',
});
