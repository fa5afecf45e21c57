import type { Resource } from '../../openapi/index.ts';
import { planBodies } from '../cases/bodies.ts';
import { isMadeWhole, makeableIn } from '../cases/call-cases.ts';
import { neededByParameters } from '../cases/example-call.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import { makePlace } from './own-place.ts';
import type { Session } from './session.ts';

/** How many collections may refer to each other in a row. */
const maxDepth = 4;

/**
 * Adds an item of each collection that bodies of others need to refer to, and makes these refer to
 * it: so nothing is tied to items of others, and no body names an item that is not there.
 */
export async function referToOwn(session: Session, resources: readonly Resource[]): Promise<void> {
  const { document } = session.transcript;
  const added = new Set<Resource>();
  const settle = async (resource: Resource, depth: number): Promise<void> => {
    const { properties } = planBodies(document, resource);
    const needed = [
      ...properties
        .flatMap(({ named }) => named)
        .flatMap(({ names = [], beside = [] }) => [...names.slice(0, 1), ...beside.slice(0, 1)]),
      ...Object.values(resource.operations)
        .filter(isUnsafe)
        .flatMap((one) => neededByParameters(document, one)),
    ];
    for (const target of needed) {
      const { create } = target.operations;
      const isAddable = create && session.choice.isChosen(create);
      if (!isAddable || target === resource || added.has(target) || depth > maxDepth) continue;
      added.add(target);
      const above = target.scope ? makeableIn(document, target.path) : [];
      if (target.scope && !isMadeWhole(above, target.path)) continue;
      const steps = [...above, { resource: target, template: `${target.path}/{id}` }];
      for (const step of steps) await settle(step.resource, depth + 1);
      await makePlace(session, steps, { name: 'to refer to' });
    }
  };
  for (const resource of resources) {
    const { create } = resource.operations;
    if (create && session.choice.isChosen(create)) await settle(resource, 0);
  }
}
