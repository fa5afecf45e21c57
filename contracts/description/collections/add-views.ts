import { isOnCollection, type Kind } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import type { RawDocument } from '../schema.ts';
import { createsItems } from './candidate.ts';
import { findListRules } from './list-rules.ts';
import { shapeOf, withoutSlash } from './places.ts';
import type { Resource, View } from './resource.ts';
import { isSameItem, itemsOf } from './success.ts';

/**
 * Gives collections the operations at other paths that list their items or create some: those that
 * the document says so of, and below their own path such as create several items, as
 * `POST /users/createWithList`.
 */
export function addViews(
  raw: RawDocument,
  resources: readonly Resource[],
  operations: readonly Operation[],
): void {
  const byShape = new Map(resources.map((one) => [shapeOf(one.path), one]));
  const known = new Set(
    resources.flatMap(({ operations: own, views = [] }) =>
      [own, ...views.map((view) => view.operations)].flatMap((found) => Object.values(found)),
    ),
  );
  for (const operation of operations) {
    if (known.has(operation)) continue;
    const { path, hint } = operation;
    const whole = hint?.kind ? hint.collection : path.slice(0, path.lastIndexOf('/'));
    const resource = whole === undefined ? undefined : byShape.get(shapeOf(whole));
    const kind = hint?.kind ?? 'createMany';
    if (!hint?.kind && addWhole(raw, resources, operation)) continue;
    if (!resource || !isOnCollection(kind)) continue;
    if (!hint?.kind && !isCreateBelow(raw, operation, resource)) continue;
    const view = toView(raw, operation, { kind, resource });
    resource.views = [...(resource.views ?? []), view];
  }
}

/**
 * Gives a nested collection the list of the items of all its parents, `GET /posts` beside
 * `/users/{userId}/posts`, where the id is in an object. Whether there was one.
 */
function addWhole(raw: RawDocument, resources: readonly Resource[], operation: Operation): boolean {
  if (operation.method !== 'GET') return false;
  const [resource, ...others] = resources.filter(
    ({ path, idHolder }) => idHolder && isOfAll(operation.path, path),
  );
  const { list } = resource?.operations ?? {};
  if (!resource || !list || others.length > 0) return false;
  const [items, own] = [itemsOf(raw, operation), itemsOf(raw, list)];
  if (!items || !own || !isSameItem(raw, items, own)) return false;
  const view = toView(raw, operation, { kind: 'list', resource });
  resource.views = [...(resource.views ?? []), view];
  return true;
}

/** Whether a path is that of a nested collection without its parent. */
function isOfAll(path: string, nested: string): boolean {
  const segments = shapeOf(nested).split('/');
  return segments.at(-2) === '{}' && segments.toSpliced(-3, 2).join('/') === shapeOf(path);
}

function isCreateBelow(raw: RawDocument, operation: Operation, resource: Resource): boolean {
  const { method, path } = operation;
  return (
    method === 'POST' && !withoutSlash(path).endsWith('}') && createsItems(raw, operation, resource)
  );
}

function toView(
  raw: RawDocument,
  operation: Operation,
  { kind, resource }: { kind: Kind; resource: Resource },
): View {
  const view = { path: operation.path, operations: { [kind]: operation }, filters: [], scope: [] };
  if (kind !== 'list') return view;
  const { filters, pageSize, form } = findListRules(raw, operation, resource.item);
  return {
    ...view,
    filters: [...filters],
    ...(pageSize && { pageSize }),
    ...(form.pointer.length > 0 && { listForm: form }),
  };
}
