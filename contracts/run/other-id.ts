import type { Resource } from '../description/document.ts';
import { topOf } from '../description/property-path.ts';
import type { Made } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import type { Item } from '../transcript/items.ts';

/** Names the properties that identify an item beside the id in its path. */
const namesBeside = ['id', 'uuid'];

/**
 * The id that an answer shows in place of the one that led to it, or of one that stood beside it
 * when it was `told` first; undefined where it shows no other.
 */
export function otherId(
  shown: Item,
  { idProperty, item: { properties } }: Resource,
  { given, told }: { given: string | undefined; told: Item | undefined },
): string | undefined {
  // An item may be in an envelope that the document does not describe.
  const isBare = Object.keys(shown).some((name) => Object.hasOwn(properties, name));
  const [held] = Object.values(shown).filter((one) => idOf(one, idProperty) !== undefined);
  const id = idOf(shown, idProperty) ?? (isBare ? undefined : idOf(held, idProperty));
  if (given !== undefined && id !== undefined && id !== given) return id;
  const beside = namesBeside.filter((name) => idOf(told, name) !== undefined);
  return beside
    .map((name) => ({ was: idOf(told, name), is: idOf(shown, name) }))
    .find(({ was, is }) => is !== undefined && is !== was)?.is;
}

/** Whether two objects have a property in common beside the id. */
export function hasCommon(left: Item = {}, right: Item = {}, { idProperty }: Resource): boolean {
  return Object.keys(left).some((name) => name !== topOf(idProperty) && Object.hasOwn(right, name));
}

/** Whose an item is that shows another id than the one that led to it. */
export function isOfOther(
  id: string | undefined,
  shownId: string,
): Pick<Made, 'whose' | 'reason' | 'shownId'> {
  const reason = `${id} led to an item that shows the id ${shownId}`;
  return { whose: 'others', reason, shownId };
}
