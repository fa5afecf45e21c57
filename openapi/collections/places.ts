import { shapeOf, withoutSlash } from '../../common/path-template.ts';
import type { Hint } from '../hint.ts';
import { isOnCollection } from '../model/kinds.ts';
import type { Operation } from '../model/operation.ts';

/** Operations on a collection, by its path, and on one item of it. */
export type CollectionPlace = {
  /** The path template of the collection, as it is first written. */
  path: string;
  onCollection: Operation[];
  onItem: Operation[];
};

/** The path of the collection of which a path names an item; undefined where it names none. */
function collectionPathOf(path: string): string | undefined {
  return /^(.*[^/])\/\{[^{}/]+\}\/?$/.exec(path)?.[1];
}

/** The places of a document that may be collections, in its order. */
export function findPlaces(
  operations: readonly Operation[],
  listsItems: (operation: Operation) => boolean,
): CollectionPlace[] {
  const places = new Map<string, CollectionPlace>();
  // `/segments/{project}/{environment}` may hold many segments, and so may what has a POST alone;
  // `/categories/{team}` may where it lists what is at `/categories/{team}/{category}`.
  const byShape = Map.groupBy(operations, ({ path }) => shapeOf(path));
  const lists = new Set<string>();
  for (const [shape, all] of byShape) {
    const isBelow = shape.endsWith('/{}/{}');
    const isList = all.some((one) => one.method === 'GET' && listsItems(one));
    const holdsItems = isBelow || (shape.endsWith('/{}') && byShape.has(`${shape}/{}`));
    if (isList ? holdsItems : isBelow && all.every(({ method }) => method === 'POST'))
      lists.add(shape);
  }
  const placeAt = (path: string): CollectionPlace => {
    const shape = shapeOf(path);
    let place = places.get(shape);
    if (!place) places.set(shape, (place = { path, onCollection: [], onItem: [] }));
    return place;
  };
  for (const operation of operations) {
    if (operation.hint?.kind === 'none') continue;
    if (operation.hint?.kind) {
      addHinted(operation, operation.hint, placeAt);
      continue;
    }
    const collection = collectionPathOf(operation.path);
    const outer = collection?.endsWith('}') ? shapeOf(collection) : '';
    if (lists.has(shapeOf(operation.path))) {
      placeAt(operation.path).onCollection.push(operation);
      continue;
    }
    // Below an item another parameter names no item: `/gists/{gist_id}/{sha}`.
    if (byShape.has(outer) && !lists.has(outer)) continue;
    if (collection !== undefined) placeAt(collection).onItem.push(operation);
    else if (!withoutSlash(operation.path).endsWith('}'))
      placeAt(operation.path).onCollection.push(operation);
  }
  // Its own operations name its parameters; those of its items may name them otherwise.
  for (const place of places.values())
    place.path = withoutSlash(place.onCollection.find(({ hint }) => !hint)?.path ?? place.path);
  return [...places.values()];
}

/** Adds an operation of which the document says what it does. */
function addHinted(
  operation: Operation,
  hint: Hint,
  placeAt: (path: string) => CollectionPlace,
): void {
  const place = placeAt(hint.collection ?? hintedPathOf(operation));
  const isOnWhole = hint.kind !== undefined && isOnCollection(hint.kind);
  (isOnWhole ? place.onCollection : place.onItem).push(operation);
}

/** The path of the collection in the path of an operation of which the document says what it does. */
export function hintedPathOf({ path, hint = {} }: Pick<Operation, 'path' | 'hint'>): string {
  const { kind, parameter } = hint;
  const end = path.lastIndexOf(parameter === undefined ? '/{' : `/{${parameter}}`);
  return (kind && isOnCollection(kind)) || end < 0 ? path : path.slice(0, end);
}
