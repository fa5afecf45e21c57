import type { Resource } from '../../openapi/index.ts';
import { uuid } from '../../openapi/model/id-form.ts';
import type { Made } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import type { Item } from '../transcript/items.ts';
import { leavesOf } from '../transcript/made.ts';

/** Names the properties that identify an item beside the id in its path. */
const namesBeside = ['id', 'uuid'];

/**
 * Returns the id that an answer shows instead of the requested one, or instead of one that stood
 * beside it when it was first seen. Undefined without another id.
 */
export function otherId(
  shown: Item,
  { idProperty, item: { properties } }: Resource,
  { given, told }: { given: string | undefined; told: Item | undefined },
  isMarked: (value: unknown) => boolean,
): string | undefined {
  // An item may be in an envelope that the document does not describe.
  const isBare = Object.keys(shown).some((name) => Object.hasOwn(properties, name));
  const held = Object.values(shown).filter((one) => idOf(one, idProperty) !== undefined);
  const item =
    held.find((one) => leavesOf(one).some(isMarked)) ??
    held.find((one) => idOf(one, idProperty) === given) ??
    held[0];
  const id = idOf(shown, idProperty) ?? (isBare ? undefined : idOf(item, idProperty));
  if (given !== undefined && id !== undefined && !isSameId(id, given)) return id;
  const beside = namesBeside.filter((name) => idOf(told, name) !== undefined);
  return beside
    .map((name) => ({ was: idOf(told, name), is: idOf(shown, name) }))
    .find(({ was, is }) => is !== undefined && !isSameId(is, was))?.is;
}

/** Compares two ids; a UUID is the same in any case (RFC 9562 §4). */
function isSameId(one: string, other = ''): boolean {
  return one === other || (uuid.test(one) && one.toLowerCase() === other.toLowerCase());
}

/** Returns ownership `others` for an item shown under another id than the one that led to it. */
export function isOfOther(
  id: string | undefined,
  shownId: string,
): Pick<Made, 'whose' | 'reason' | 'shownId'> {
  const reason = `${id} led to an item that shows the id ${shownId}`;
  return { whose: 'others', reason, shownId };
}
