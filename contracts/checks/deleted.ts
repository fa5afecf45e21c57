import { collectionsOf, findResource, type Resource } from '../description/document.ts';
import { statesDeletion, statesMissing } from '../description/states-deletion.ts';
import type { Answered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { itemIn, itemsIn } from '../transcript/items.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { isOnlyAccepted, madeChanges } from './changes.ts';
import { aboutItem, type Check, type Clause, called, shown, shownAnswer } from './check.ts';
import { pointerTo } from './needs.ts';
import { movingMembers, type Remains, remainsOf, seenBefore } from './soft-deletion.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 9110 §9.3.5',
  text: 'A deleted item is not found any more (404 or 410), and no list shows it.',
};

/**
 * What was deleted is neither found nor listed. A document states the first where it describes a
 * deletion that is done when it is answered. Where it does not say what a read answers for an item
 * that is not there, an item that no list shows any more may be deleted all the same. An item that says
 * that it is deleted is, and one that is shown otherwise than before may be.
 */
export const deleted: Check = {
  id: 'deleted',
  clause,
  unheld: 'no item was deleted and asked for again',
  cases: ['change', 'look'],
  needs: 'an operation that deletes items',
  follows: ['deleted'],
  findStated(document) {
    const stated = collectionsOf(document).find((one) => statesDeletion(document, one));
    return stated?.operations.delete && pointerTo(stated.operations.delete);
  },
  judge(transcript, judge) {
    const { document } = transcript;
    const isWorded = document.clauses.some(({ id }) => id === 'deleted');
    const moving = new Map<Resource, (name: string) => boolean>();
    const movingOf = (resource: Resource) => {
      const known = moving.get(resource) ?? movingMembers(transcript, resource);
      moving.set(resource, known);
      return known;
    };
    for (const { change, id, looks } of madeChanges(transcript, 'delete', { withAccepted: true }))
      for (const look of looks) {
        const { status } = look.response;
        const { operation, purpose } = look.case;
        const resource = findResource(document, operation);
        if (!resource || (status >= 300 && !isMissing(status))) continue;
        // A new item may have its id.
        if (isCreatedAgain(transcript, change, { id, look })) continue;
        const { idProperty } = resource;
        const isList = operation?.kind === 'list';
        const ownIn = (one: Answered) => itemsIn(one).find((item) => idOf(item, idProperty) === id);
        const shownItem = isList ? ownIn(look) : itemIn(look);
        const before = seenBefore(transcript, change, { id, idProperty });
        const { mark, isChanged } = shownItem
          ? remainsOf(shownItem, before, movingOf(resource))
          : nothing;
        const isGone = isList ? shownItem === undefined : isMissing(status);
        if (shownItem && mark !== undefined) {
          judge.inconclusive(
            `${called(look)} still shows an item that ${called(change)} deleted, and marks it: ${mark}`,
          );
          continue;
        }
        if (!isGone && isOnlyAccepted(change)) {
          judge.inconclusive(
            `${called(change)} answers ${change.response.status}, so it may delete an item later than it was asked for again`,
          );
          continue;
        }
        const isStillThere = statesMissing(resource) || looks.every(ownIn);
        const isStated =
          !isList && !isChanged && isStillThere && statesDeletion(document, resource);
        judge.hold(isGone, look, () => ({
          message: isList
            ? `${called(look)} lists an item that ${called(change)} deleted`
            : `${called(look)} answers ${status} for an item that ${called(change)} deleted`,
          expected: isList ? `no item with "${idProperty}": ${id}` : '404 or 410',
          actual: isList ? shown(shownItem) : shownAnswer(look.response),
          ...((purpose.isSoon || !isWorded) && {
            clause: isStated && !purpose.isSoon ? toStated(change) : clause,
          }),
          ...aboutItem(id),
        }));
      }
  },
};

/** Whether a create between a deletion and a look answered with the id of the deleted item. */
function isCreatedAgain(
  transcript: Transcript,
  change: Answered,
  { id, look }: { id: string; look: Answered },
): boolean {
  return answeredFor(transcript, 'create').some((one) => {
    const { operation } = one.case;
    const { idProperty = 'id' } = findResource(transcript.document, operation) ?? {};
    const isBetween = one.number > change.number && one.number < look.number;
    const isOfResource = operation?.resource === change.case.operation?.resource;
    return isBetween && isOfResource && idOf(itemIn(one), idProperty) === id;
  });
}

function toStated({ case: { operation } }: Answered): Clause {
  return { ...clause, basis: 'stated', ...(operation && { source: pointerTo(operation) }) };
}

const nothing: Remains = { mark: undefined, isChanged: false };

function isMissing(status: number): boolean {
  return status === 404 || status === 410;
}
