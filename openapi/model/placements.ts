import { oncePer } from '../../common/once-per.ts';
import { shapeOf } from '../../common/path-template.ts';
import { addsItems, isOnCollection, type Kind } from './kinds.ts';
import type { Operation } from './operation.ts';
import type { Resource, View } from './resource.ts';

/** Finds the collection that a path names an item of. */
export type FindParent = (itemPath: string) => Resource | undefined;

/**
 * Creates a search for collections by the paths of their items, or by paths of another version:
 * `/v2/pets/{id}` finds the only collection at `/v1/pets` where the document has no items at v2.
 */
export function createFindParent(resources: readonly Resource[]): FindParent {
  const byShape = new Map<string, Resource>();
  const byOther = new Map<string, Resource | undefined>();
  const note = (path: string, resource: Resource) => {
    const shape = shapeOf(path);
    if (byShape.has(shape)) return;
    byShape.set(shape, resource);
    const other = withoutVersion(shape);
    const isSame = !byOther.has(other) || byOther.get(other) === resource;
    byOther.set(other, isSame ? resource : undefined);
  };
  for (const resource of resources)
    for (const { operations } of placementsOf(resource))
      for (const [kind, { path }] of Object.entries(operations))
        if (!isOnCollection(kind as Kind) && shapeOf(path).endsWith('{}')) note(path, resource);
  for (const resource of resources) {
    const shape = shapeOf(`${resource.path}/{}`);
    // Where `/projects/{account}/{name}` is an item, the account is none.
    const isBefore = placementsOf(resource).some(({ path }) => shapeOf(path) === shape);
    if (!isBefore && !resource.hasWordsBelow) note(shape, resource);
  }
  return (itemPath) => {
    const shape = shapeOf(itemPath);
    const other = withoutVersion(shape);
    return byShape.get(shape) ?? (other === shape ? undefined : byOther.get(other));
  };
}

/** The search among the collections of a document. */
export const findParentOf = oncePer(({ resources }: { resources: readonly Resource[] }) =>
  createFindParent(resources),
);

function withoutVersion(shape: string): string {
  return shape.replace(/\/v\d[\w.]*(?=\/)/, '');
}

/** The paths at which a collection is shown: its own, and those of its views. */
export function placementsOf({
  path,
  operations,
  scope = [],
  views = [],
  alias,
}: Resource): Placement[] {
  return [{ path, operations, scope, ...(alias !== undefined && { key: alias }) }, ...views];
}

export type Placement = Pick<View, 'path' | 'operations' | 'scope' | 'key'>;

/** All operations on a collection, those of its views too. */
export function operationsOf(resource: Resource): Operation[] {
  return placementsOf(resource).flatMap(({ operations }) => Object.values(operations));
}

/** Whether an operation creates items of a collection. Of others, any may be there. */
export function isCreated(resource: Resource): boolean {
  return placementsOf(resource).some(
    ({ operations }) => operations.replace !== undefined || addsItems(operations),
  );
}

/**
 * The properties that name an item together with its id, where no path names one by that alone:
 * `project` of `/flags/{project}/{key}`.
 */
export function keysBeside(resource: Resource): string[] {
  const ofItems = placementsOf(resource).filter(({ path, operations }) =>
    Object.values(operations).some((one) => shapeOf(one.path) === shapeOf(`${path}/{}`)),
  );
  if (ofItems.some(({ scope, key }) => scope.length === 0 || key !== undefined)) return [];
  return [
    ...new Set(ofItems.flatMap(({ scope }) => scope.flatMap(({ property = [] }) => property))),
  ];
}

/** The beginnings of a path that end with a parameter, from the shortest on. */
export function itemPathsOf(path: string): string[] {
  return [...path.matchAll(/\{[^{}]+\}/g)].map(({ 0: { length }, index }) =>
    path.slice(0, index + length),
  );
}

/** Finds the placement of a collection at a path; its own one for a path that has none. */
export function placementAt(resource: Resource, path: string): Placement | undefined {
  const shape = shapeOf(path);
  const placements = placementsOf(resource);
  const isAt = (one: Placement) => shapeOf(one.path) === shape;
  const isBelow = (one: Placement) => `${shape}/`.startsWith(`${shapeOf(one.path)}/{}/`);
  const [longest] = placements
    .filter(isBelow)
    .toSorted((one, other) => other.path.length - one.path.length);
  return (
    placements.findLast(isAt) ??
    longest ??
    (shape.startsWith(shapeOf(resource.path)) ? placements[0] : sharedPart(placements[0], shape))
  );
}

/** The scopes of a place that another path begins with, as items may be named nearer to the root. */
function sharedPart(place: Placement | undefined, shape: string): Placement | undefined {
  const scope = itemPathsOf(place?.path ?? '').flatMap((prefix, index) =>
    shape.startsWith(`${shapeOf(prefix)}/`) ? (place?.scope[index] ?? []) : [],
  );
  return place && scope.length > 0 ? { ...place, scope } : undefined;
}
