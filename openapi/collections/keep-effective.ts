import { shapeOf } from '../../common/path-template.ts';
import type { Hint } from '../hint.ts';
import { type Operation, toKey } from '../model/operation.ts';
import { placementsOf } from '../model/placements.ts';
import type { Resource } from '../model/resource.ts';
import { toOperations } from '../operation.ts';
import type { RawDocument } from '../schema.ts';
import { resourcesOf } from './find-resources.ts';
import { setsItem } from './operations-on.ts';
import { hintedPathOf } from './places.ts';

/**
 * Returns the operations whose hint gives them state that can be seen. Each hint is tried on the
 * document, at a time with those of other collections, as large documents have many.
 */
export function keepEffective(
  raw: RawDocument,
  hints: ReadonlyMap<string, { operation: Operation; hint: Hint }>,
): ReadonlySet<string> {
  const effective = new Set<string>();
  const rest = Map.groupBy(hints, ([, { operation, hint }]) =>
    shapeOf(hint.collection ?? hintedPathOf({ path: operation.path, hint })),
  );
  while (rest.size > 0) {
    const operations = new Map(toOperations(raw).map((one) => [toKey(one), one]));
    const tried = [...rest].flatMap(([shape, all]) => {
      const last = all.pop();
      if (all.length === 0) rest.delete(shape);
      const operation = last && operations.get(last[0]);
      if (!operation) return [];
      operation.hint = last[1].hint;
      return [operation];
    });
    const { resources } = resourcesOf(raw, [...operations.values()]);
    for (const one of tried) {
      const resource = resources.find(({ name }) => name === one.resource);
      if (resource && one.kind === one.hint?.kind && isSeen(raw, one, resource))
        effective.add(toKey(one));
    }
  }
  return effective;
}

/** Whether clients see what an operation does: it shows items, or sets what others show. */
function isSeen(raw: RawDocument, operation: Operation, resource: Resource): boolean {
  const { kind, body } = operation;
  const isChange = kind === 'replace' || kind === 'update';
  if (isChange && !(body && setsItem(raw, operation, resource.item))) return false;
  return placementsOf(resource).some(({ operations: { list, read } }) => list ?? read);
}
