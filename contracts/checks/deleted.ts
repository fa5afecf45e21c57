import { findResource } from '../description/document.ts';
import { idOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import { madeChanges } from './changes.ts';
import { aboutItem, type Check, called, shown, shownAnswer } from './check.ts';

/** What was deleted is neither found nor listed. */
export const deleted: Check = {
  id: 'deleted',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §9.3.5',
    text: 'A deleted item is not found any more (404 or 410), and no list shows it.',
  },
  unheld: 'no item was deleted and asked for again',
  cases: ['change', 'look'],
  needs: 'an operation that deletes items',
  judge(transcript, judge) {
    for (const { change, id, looks } of madeChanges(transcript, 'delete'))
      for (const look of looks) {
        const { status } = look.response;
        const { operation } = look.case;
        const resource =
          operation?.kind === 'list' ? findResource(transcript.document, operation) : undefined;
        if (resource && status < 300) {
          const listed = itemsIn(look).find((item) => idOf(item, resource.idProperty) === id);
          judge.hold(listed === undefined, look, () => ({
            message: `${called(look)} lists an item that ${called(change)} deleted`,
            expected: `no item with "${resource.idProperty}": ${id}`,
            actual: shown(listed),
            ...aboutItem(id),
          }));
        } else if (!resource && (status < 300 || status === 404 || status === 410))
          judge.hold(status >= 400, look, () => ({
            message: `${called(look)} answers ${status} for an item that ${called(change)} deleted`,
            expected: '404 or 410',
            actual: shownAnswer(look.response),
            ...aboutItem(id),
          }));
      }
  },
};
