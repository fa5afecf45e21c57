import { createDocumentedAnswer } from '../call/documented-answer.ts';
import type { Extra } from '../extra.ts';

/** What a document says of all answers of an operation: media types, headers, sequences. */
export const documented: Extra = ({ served: { document } }) => ({
  changeCalls: (calls) => ({
    ...calls,
    documentedOf: (operation) => createDocumentedAnswer(document, operation),
  }),
});
