import { type Check, called, shownAnswer } from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** A change answers by the ETag that it sends in If-Match, as the document describes it. */
export const preconditions: Check = {
  id: 'preconditions',
  clause: {
    basis: 'described',
    source: anyOperation,
    text: 'A change or a deletion with the ETag of a read is made. With another one it is refused with 412, and without any with 428, where the document describes these.',
  },
  isStatedByNeed: true,
  unheld: 'no item that such an operation changes was read with a strong ETag',
  cases: ['precondition'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'a change that If-Match may prevent',
  part: 'status',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'precondition')) {
      const { status } = exchange.response;
      const { step } = exchange.case.purpose;
      const { sends, refusal } = steps[step];
      const what = exchange.case.method === 'DELETE' ? 'deletion' : 'change';
      const isRefused = status === 412 || status === 428;
      // It may be refused for another reason.
      if (!isRefused && status >= 300) continue;
      judge.hold(refusal ? status === refusal : !isRefused, exchange, () => ({
        message: `${called(exchange)} answers ${status} to a ${what} ${sends}`,
        expected: refusal ? String(refusal) : 'a success',
        actual: shownAnswer(exchange.response),
        group: sends,
      }));
    }
  },
};

const steps = {
  current: { sends: 'with the ETag that was just read', refusal: undefined },
  stale: { sends: 'with the ETag of another version', refusal: 412 },
  none: { sends: 'without If-Match', refusal: 428 },
};
