import type { Change } from '../cases/case.ts';
import { type Answered, isAnswered } from './exchange.ts';
import { idOf } from './ids.ts';
import { type Item, itemsIn } from './items.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';

type Look = AnsweredFor<'look'>;

/** A change that a deployment made as it says, and what was seen of the item afterwards. */
export type MadeChange = { change: Answered; id: string; looks: Look[] };

/** Whether a change may still have to be made: it was only accepted. */
export function isOnlyAccepted({ response: { status } }: Answered): boolean {
  return status === 202;
}

/**
 * The changes of a kind that were answered with a success, and those that are only accepted with
 * `withAccepted`: they may be made later. Looks before the next change are its own; of looks at the
 * same, the last counts. None in traffic, where others may have changed the item in between.
 */
export function madeChanges(
  transcript: Transcript,
  how: Change,
  { withAccepted = false } = {},
): MadeChange[] {
  const looks = answeredFor(transcript, 'look');
  const changes = answeredFor(transcript, 'change');
  return changes.flatMap((change) => {
    const { purpose, operation } = change.case;
    const isLeftOut = isOnlyAccepted(change) && !withAccepted;
    if (purpose.how !== how || change.response.status >= 300 || isLeftOut) return [];
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

/** An item as the operation that looks at it showed it last before a change. */
export function seenBefore(
  { exchanges }: Transcript,
  change: Answered,
  { look, id, idProperty }: { look: Answered; id: string; idProperty: string },
): Item | undefined {
  const showing = exchanges
    .filter(isAnswered)
    .filter(
      ({ number, case: { operation }, response }) =>
        number < change.number && operation === look.case.operation && response.status < 300,
    );
  const shown = showing.flatMap((one) =>
    itemsIn(one).filter((item) => idOf(item, idProperty) === id),
  );
  return shown.at(-1);
}
