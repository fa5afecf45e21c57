import { copyLate } from '../../common/late.ts';
import { shapeOf } from '../../common/path-template.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { isOnCollection, type Kind } from '../../openapi/model/kinds.ts';
import { itemPathsOf } from '../../openapi/model/placements.ts';
import type { View } from '../../openapi/model/resource.ts';

/**
 * Returns a document of `withoutNested` with the operations on items at another path, where their
 * collection has no read: what `POST /user/repos` creates is read at
 * `/repos/{owner}/{repo}`. Creates at other paths, as `/orgs/{org}/repos`, are creates too.
 */
export function withItemViews(document: Api): Api {
  const byId = new Map(document.operations.map((operation) => [operation.id, operation]));
  // An operation of no collection with one path has lost its kind; its security may be narrowed since.
  const ofView = (described: Operation): Operation => {
    const { waysIn } = byId.get(described.id) ?? described;
    return Object.assign(copyLate(described), { waysIn });
  };
  const withItems = (resource: Resource): Resource => {
    const views = (resource.views ?? []).map((view) => ({
      ...view,
      operations: Object.fromEntries(
        Object.entries(view.operations).map(([kind, operation]) => [kind, ofView(operation)]),
      ),
    }));
    // Only a read at the same path proves whose the item there is.
    const read = resource.operations.read
      ? undefined
      : views.find((view) => view.operations.read && isFilledByItems(resource, view));
    const ofItems = Object.entries(read?.operations ?? {}).filter(
      ([kind]) => !isOnCollection(kind as Kind),
    );
    const operations = { ...Object.fromEntries(ofItems), ...resource.operations };
    return { ...resource, operations, views };
  };
  const resources = document.resources.map(withItems);
  for (const one of resources)
    for (const operation of [...Object.values(one.operations), ...createsAt(one)])
      byId.set(operation.id, operation);
  const operations = document.operations.map(({ id }) => byId.get(id) as Operation);
  return { ...document, operations, resources, nested: (document.nested ?? []).map(withItems) };
}

/** The creates of items at views of a collection. */
export function createsAt({ views = [] }: Pick<Resource, 'views'>): Operation[] {
  return views.flatMap(({ operations: { create } }) => create ?? []);
}

/** Whether the collection's own path, or the item, has the value of each parameter of a view. */
function isFilledByItems({ path }: Resource, view: View): boolean {
  const prefixes = itemPathsOf(view.path);
  return view.scope.every(
    ({ property }, index) => property !== undefined || beginsAs(path, prefixes[index] ?? ''),
  );
}

/** The view of a collection that an operation is at; undefined where that is below the collection. */
export function viewOf({ views = [] }: Resource, { id }: Operation): View | undefined {
  return views.find(({ operations }) => Object.values(operations).some((one) => one.id === id));
}

/** The shapes of the paths that name an item of a collection. */
export function itemShapesOf({ path, operations }: Resource): string[] {
  const ofItems = Object.entries(operations).filter(([kind]) => !isOnCollection(kind as Kind));
  const paths = [`${path}/{}`, ...ofItems.map(([, one]) => one.path)];
  return paths.map(shapeOf).filter((shape) => shape.endsWith('/{}'));
}

/** Whether a path begins as a template does, whatever the parameters of both are called. */
export function beginsAs(path: string, template: string): boolean {
  return `${shapeOf(path)}/`.startsWith(`${shapeOf(template)}/`);
}
