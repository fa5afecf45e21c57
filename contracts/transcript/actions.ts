import { isSame } from '../../common/json.ts';
import { withoutSlash } from '../../common/path-template.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';
import { isUnsafe } from '../cases/case.ts';
import { beginsAs } from '../document/item-views.ts';
import { type Answer, isAnswered } from './exchange.ts';
import { type Item, itemIn, textOf, withoutQuery } from './items.ts';
import { collectionPath, isOnlyAccepted } from './ledger.ts';
import type { Transcript } from './transcript.ts';

/** An action on an item that its answer shows to be done, and reads of the item around it. */
export type DoneAction = {
  action: Answer;
  done: Item;
  before: Item;
  looks: { read: Answer; item: Item }[];
};

/** Returns the read of the item that an action is on, if the action is below the item. */
export function readAfter(document: Api, { actsOn, path }: Operation): Operation | undefined {
  const resource = collectionsOf(document).find(({ name }) => name === actsOn);
  const { read } = resource?.operations ?? {};
  return read && beginsAs(path, withoutSlash(read.path)) ? read : undefined;
}

/**
 * Returns the values that an action sets, as the document says, and that its answer shows. A state
 * such as `restarting` ends by itself.
 */
export function doneBy(action: Answer): Item {
  const { operation, credential } = action.case;
  const shown = itemIn(action);
  const isDone = action.response.status < 300 && !isOnlyAccepted(action) && credential === 'valid';
  const isSet = ([name, value]: [string, unknown]) =>
    isSame(shown?.[name], value) && !/ing$/i.test(textOf(value) ?? '');
  const sets = isDone ? Object.entries(operation?.sets ?? {}) : [];
  return Object.fromEntries(sets.filter(isSet));
}

/** Lists such actions with the last read before, and those after that precede another call on the item. */
export function doneActions({ document, exchanges }: Transcript): DoneAction[] {
  const answers = exchanges.filter(isAnswered);
  return answers.flatMap((action): DoneAction[] => {
    const { operation } = action.case;
    const done = operation?.sets ? doneBy(action) : {};
    const read = operation && readAfter(document, operation);
    if (!read || Object.keys(done).length === 0) return [];
    const path = withoutQuery(collectionPath(read, action.request.path));
    const calls = answers.filter((one) =>
      `${withoutQuery(one.request.path)}/`.startsWith(`${path}/`),
    );
    const next = calls.find((one) => isUnsafe(one.case) && one.number > action.number);
    const reads = calls.flatMap((one) => {
      const isRead = one.case.operation === read && one.response.status === 200;
      const item = isRead ? itemIn(one) : undefined;
      return item ? [{ read: one, item }] : [];
    });
    const before = reads.findLast((one) => one.read.number < action.number)?.item;
    const looks = reads.filter(
      (one) => one.read.number > action.number && one.read.number < (next?.number ?? Infinity),
    );
    return before ? [{ action, done, before, looks }] : [];
  });
}
