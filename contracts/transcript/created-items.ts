import type { Resource } from '../description/document.ts';
import { idAsked } from './histories.ts';
import { idOf } from './ids.ts';
import { answeredFor, type Transcript } from './transcript.ts';

/** An item that a create answered with, and when, in Unix milliseconds. */
export type Created = { id: string; item: Record<string, unknown>; endedAt: number };

/** The items that creates answered with, but for those that reading says are not there. */
export function createdItems(
  transcript: Transcript,
  { operations, idProperty }: Resource,
): Created[] {
  const unknown = new Set(
    answeredFor(transcript, 'read')
      .filter(
        ({ case: one, response }) => one.operation === operations.read && response.status === 404,
      )
      .map(({ request }) => idAsked(request.path)),
  );
  return answeredFor(transcript, 'create').flatMap(({ case: one, response, endedAt }) => {
    const isCreated = one.operation === operations.create && response.status < 300;
    const id = isCreated ? idOf(response.json, idProperty) : undefined;
    return id === undefined || unknown.has(id)
      ? []
      : [{ id, item: response.json as Record<string, unknown>, endedAt }];
  });
}
