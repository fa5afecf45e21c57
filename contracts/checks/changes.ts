import type { Change } from '../cases/case.ts';
import type { Answered } from '../transcript/exchange.ts';
import { type AnsweredFor, answeredFor, type Transcript } from '../transcript/transcript.ts';

type Look = AnsweredFor<'look'>;

/** A change that a deployment made as it says, and what was seen of the item afterwards. */
type MadeChange = { change: Answered; id: string; looks: Look[] };

/**
 * The changes of a kind that were answered with a success. One that is only accepted (202) may be
 * made later. Of looks at the same, the last counts.
 */
export function madeChanges(transcript: Transcript, how: Change): MadeChange[] {
  const looks = answeredFor(transcript, 'look');
  return answeredFor(transcript, 'change').flatMap((change) => {
    const { purpose, operation } = change.case;
    const { status } = change.response;
    if (purpose.how !== how || status >= 300 || status === 202) return [];
    const after = looks.filter(
      ({ case: { purpose: seen, operation: by } }) =>
        seen.id === purpose.id && seen.after === how && by?.resource === operation?.resource,
    );
    const last = new Map(after.map((look) => [look.case.operation, look]));
    return [{ change, id: purpose.id, looks: [...last.values()] }];
  });
}
