import { toJson } from '../../common/json.ts';
import type { Fields } from '../cases/body-parts.ts';
import type { Change } from '../cases/case.ts';
import { changesOf } from '../cases/change-cases.ts';
import type { ItemChange } from '../cases/item-change.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { type Item, isSameText, itemIn } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import type { OwnItem } from './own-item.ts';

/** How many properties are tried: a deployment may refuse one, or compute it itself. */
const maxTried = 3;

/** Ways of changing an item, in an order in which each finds something to change. */
const ways = ['form', 'json', 'merge-patch', 'json-patch', 'replace'] as const;

/**
 * Changes an item in each way that the document describes, and looks at it after each change. Where
 * the change is refused or shows nowhere, tries another property. Returns the item as it was last
 * seen.
 */
export async function tryUpdates(own: OwnItem): Promise<Item> {
  let state: State = { item: own.item, sent: own.sent };
  for (const how of ways) {
    const named: string[] = [];
    for (let number = 1; number <= maxTried; number++) {
      const tried = await tryUpdate(own, state, { how, named, number });
      if (!tried) break;
      state = tried;
      if (tried.isDone || how === 'replace') break;
      named.push(...tried.named);
    }
  }
  return state.item;
}

/** An item as it was last seen, and the fields that were sent. */
type State = { item: Item; sent: Fields };

type Tried = State & { isDone: boolean; named: readonly string[] };

/** Statuses of deployments that refuse what a change asks for. */
const refusals = [400, 403, 409, 422];

async function tryUpdate(
  own: OwnItem,
  { item, sent }: State,
  { how, named, number }: { how: Change; named: readonly string[]; number: number },
): Promise<Tried | undefined> {
  const { session, document, resource } = own;
  const fresh = session.values.fresh();
  const marker = `changed by ${how} ${fresh}`;
  const known = { item, own: valuesIn(item, sent), marker, fresh, named };
  const change = changesOf(document, resource, known).find((one) => one.how === how);
  const changed = change && (await own.change(change, number));
  if (!change || !changed) return undefined;
  const { expected } = change;
  const names = Object.keys(expected.changed);
  const status = changed.response?.status ?? 500;
  if (refusals.includes(status)) return { item, sent, isDone: false, named: names };
  if (status >= 300) return undefined;
  let look = await own.look(how, expected, 2 * number - 1);
  if (look && !isDone(look, change)) {
    await session.pause(grace);
    look = await own.look(how, expected, 2 * number);
  }
  const set = Object.entries(expected.changed).map(([name, { to }]) => [name, to]);
  return {
    item: (look && itemIn(look)) ?? item,
    sent: { ...sent, ...Object.fromEntries(set) },
    isDone: look === undefined || isDone(look, change),
    named: names,
  };
}

/** The fields of an item that have the values that were sent. */
function valuesIn(item: Item, sent: Fields): Fields {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => name in sent && isSameText(value, sent[name])),
  );
}

/** Whether an item shows each change. */
function isDone(look: Exchange, { expected }: ItemChange): boolean {
  const item = itemIn(look);
  return Object.entries(expected.changed).every(
    ([name, { from }]) => item !== undefined && toJson(item[name]) !== toJson(from),
  );
}
