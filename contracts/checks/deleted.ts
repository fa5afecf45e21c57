import { collectionsOf, findResource } from '../description/document.ts';
import { statesDeletion } from '../description/states-deletion.ts';
import { idOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import { madeChanges } from './changes.ts';
import { aboutItem, type Check, type Clause, called, shown, shownAnswer } from './check.ts';
import { pointerTo } from './needs.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 9110 §9.3.5',
  text: 'A deleted item is not found any more (404 or 410), and no list shows it.',
};

/**
 * What was deleted is neither found nor listed. A document states the first where it describes a
 * deletion that is done when it is answered, and what a read answers of an item that is not there.
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
    for (const { change, id, looks } of madeChanges(transcript, 'delete'))
      for (const look of looks) {
        const { status } = look.response;
        const { operation } = look.case;
        const resource = findResource(document, operation);
        if (operation?.kind === 'list' && resource && status < 300) {
          const listed = itemsIn(look).find((item) => idOf(item, resource.idProperty) === id);
          judge.hold(listed === undefined, look, () => ({
            message: `${called(look)} lists an item that ${called(change)} deleted`,
            expected: `no item with "${resource.idProperty}": ${id}`,
            actual: shown(listed),
            ...(!isWorded && { clause }),
            ...aboutItem(id),
          }));
        } else if (operation?.kind !== 'list' && (status < 300 || isMissing(status)))
          judge.hold(isMissing(status), look, () => ({
            message: `${called(look)} answers ${status} for an item that ${called(change)} deleted`,
            expected: '404 or 410',
            actual: shownAnswer(look.response),
            ...(!isWorded && !(resource && statesDeletion(document, resource)) && { clause }),
            ...aboutItem(id),
          }));
      }
  },
};

function isMissing(status: number): boolean {
  return status === 404 || status === 410;
}
