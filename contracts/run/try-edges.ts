import type { Case } from '../cases/case.ts';
import { readCase } from '../cases/read-cases.ts';
import { type ApiDocument, findResource } from '../description/document.ts';
import { toSegment } from '../transcript/ids.ts';
import { ownIdOf } from '../transcript/made.ts';
import { pathOnItem } from './item-paths.ts';
import type { Session } from './session.ts';

/**
 * Creates items with values at the edge of what is stated, one after the other, and deletes each at
 * once: a server that takes such a value may fail for everybody who lists it.
 */
export async function tryEdges(
  session: Session,
  document: ApiDocument,
  cases: readonly Case[],
): Promise<void> {
  for (const one of cases) {
    const { read, delete: remove } = findResource(document, one.operation)?.operations ?? {};
    if (!remove || !session.choice.isChosen(remove)) {
      session.transcript.skipped.push({ case: one, reason: { code: 'stays-at-edge' } });
      continue;
    }
    const made = await session.call(one);
    const id = ownIdOf(made);
    const segment = toSegment(id);
    if (!made || (made.response?.status ?? 500) >= 300) continue;
    // What cannot be deleted at once is deleted in the end, and no more of its kind is added.
    if (id === undefined || segment === undefined) return;
    const { path } = made.request;
    if (read) {
      const plain = readCase(read, segment, { kind: 'read', id }, 2);
      const name = `${read.id}/of ${one.id}`;
      await session.call({ ...plain, id: name, path: pathOnItem(read, path, segment) });
    }
    const deleted = await session.call({
      ...readCase(remove, segment, { kind: 'call', isMadeUp: true }, 2),
      id: `${remove.id}/of ${one.id}`,
      path: pathOnItem(remove, path, segment),
      writes: true,
    });
    if ((deleted?.response?.status ?? 500) >= 300) return;
  }
}
