import { findResource } from '../../openapi/model/api.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { aboutItem, type Check, called, shown, shownAnswer } from '../clauses/check.ts';
import { isStatedError } from '../document/stated.ts';
import { idOf, isList, itemIn, itemsIn } from '../transcript/items.ts';
import { type AnsweredFor, answeredFor, type Transcript } from '../transcript/transcript.ts';

/** An item of a nested collection is below its own parent alone. */
export const nested: Check = {
  id: 'nested',
  clause: {
    basis: 'described',
    source: 'the document',
    text: 'An item that was created below a parent is found below it, and below no other.',
  },
  isStatedByNeed: true,
  unheld: 'no item was created below a parent',
  cases: ['nested'],
  needsCases: ['nested', 'items'],
  needs: 'a nested collection',
  judge(transcript, judge) {
    for (const exchange of lastLooks(transcript)) {
      const { operation, purpose } = exchange.case;
      const { status } = exchange.response;
      const resource = findResource(transcript.document, operation);
      if (!resource) continue;
      const { idProperty } = resource;
      const { id, step } = purpose;
      const about = {
        expected: `the item with "${idProperty}": ${id}`,
        actual: shownAnswer(exchange.response),
        ...aboutItem(id),
      };
      if (step === 'no parent') {
        // The id may not be of the form that this deployment gives its ids.
        const isOfForm = [400, 422].includes(status) && operation !== undefined;
        if (isOfForm && isStatedError(operation, status)) continue;
        judge.hold(status === 404, exchange, () => ({
          message: `${called(exchange)} answers ${status} below a parent that is not there`,
          expected: '404',
          actual: shownAnswer(exchange.response),
        }));
      } else if (step === 'read')
        judge.hold(status < 300 && idOf(itemIn(exchange), idProperty) === id, exchange, () => ({
          message: `${called(exchange)} does not find an item below the parent that it was created below`,
          ...about,
        }));
      else if (status < 300 && isList(exchange)) {
        const isListed = itemsIn(exchange).some((item) => idOf(item, idProperty) === id);
        const isOwn = step === 'list';
        // A list that shows a selection may leave it out.
        const { shows } = listRulesOf(resource.operations.list);
        if (isOwn && !isListed && shows === 'selection') continue;
        judge.hold(isListed === isOwn, exchange, () =>
          isOwn
            ? {
                message: `${called(exchange)} does not show an item below the parent that it was created below`,
                ...about,
              }
            : {
                message: `${called(exchange)} shows an item of another parent`,
                expected: `no item with "${idProperty}": ${id}`,
                actual: shown(itemsIn(exchange).find((item) => idOf(item, idProperty) === id)),
                ...aboutItem(id),
              },
        );
      }
    }
  },
};

/** The last look for an item of each kind: one that is not found at first is looked for again. */
function lastLooks(transcript: Transcript): AnsweredFor<'nested'>[] {
  const looks = answeredFor(transcript, 'nested').map((look) => {
    const { operation, purpose } = look.case;
    return [`${operation?.id} ${purpose.step} ${purpose.id}`, look] as const;
  });
  return [...new Map(looks).values()];
}
