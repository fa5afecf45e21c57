import { aboutItem, type Check, called, clauseOf } from '../clauses/check.ts';
import { toJson } from '../json.ts';
import { idOf } from '../transcript/ids.ts';
import { itemsOf } from '../transcript/items.ts';
import { givenIds } from '../transcript/shared-ids.ts';
import { answeredFor } from '../transcript/transcript.ts';

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
      for (const { idProperty, operations } of transcript.document.resources)
        for (const exchange of answeredFor(transcript, 'list', 'observed', 'count', 'page')) {
          const items =
            exchange.case.operation === operations.list ? (itemsOf(exchange) ?? []) : [];
          const shown = items
            .filter((item) => idOf(item, idProperty) !== undefined)
            .map((item) => toJson(item));
          if (shown.length === 0) continue;
          const twice = shown.find((item, index) => shown.indexOf(item) !== index);
          judge.hold(twice === undefined, exchange, () => ({
            message: `${called(exchange)} lists the same item twice`,
            expected: 'each item once',
            actual: `${twice}, twice`,
          }));
        }
    },
  },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { idProperty, operations, name } = resource;
      for (const exchange of answeredFor(transcript, 'list', 'observed', 'count')) {
        if (exchange.case.operation !== operations.list) continue;
        const ids = (itemsOf(exchange) ?? []).map((item) => idOf(item, idProperty));
        const twice = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index);
        judge.hold(twice === undefined, exchange, () => ({
          message: `${called(exchange)} lists the same id twice`,
          expected: 'each id once',
          actual: `"${idProperty}": ${twice}, twice`,
          about: [...aboutItem(twice).about, `ids of ${name}`],
        }));
      }
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
