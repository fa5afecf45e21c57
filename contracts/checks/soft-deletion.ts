import { isSame } from '../json.ts';
import { type Answered, isAnswered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { type Item, itemsIn } from '../transcript/items.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** What a deleted item that is still shown says of itself. */
export type Remains = {
  /** A member that changed with the deletion and says that the item is deleted. */
  mark: string | undefined;
  /** Whether anything else of it changed with the deletion. */
  isChanged: boolean;
};

/** Words for items that are out of use, as members or as the value of one. */
const outOfUse =
  'archived|cancell?ed|closed|deactivated|deleted|disabled|discarded|hidden|inactive|removed|retired|revoked|terminated|trashed|void(?:ed)?|withdrawn';

const markNames = new RegExp(`^(?:is_?)?(?:${outOfUse})(?:_?(?:at|on|by|date|time))?$`, 'i');
const markValues = new RegExp(`^(?:${outOfUse})$`, 'i');

/** Names of members that are false of such items. */
const inUse = /^(?:is_?)?(?:active|available|enabled|live|visible)$/i;

/** Compares a deleted item that is still shown with what was seen of it before, if anything. */
export function remainsOf(item: Item, before: Item | undefined): Remains {
  if (!before) return { mark: undefined, isChanged: false };
  const names = [...new Set([...Object.keys(before), ...Object.keys(item)])];
  const changed = names.filter((name) => !isSame(item[name], before[name]));
  return {
    mark: changed.find((name) => isMark(name, item[name])),
    isChanged: changed.length > 0,
  };
}

function isMark(name: string, value: unknown): boolean {
  if (typeof value === 'string' && markValues.test(value)) return true;
  if (inUse.test(name)) return value === false || value === 0;
  return markNames.test(name) && Boolean(value);
}

/** An item as an answer showed it last before another exchange. */
export function seenBefore(
  { exchanges }: Transcript,
  change: Answered,
  { id, idProperty }: { id: string; idProperty: string },
): Item | undefined {
  const find = (one: Answered) =>
    one.number < change.number &&
    one.case.operation?.resource === change.case.operation?.resource &&
    one.response.status < 300
      ? itemsIn(one).find((item) => idOf(item, idProperty) === id)
      : undefined;
  const last = exchanges.filter(isAnswered).findLast(find);
  return last && find(last);
}
