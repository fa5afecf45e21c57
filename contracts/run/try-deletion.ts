import type { Purpose } from '../cases/case.ts';
import { deletionOf } from '../cases/change-cases.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import { grace } from '../transcript/whole-lists.ts';
import { largestPage } from './listed.ts';
import { addItem, type OwnItem } from './own-item.ts';

/** Deletes an item, and looks for it: by reading it, and in the list if that showed it before. */
export async function tryDeletion(own: OwnItem): Promise<void> {
  const { session, document, resource, id } = own;
  const deletion = deletionOf(resource);
  if (!deletion || !session.choice.isChosen(deletion.operation)) return;
  const list = largestPage(document, resource, 'fresh', 'around delete');
  const isListed = async (number: number, purpose: Purpose) => {
    const page =
      list && (await own.call({ ...list, id: `${list.id}, of ${id}, ${number}`, purpose }));
    if (!page || !isAnswered(page)) return false;
    return itemsIn(page).some((item) => idOf(item, resource.idProperty) === id);
  };
  const wasListed = await isListed(1, { kind: 'call' });
  const deleted = await own.change(deletion);
  if ((deleted?.response?.status ?? 500) >= 300) return;
  const { expected } = deletion;
  const gone = await own.look('delete', expected, 1);
  if ((gone?.response?.status ?? 404) < 400) {
    await session.pause(grace);
    await own.look('delete', expected, 2);
  }
  // Where ids belong to one item for good, this one gets another.
  await addItem(own, 'after the deletion');
  const look: Purpose = { kind: 'look', id, after: 'delete', expected };
  if (!wasListed || !(await isListed(2, look))) return;
  await session.pause(grace);
  await isListed(3, look);
}
