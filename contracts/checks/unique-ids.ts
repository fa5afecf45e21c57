import { isSame, repeatedIn, toJson } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { keysBeside } from '../../openapi/model/placements.ts';
import { aboutItem, type Check, called, clauseOf, type Judge } from '../clauses/check.ts';
import { givenIds, ownCreates } from '../transcript/created-items.ts';
import { type Item, idOf, rowsOf, textOf } from '../transcript/items.ts';
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
      const changed = answeredFor(transcript, 'change').map(({ case: one }) => one.purpose.id);
      for (const resource of transcript.document.resources) {
        const own = new Map(ownCreates(transcript, resource).map(({ id, sent }) => [id, sent]));
        // A list may show each version of an item: they differ in what the service made.
        judgeLists(transcript, judge, resource, (id, rows) =>
          Object.keys((!changed.includes(id) && own.get(id)) || {}).every((name) =>
            rows.every((row) => isSame(row[name], rows[0]?.[name])),
          ),
        );
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

/**
 * Holds that a list shows no id twice. If rows with an id may be versions of an item, or if each item
 * has several, holds only that no row is there twice.
 */
function judgeLists(
  transcript: Transcript,
  judge: Judge,
  resource: Resource,
  mayBeVersions?: (id: string, rows: readonly Item[]) => boolean,
): void {
  const { idProperty, name, operations } = resource;
  const names = [...keysBeside(resource), idProperty];
  const toKey = (row: Item) => names.map((one) => `"${one}": ${textOf(valueAt(row, one))}`).join();
  const lists = answeredFor(transcript, 'list', 'observed', 'count', 'page')
    .filter(({ case: { operation } }) => operation === operations.list)
    .map((exchange) => {
      const items = rowsOf(exchange);
      const ids = items.flatMap((item) => idOf(item, idProperty) ?? []);
      const repeated = repeatedIn(ids);
      const rows = repeated.size === 0 ? [] : items;
      const byId = Map.groupBy(rows, (item) => idOf(item, idProperty) ?? '');
      const again = [...byId].filter(([id]) => repeated.has(id));
      return { exchange, again, size: new Set(ids).size };
    });
  const isEach = lists.some(({ again, size }) => size > 1 && again.length === size);
  for (const { exchange, again, size } of lists) {
    const [twice] = again.flatMap(([id, rows]) => {
      const isOpen = mayBeVersions && (isEach || mayBeVersions(id, rows));
      const texts = rows.map((row) => (isOpen ? toJson(row) : toKey(row)));
      const [text] = repeatedIn(texts);
      return text === undefined ? [] : { id, text, what: isOpen ? 'item' : 'id' };
    });
    if (size > 0)
      judge.hold(twice === undefined, exchange, () => ({
        message: `${called(exchange)} lists the same ${twice?.what} twice`,
        expected: `each ${twice?.what} once`,
        actual: `${twice?.text}, twice`,
        about: [...aboutItem(twice?.id).about, `ids of ${name}`],
      }));
  }
}
