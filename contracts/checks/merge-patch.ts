import { createChangeCheck } from '../clauses/judge-changes.ts';

/** A merge patch changes what it names, and nothing else. */
export const mergePatch = createChangeCheck(['merge-patch'], {
  id: 'merge-patch',
  source: 'RFC 7396 §2',
  text: 'A merge patch changes the members that it names, and no others.',
  unheld: 'no item was changed by a merge patch and read again',
  needs: 'a merge patch',
  isStatedByNeed: true,
});
