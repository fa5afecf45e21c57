import type { Case } from '../cases/case.ts';
import { readCase } from '../cases/read-cases.ts';
import { type ApiDocument, findResource } from '../description/document.ts';
import { toSegment } from '../transcript/ids.ts';
import { createdIds, deletedIds } from '../transcript/leftovers.ts';
import type { Session } from './session.ts';

/**
 * Deletes what the run created, the latest first, where the document describes how; also once
 * nothing else may be sent any more.
 */
export async function tidyUp(session: Session, document: ApiDocument): Promise<void> {
  const { transcript, choice } = session;
  const deleted = deletedIds(transcript);
  const cases = createdIds(transcript).flatMap(({ operation, id, path }): Case[] => {
    const resource = findResource(document, operation);
    const remove = resource?.operations.delete;
    const segment = toSegment(id);
    if (!remove || segment === undefined || deleted.has(`${resource.name} ${id}`)) return [];
    if (!choice.isChosen(remove) && !choice.isNeeded(remove)) return [];
    const purpose = { kind: 'tidy', id } as const;
    const plain = readCase(remove, segment, purpose, 3);
    const isBelow = withoutNames(remove.path) === `${withoutNames(operation.path)}/{}`;
    const own = isBelow ? { path: `${path}/${segment}` } : {};
    return [{ ...plain, ...own, writes: true, isNeeded: true }];
  });
  await session.callAll(cases.toReversed());
}

/** A path template by its form: a parameter may have another name in another path. */
function withoutNames(path: string): string {
  return path.replace(/\{[^{}]+\}/g, '{}');
}
