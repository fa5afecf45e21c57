import type { Operation } from '../operation.ts';
import type { RawDocument } from '../schema.ts';
import { createsItems } from './candidate.ts';
import { shapeOf } from './places.ts';
import type { Resource } from './resource.ts';

/**
 * Gives collections the operations below their paths that create several items at once, such as
 * `POST /users/createWithList`.
 */
export function addCreates(
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
    const { method, path, hint } = operation;
    if (method !== 'POST' || path.endsWith('}') || hint?.kind || known.has(operation)) continue;
    const resource = byShape.get(shapeOf(path.slice(0, path.lastIndexOf('/'))));
    if (!resource || !createsItems(raw, operation, resource)) continue;
    const view = { path, operations: { createMany: operation }, filters: [], scope: [] };
    resource.views = [...(resource.views ?? []), view];
  }
}
