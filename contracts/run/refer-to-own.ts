import { valueAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { planBodies } from '../cases/bodies.ts';
import { neededByParameters } from '../cases/example-call.ts';
import { ownName } from '../cases/references.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { ownIdOf } from '../transcript/made.ts';
import { addItem } from './own-item.ts';
import { settledId } from './prove-made.ts';
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
      const isAddable = create && !target.scope && session.choice.isChosen(create);
      if (!isAddable || target === resource || added.has(target) || depth > maxDepth) continue;
      added.add(target);
      await settle(target, depth + 1);
      const made = await addItem({ session, document, resource: target }, 'to refer to');
      await settledId(session, made);
      rememberOwn(session, target, made);
    }
  };
  for (const resource of resources) {
    const { create } = resource.operations;
    if (create && session.choice.isChosen(create)) await settle(resource, 0);
  }
}

/** Lets bodies refer to the item that a create made, where it is the run's own. */
export function rememberOwn(
  { values }: Session,
  { name, idProperty }: Resource,
  create: Exchange | undefined,
): void {
  const id = ownIdOf(create);
  if (id === undefined) return;
  for (const [property, value] of Object.entries(create?.made?.item ?? {}))
    values.set(ownName(name, property), value);
  values.set(ownName(name, idProperty), valueAt(create?.made?.item, idProperty) ?? id);
}
