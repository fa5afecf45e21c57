import { aboutItem, type Check, called, clauseOf, type Judge } from '../clauses/check.ts';
import type { Resource } from '../description/document.ts';
import { toJson } from '../json.ts';
import { ownCreates } from '../transcript/created-items.ts';
import { idOf } from '../transcript/ids.ts';
import { itemsOf } from '../transcript/items.ts';
import { givenIds } from '../transcript/shared-ids.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** The service gives each item an id of its own. */
export const uniqueIds: Check = {
  id: 'unique-ids',
  clause: clauseOf('unique-ids'),
  unheld: 'no valid call was answered with a list or a created item',
  cases: ['create', 'list'],
  needsCases: ['list', 'create', 'create-with-id', 'items'],
  needs: 'the clause itself',
  follows: ['unique-ids'],
  byItself: {
    needs: 'a collection to list',
    general: 'A list shows no item twice.',
    unheld: 'no list of items with ids was received',
    judge(transcript, judge) {
      // A list may show each version of an item that was changed.
      const changed = answeredFor(transcript, 'change').map(({ case: one }) => one.purpose.id);
      for (const resource of transcript.document.resources) {
        const own = new Set(ownCreates(transcript, resource).map(({ id }) => id));
        const isOpen = (id: string) => !own.has(id) || changed.includes(id);
        judgeLists(transcript, judge, resource, isOpen);
      }
    },
  },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { idProperty, name } = resource;
      judgeLists(transcript, judge, resource);
      for (const { id, exchange, before } of givenIds(transcript, resource))
        judge.hold(before === undefined, exchange, () => ({
          message: `${called(exchange)} gives a new item the id of an existing item`,
          expected: 'an id that no other item has',
          actual: `"${idProperty}": ${id}, which an earlier item had (${before})`,
          about: [...aboutItem(id).about, `ids of ${name}`],
        }));
    }
  },
};

/** Holds that a list shows no id twice; of an id that may be shown again, no row. */
function judgeLists(
  transcript: Transcript,
  judge: Judge,
  resource: Resource,
  mayBeAgain: (id: string) => boolean = () => false,
): void {
  const { idProperty, name } = resource;
  for (const exchange of answeredFor(transcript, 'list', 'observed', 'count', 'page')) {
    const isList = exchange.case.operation === resource.operations.list;
    const rows = ((isList && itemsOf(exchange)) || []).flatMap((item) => {
      const id = idOf(item, idProperty);
      if (id === undefined) return [];
      return { id, text: mayBeAgain(id) ? toJson(item) : `"${idProperty}": ${id}` };
    });
    const [twice] =
      [...Map.groupBy(rows, ({ text }) => text).values()].find(({ length }) => length > 1) ?? [];
    const what = twice?.text.startsWith('{') ? 'item' : 'id';
    if (rows.length > 0)
      judge.hold(twice === undefined, exchange, () => ({
        message: `${called(exchange)} lists the same ${what} twice`,
        expected: `each ${what} once`,
        actual: `${twice?.text}, twice`,
        about: [...aboutItem(twice?.id).about, `ids of ${name}`],
      }));
  }
}
