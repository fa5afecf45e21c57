import { toInstant } from '../../common/instant.ts';
import { isSame, mapLeaves } from '../../common/json.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import {
  aboutItem,
  type Check,
  type Clause,
  called,
  shown,
  shownAnswer,
} from '../clauses/check.ts';
import { pointerTo } from '../clauses/needs.ts';
import { statedErrors, statedSuccesses } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { type Item, idOf, itemIn, itemsIn } from '../transcript/items.ts';
import { isOnlyAccepted, ledgerOf, madeChanges } from '../transcript/ledger.ts';
import { readOnce, type Transcript } from '../transcript/transcript.ts';

const clause: Clause = {
  basis: 'standard',
  source: 'RFC 9110 §9.3.5',
  text: 'A deleted item is not found any more (404 or 410), and no list shows it.',
};

/**
 * Checks that a deleted item is neither found nor listed. A document states the first if it
 * describes a deletion that is complete when answered. If no response to a read of a missing item
 * is described, two more cases count as deleted. Either no list shows the item any more, or the
 * item is shown changed.
 */
export const deleted: Check = {
  id: 'deleted',
  clause,
  unheld: 'no item was deleted and asked for again',
  cases: ['change', 'look'],
  needsCases: ['list', 'read', 'create', 'change', 'items'],
  needs: 'an operation that deletes items',
  follows: ['deleted'],
  findStated(document) {
    const stated = collectionsOf(document).find((one) => statesDeletion(document, one));
    return stated?.operations.delete && pointerTo(stated.operations.delete);
  },
  judge(transcript, judge) {
    const { document } = transcript;
    const isWorded = document.clauses.some(({ id }) => id === 'deleted');
    for (const { change, looks } of madeChanges(transcript, 'delete', { withAccepted: true }))
      for (const look of looks) {
        const { id } = change.case.purpose;
        const { status } = look.response;
        const { operation } = look.case;
        const resource = findResource(document, operation);
        if (!resource) continue;
        // An id that was read before is well-formed.
        const isRefused = [400, 422].includes(status) && statesDeletion(document, resource);
        if (status >= 300 && !isMissing(status) && !(isRefused && statesMissing(resource)))
          continue;
        // A new item may have its id.
        const { created = [], sightings = [] } =
          ledgerOf(transcript).record(resource, change.request.path, id) ?? {};
        const isBetween = ({ number }: Answer) => number > change.number && number < look.number;
        if (created.some(({ exchange }) => isBetween(exchange))) continue;
        const { idProperty } = resource;
        const isList = operation?.kind === 'list';
        const ownIn = (one: Answer) => itemsIn(one).find((item) => idOf(item, idProperty) === id);
        const find = isList ? ownIn : itemIn;
        const shownItem = status < 300 ? find(look) : undefined;
        const before = sightings.findLast(
          ({ exchange }) =>
            exchange.case.operation === operation && exchange.number < change.number,
        )?.item;
        const isGone = isList ? shownItem === undefined : isMissing(status);
        if (shownItem && before && !isAlike(shownItem, before, movesOf(transcript, resource))) {
          judge.inconclusive(
            `${called(look)} still shows an item that ${called(change)} deleted, but not as it was before: it may be marked as deleted`,
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
        const isStated = !isList && isStillThere && statesDeletion(document, resource);
        judge.hold(isGone, look, () => ({
          message: isList
            ? `${called(look)} lists an item that ${called(change)} deleted`
            : `${called(look)} answers ${status} for an item that ${called(change)} deleted`,
          expected: isList ? `no item with "${idProperty}": ${id}` : '404 or 410',
          actual: isList ? shown(shownItem) : shownAnswer(look.response),
          ...(!isWorded && { clause: isStated ? toStated(change) : clause }),
          ...aboutItem(id),
        }));
      }
  },
};

/** The properties in which items differ that the run did not change. */
const movesOf = readOnce((transcript: Transcript, resource: Resource): ReadonlySet<string> => {
  const { items } = readHistories(transcript, resource);
  const untouched = [...items.values()].filter(({ record }) => record.changes.length === 0);
  return new Set(untouched.flatMap(({ moves }) => moves));
});

/**
 * Whether two states of an item differ in no more than the times and numbers of properties that move by
 * themselves.
 */
function isAlike(one: Item, other: Item, moves: ReadonlySet<string>): boolean {
  return Object.keys({ ...one, ...other }).every((name) =>
    moves.has(name)
      ? isSame(withoutCounts(one[name]), withoutCounts(other[name]))
      : isSame(one[name], other[name]),
  );
}

function withoutCounts(value: unknown): unknown {
  return mapLeaves(value, (one) =>
    typeof one === 'number' || !Number.isNaN(toInstant(one)) ? 'moving' : one,
  );
}

function toStated({ case: { operation } }: Answer): Clause {
  return { ...clause, basis: 'stated', ...(operation && { source: pointerTo(operation) }) };
}

function isMissing(status: number): boolean {
  return status === 404 || status === 410;
}

/** Words of a deletion that leaves an item where it is, for a while or for good. */
const notYet =
  /archiv|cancel|close|deactivat|disabl|eventual|later|mark|queue|recycl|restor|schedul|soft|trash|undelet/gi;

/** Properties by which a deleted item says that it is. */
const deletionMark = /^(is_?)?(deleted|archived|removed)(_?(at|on|by))?$/i;

/** Parameters that ask for deleted items, or for no others. */
const asksForDeleted =
  /^(include|only|show|with|without)?_?(all_?)?(and_?)?(archived|deleted|inactive|removed|trash(ed)?)(_?(items|only|too))?$/i;

/**
 * Whether a document states that a deletion deletes an item that can be read: it is answered when it
 * is done (200 or 204; RFC 9110 §9.3.5), and nothing that either describes speaks of another sort of
 * deletion, but for the item's own name in the path, such as `queues`.
 */
export function statesDeletion(document: Api, { operations }: Resource): boolean {
  const { delete: remove, read, list } = operations;
  if (!remove || !read || remove.method !== 'DELETE') return false;
  const isDone = statedSuccesses(remove).every(({ status }) => ['200', '204'].includes(status));
  if (!isDone || statedSuccesses(remove).length === 0) return false;
  const words = [remove.id, remove.summary ?? '', remove.description ?? ''];
  words.push(...remove.responses.map((response) => response.description));
  const shown = statedSuccesses(read).flatMap(({ schema = {} }) =>
    Object.keys(document.schemas.describeShown(schema).properties),
  );
  const parameters = [read, list, remove].flatMap((one) => one?.parameters ?? []);
  if (parameters.some(({ name }) => asksForDeleted.test(name))) return false;
  const found = words.flatMap((text) => text.match(notYet) ?? []);
  const isOther = (word: string) => !remove.path.toLowerCase().includes(word.toLowerCase());
  return !found.some(isOther) && !shown.some((one) => deletionMark.test(one));
}

/** Whether a document states how a read answers for an item that is not there. */
function statesMissing({ operations: { read } }: Resource): boolean {
  const errors = read ? statedErrors(read) : [];
  return errors.some(({ status }) => ['404', '410'].includes(status));
}
