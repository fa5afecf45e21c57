import type { ApiDocument } from '../description/document.ts';
import { callsLeft } from './keys/budget.ts';
import { createOwnItem, type Filled } from './own-item.ts';
import type { Session } from './session.ts';
import { tryDeletion } from './try-deletion.ts';
import { tryUpdates } from './try-updates.ts';
import { tryWithoutKey } from './try-without-key.ts';

/** The number of calls to leave for the rest of the run. */
const reserve = 10;

/**
 * Creates an item of each collection that can be changed, changes it in each way that the document
 * describes, deletes it, and looks at it after each change.
 */
export async function tryChanges(session: Session, document: ApiDocument): Promise<void> {
  for (const resource of document.resources) {
    const { create, read, replace, update, delete: remove } = resource.operations;
    const described = [replace, update, remove].filter(
      (one) => one && session.choice.isChosen(one),
    );
    const affordable = callsLeft(session.bulk) > reserve;
    if (!create || !read || described.length === 0 || !affordable) continue;
    if (![create, read].every(session.choice.isChosen)) continue;
    await tryResource(session, document, { resource, fill: (path) => path });
  }
}

/** Creates an item of a collection, changes it and deletes it. */
export async function tryResource(
  session: Session,
  document: ApiDocument,
  filled: Filled,
): Promise<void> {
  const own = await createOwnItem(session, document, filled);
  if (!own) return;
  const item = await tryUpdates(own);
  const isGone = await tryWithoutKey(own, item);
  const left = isGone ? await createOwnItem(session, document, filled) : own;
  if (left) await tryDeletion(left);
}
