import { planBodies, validFields } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { changeCase, deletionOf } from '../cases/change-cases.ts';
import type { ItemChange } from '../cases/item-change.ts';
import { readCase } from '../cases/read-cases.ts';
import { type Answered, isAnswered } from '../transcript/exchange.ts';
import { idOf, toSegment } from '../transcript/ids.ts';
import { countOf, isList, itemsIn } from '../transcript/items.ts';
import { keptIds } from '../transcript/leftovers.ts';
import { type NextPage, nextPage } from '../transcript/next-page.ts';
import { maxPages, pagesOf } from '../transcript/page-walks.ts';
import { grace, mayHaveMore } from '../transcript/whole-lists.ts';
import { callsLeft, reserve } from './keys/budget.ts';
import { largestPage } from './listed.ts';
import { addItem, type OwnItem } from './own-item.ts';

/** Deletes an item, and looks for it: by reading it, and in the list. */
export async function tryDeletion(own: OwnItem): Promise<void> {
  const { session, document, resource, id } = own;
  const deletion = deletionOf(resource);
  const page = deletion && session.choice.isChosen(deletion.operation) && (await listBefore(own));
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
  if (!page || shows(own, page, id) || !isFull(own, page))
    await lookInPages(own, { id, deletion, most: 1 });
  else await tryBeyondPage(own, deletion, page);
}

/** The largest page of the list; undefined where there is none. */
async function listBefore({ document, resource, call }: OwnItem): Promise<Answered | undefined> {
  const list = largestPage(document, resource, 'fresh', 'before delete');
  const page = list && (await call({ ...list, purpose: { kind: 'call' } }));
  return page && isAnswered(page) && isList(page) ? page : undefined;
}

function shows({ resource: { idProperty } }: OwnItem, page: Answered, id: string): boolean {
  return itemsIn(page).some((item) => idOf(item, idProperty) === id);
}

/** Whether more items may be listed than a page shows. */
function isFull({ resource }: OwnItem, page: Answered): boolean {
  const size = new URLSearchParams(page.request.path.split('?')[1]).get(
    resource.pageSize?.name ?? '',
  );
  return mayHaveMore(resource, size === null ? {} : { limit: Number(size) }, countOf(page));
}

/**
 * Looks for a deletion in a list whose first page does not show the item: deletes another one that
 * the run created and that it shows, or else looks for the item on the pages after it.
 */
async function tryBeyondPage(own: OwnItem, deletion: ItemChange, page: Answered): Promise<void> {
  const { session, resource, call } = own;
  const other = keptIds(session.transcript, resource).find((one) => shows(own, page, one));
  const segment = toSegment(other);
  if (other === undefined || segment === undefined)
    return lookInPages(own, { id: own.id, deletion, most: maxPages });
  const { path } = readCase(deletion.operation, segment, { kind: 'call' }, 2);
  const deleted = await call(changeCase(deletion, { id: other, path }));
  if ((deleted?.response?.status ?? 500) < 300)
    await lookInPages(own, { id: other, deletion, most: 1 });
}

/** Looks for a deleted item in the list, page by page, and again later where it is found. */
async function lookInPages(
  own: OwnItem,
  { id, deletion, most }: { id: string; deletion: ItemChange; most: number },
): Promise<void> {
  const { session, document, resource, call } = own;
  const first = largestPage(document, resource, 'fresh', 'after delete');
  if (!first) return;
  const purpose = { kind: 'look', id, after: 'delete', expected: deletion.expected } as const;
  const rules = pagesOf(document, resource);
  const pages: Answered[] = [];
  let path: string | undefined = first.path;
  while (path !== undefined && pages.length < most) {
    const one: Case = { ...first, path, purpose };
    const number = pages.length + 1;
    const page = await call({ ...one, id: `${first.id}, of ${id}, page ${number}` });
    if (!page || !isAnswered(page)) return;
    pages.push(page);
    if (shows(own, page, id)) {
      await session.pause(grace);
      await call({ ...one, id: `${first.id}, of ${id}, page ${number} again` });
      return;
    }
    const next: NextPage = rules ? nextPage(rules, resource, pages) : 'unknown';
    const isAffordable = callsLeft(session.keys.bulk) > reserve;
    const query = typeof next === 'object' && isAffordable ? next.query.toString() : undefined;
    path = query === undefined ? undefined : `${first.path.split('?')[0]}?${query}`;
  }
}
