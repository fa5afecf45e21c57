import { createChangeCheck } from '../clauses/judge-changes.ts';

/** A JSON Patch does what its operations say. */
export const jsonPatch = createChangeCheck(['json-patch'], {
  id: 'json-patch',
  source: 'RFC 6902 §4.1',
  text: 'A JSON Patch sets the values that its operations name, and no others.',
  unheld: 'no item was changed by a JSON Patch and read again',
  needs: 'a JSON Patch',
  isStatedByNeed: true,
});
