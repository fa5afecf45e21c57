import { isUnsafe } from '../cases/unsafe-methods.ts';
import type { Resource } from '../description/document.ts';
import { isSame, membersOf, toJson } from '../json.ts';
import { type Answered, isAnswered } from './exchange.ts';
import { idAsked, idOf } from './ids.ts';
import { type Item, itemsIn } from './items.ts';
import type { Transcript } from './transcript.ts';

/** What a deleted item that is still shown says of itself. */
export type Remains = {
  /** What changed with the deletion and says that the item is deleted, as `"name": value`. */
  mark: string | undefined;
  /** Whether anything of it changed with the deletion that does not change by itself. */
  isChanged: boolean;
};

/** Words for items that are out of use, as members or as the value of one. */
const outOfUse =
  'archived|cancell?ed|closed|deactivated|delet(?:ed|ing)|disabled|discarded|expired|hidden|inactive|remov(?:ed|ing)|retired|revoked|terminat(?:ed|ing)|trashed|void(?:ed)?|withdrawn';

const markNames = new RegExp(`^(?:is_?)?(?:${outOfUse})(?:_?(?:at|on|by|date|time))?$`, 'i');
const markValues = new RegExp(`^(?:${outOfUse})$`, 'i');

/** Names of members that are false of such items. */
const inUse = /^(?:is_?)?(?:active|available|enabled|live|visible)$/i;

/** Compares a deleted item that is still shown with what was seen of it before, if anything. */
export function remainsOf(
  shown: Item,
  seen: Item | undefined,
  isMoving: (name: string) => boolean,
): Remains {
  if (!seen) return { mark: undefined, isChanged: false };
  const [item, before] = [toFlat(shown), toFlat(seen)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(item)])];
  const changed = names.filter((name) => !isSame(item[name], before[name]));
  const mark = changed.find((name) => name.split('.').some((part) => isMark(part, item[name])));
  return {
    mark: mark === undefined ? undefined : `"${mark}": ${toJson(item[mark])}`,
    isChanged: !changed.every(isMoving),
  };
}

/** Knows the numbers and instants that change by themselves, such as the time of the last use. */
export function movingMembers({ exchanges }: Transcript, resource: Resource) {
  const last = new Map<string, Item>();
  const moving = new Set<string>();
  for (const exchange of exchanges.filter(isAnswered)) {
    const { operation } = exchange.case;
    if (operation?.resource !== resource.name) continue;
    if (isUnsafe(exchange.case)) last.delete(idAsked(exchange.request.path));
    else
      for (const shown of itemsIn(exchange)) {
        const id = idOf(shown, resource.idProperty);
        if (id === undefined) continue;
        const item = toFlat(shown);
        for (const [name, value] of Object.entries(last.get(id) ?? {}))
          if (!isSame(value, item[name]) && isMeasure(value) && isMeasure(item[name]))
            moving.add(name);
        last.set(id, item);
      }
  }
  return (name: string) => moving.has(name);
}

function isMeasure(value: unknown): boolean {
  return typeof value === 'number' || /^\d{4}-\d\d-\d\d/.test(String(value));
}

/** The members of an item, and those of the objects that it holds (`status.state`). */
function toFlat(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]): Item => {
    const members = Array.isArray(value) ? undefined : membersOf(value);
    const inner = Object.entries(members ?? {}).map(([key, one]) => [`${name}.${key}`, one]);
    return members ? Object.fromEntries(inner) : { [name]: value };
  });
  return Object.assign({}, ...entries);
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
