import type { Change } from '../cases/case.ts';
import type { Answered } from '../transcript/exchange.ts';
import { type AnsweredFor, answeredFor, type Transcript } from '../transcript/transcript.ts';

type Look = AnsweredFor<'look'>;

/** A change that a deployment made as it says, and what was seen of the item afterwards. */
export type MadeChange = { change: Answered; id: string; looks: Look[] };

/**
 * The changes of a kind that were answered with a success. One that is only accepted (202) may be
 * made later. Looks before the next change are its own; of looks at the same, the last counts.
 */
export function madeChanges(transcript: Transcript, how: Change): MadeChange[] {
  const looks = answeredFor(transcript, 'look');
  const changes = answeredFor(transcript, 'change');
  return changes.flatMap((change) => {
    const { purpose, operation } = change.case;
    const { status } = change.response;
    if (purpose.how !== how || status >= 300 || status === 202) return [];
    const isOfItem = ({ case: other }: (typeof changes)[number] | Look) =>
      other.purpose.id === purpose.id && other.operation?.resource === operation?.resource;
    const next = changes.find((one) => one.number > change.number && isOfItem(one));
    const after = looks.filter(
      (look) =>
        look.number > change.number &&
        look.number < (next?.number ?? Number.POSITIVE_INFINITY) &&
        look.case.purpose.after === how &&
        isOfItem(look),
    );
    const last = new Map(after.map((look) => [look.request.path, look]));
    return [{ change, id: purpose.id, looks: [...last.values()] }];
  });
}
