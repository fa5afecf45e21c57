import { planBodies, validFields } from '../cases/bodies.ts';
import { type ApiDocument, collectionsOf, type Resource } from '../description/document.ts';
import { valueAt } from '../description/property-path.ts';
import { ownIdOf } from '../transcript/made.ts';
import { addItem } from './own-item.ts';
import type { Session } from './session.ts';

/** How many collections may refer to each other in a row. */
const maxDepth = 4;

/**
 * Adds an item of each collection that bodies of others refer to, and makes these refer to it: so
 * nothing is tied to items of others, and no body names an item that is not there.
 */
export async function referToOwn(session: Session, resources: readonly Resource[]): Promise<void> {
  const { document } = session.transcript;
  /** The ids of the items that were added, by collection. */
  const added = new Map<string, unknown>();
  const settle = async (resource: Resource, depth: number): Promise<void> => {
    for (const { property, collection } of resource.references ?? []) {
      const sent = planBodies(document, resource).properties.some(({ name }) => name === property);
      const target = collectionsOf(document).find(({ name }) => name === collection);
      if (!sent || !target || depth > maxDepth) continue;
      if (!added.has(collection)) {
        added.set(collection, undefined);
        await settle(target, depth + 1);
        added.set(collection, await addReferred(session, document, target));
      }
      const id = added.get(collection);
      if (id !== undefined) session.values.set(`known.${resource.name}.${property}`, id);
    }
  };
  for (const resource of resources) {
    const { create } = resource.operations;
    if (create && session.choice.isChosen(create)) await settle(resource, 0);
  }
}

async function addReferred(
  session: Session,
  document: ApiDocument,
  resource: Resource,
): Promise<unknown> {
  const { create } = resource.operations;
  if (!create || resource.scope || !session.choice.isChosen(create)) return undefined;
  const name = 'to refer to';
  const body = validFields(planBodies(document, resource), `${name} {{run}}`);
  const made = await addItem({ session, document, resource, fill: (path) => path }, name, body);
  const id = ownIdOf(made);
  return id === undefined ? undefined : (valueAt(made?.made?.item, resource.idProperty) ?? id);
}
