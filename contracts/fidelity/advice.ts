import type { DifferenceKind } from './compare-answers.ts';

/** Mends a difference of each kind, as a sentence. */
const advice: Record<DifferenceKind, string> = {
  'no answer': 'The log of the mock says why.',
  status:
    'See `refuses`, `errors` and `status` of x-twin, or `kind` if the mock keeps no state there.',
  'media type': 'Describe the media type in the document.',
  header: 'Describe the header in the document, or set it by `errors` of x-twin.',
  'missing member': 'See `values` of x-twin for new items, `sets` for changed ones.',
  'extra member': 'See `values` of x-twin: {absent} leaves a member out.',
  type: 'See `values` and `sets` of x-twin.',
  form: 'See `newId` and `times` of x-twin.',
  value: 'See `values` and `sets` of x-twin.',
  'missing item': 'An operation creates it, or the list selects otherwise than its parameters say.',
  'extra item': 'An operation deletes it, or the list selects otherwise than its parameters say.',
  order: 'See `order` of x-twin.',
  text: 'Give the document an example, or write a behaviour.',
};

/** Returns what would mend a difference of a kind. */
export function adviceOf(kind: DifferenceKind): string {
  return advice[kind];
}
