import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { asks, type Operation, successOf } from '../model/operation.ts';
import { isCreated, operationsOf } from '../model/placements.ts';
import type { RawDocument } from '../schema.ts';
import { copying } from './actions.ts';
import type { Candidate } from './candidate.ts';
import { findWrappedItem } from './item-form.ts';
import { memberOf } from './links.ts';
import { isHinted, searching } from './operations-on.ts';
import { identityOf, itemOf } from './success.ts';

/**
 * Has each POST that makes an item of a place, as its 201 or 202 shows that, create it there, whatever
 * the body: jobs, uploads. If another operation creates these items, the paths must end alike. Of
 * several places with one last word, the first counts.
 */
export function addMakes(
  raw: RawDocument,
  places: readonly Candidate[],
  operations: readonly Operation[],
): void {
  const known = new Set(places.flatMap(({ resource }) => operationsOf(resource)));
  const created = new Set(places.filter(({ resource }) => isCreated(resource)));
  for (const operation of operations) {
    const { path } = operation;
    if (known.has(operation) || !makesByName(operation)) continue;
    const formIn = ({ resource }: Candidate) =>
      findWrappedItem(raw, successOf(operation), { path: resource.path });
    const isHome = (one: Candidate) => {
      const { read } = one.resource.operations;
      const made = formIn(one)?.schema ?? successOf(operation);
      const shown = read && itemOf(raw, read);
      return made && shown && identityOf(raw, made) === identityOf(raw, shown);
    };
    const isAlike = ({ resource }: Candidate) => lastWordOf(path) === lastWordOf(resource.path);
    const homes = places.filter((one) => isHome(one) && !isAbout(raw, operation, one));
    const free = homes.filter((one) => isAlike(one) || !created.has(one));
    const [home] = free;
    const words = new Set(free.map(({ resource }) => lastWordOf(resource.path)));
    if (!home || words.size > 1) continue;
    const at = formIn(home)?.pointer;
    if (at) operation.shownAt = at;
    operation.lacks = undefined;
    const view = { path, operations: { create: operation }, scope: [] };
    home.resource.views = [...(home.resource.views ?? []), view];
  }
}

/** Whether an operation may make an item by its method, status and name, at a path that names none. */
function makesByName(operation: Operation): boolean {
  const { method, path, responses } = operation;
  const isMade = responses.filter(isSuccess).every(({ status }) => /20[12]/.test(status));
  const isOther = asks(operation, searching) || copying.test(path) || path.endsWith('}');
  return method === 'POST' && isMade && !isOther && !isHinted(operation);
}

/** Whether an operation is about an item that exists: one in its path, or one that its body names. */
function isAbout(raw: RawDocument, operation: Operation, place: Candidate): boolean {
  const isBelow = ({ path }: Operation) =>
    path.endsWith('}') && shapeOf(operation.path).startsWith(`${shapeOf(path)}/`);
  const isNamed = memberOf(raw, operation, [place]) !== undefined;
  return isNamed || operationsOf(place.resource).some(isBelow);
}
