import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { pointerTo } from './pointer-to.ts';

/** Why an operation keeps state that is of no kind of a collection's operations, and where. */
export type Statefulness = { because: string; pointer: string };

/** Why a HEAD, an operation on a single object, or an action on an item has state; undefined of others. */
export function whyStateful(document: ApiDocument, operation: Operation): Statefulness | undefined {
  const { actsOn, singleton, answersAs, path } = operation;
  if (answersAs)
    return {
      because: `it answers as GET ${answersAs.path} does, without content`,
      pointer: pointerTo(document, operation, 'operation'),
    };
  const pointer = pointerTo(document, operation, 'success');
  if (singleton !== undefined)
    return { because: `GET shows one object at ${path}, which PUT or PATCH changes`, pointer };
  return actsOn === undefined
    ? undefined
    : { because: `its success holds the item of ${actsOn} in its path`, pointer };
}
