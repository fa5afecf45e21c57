import { planBodies, validFields } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { deletionOf } from '../cases/change-cases.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import { grace } from '../transcript/whole-lists.ts';
import { largestPage } from './listed.ts';
import { addItem, type OwnItem } from './own-item.ts';

/** Deletes an item, and looks for it: by reading it, and in the list. */
export async function tryDeletion(own: OwnItem): Promise<void> {
  const { session, document, resource, id, call } = own;
  const deletion = deletionOf(resource);
  const deleted = deletion && (await own.change(deletion));
  if (!deletion || (deleted?.response?.status ?? 500) >= 300) return;
  const { expected } = deletion;
  const gone = await own.look('delete', expected, 1);
  if ((gone?.response?.status ?? 404) < 400) {
    await session.pause(grace);
    await own.look('delete', expected, 2);
  }
  // Where ids belong to one item for good, this one gets another.
  const plan = planBodies(document, resource);
  await addItem(own, 'after the deletion', validFields(plan, 'after the deletion {{run}}'));
  const list = largestPage(document, resource, 'fresh', 'after delete');
  const purpose = { kind: 'look', id, after: 'delete', expected } as const;
  const lists = (number: number): Case[] =>
    list ? [{ ...list, id: `${list.id}, ${number}`, purpose }] : [];
  const [listed] = await Promise.all(lists(1).map(call));
  const isListed = (one: Exchange) =>
    isAnswered(one) && itemsIn(one).some((other) => idOf(other, resource.idProperty) === id);
  if (!listed || !isListed(listed)) return;
  await session.pause(grace);
  for (const one of lists(2)) await call(one);
}
