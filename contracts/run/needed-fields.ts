import { planBodies } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { fullBodies } from '../cases/full-fields.ts';
import type { ApiDocument } from '../description/document.ts';
import { addTaken } from './own-item.ts';
import type { Session } from './session.ts';

/** Statuses of a create whose body lacks something. */
const refusals = [400, 409, 422];

/**
 * Finds out which fields creates need besides those that the document requires: where a body without
 * any other is refused, the first that is taken tells. From then on each create has these fields.
 * Returns the cases that were sent for it.
 */
export async function findNeededFields(
  session: Session,
  document: ApiDocument,
  cases: readonly Case[],
): Promise<ReadonlySet<Case>> {
  const sent = new Set<Case>();
  for (const resource of document.resources) {
    const { create } = resource.operations;
    const plain = cases.find(
      ({ operation, purpose }) =>
        operation === create && purpose.kind === 'create' && purpose.onlyRequired,
    );
    if (!create || !plain) continue;
    sent.add(plain);
    const refused = await session.call(plain);
    if (!refusals.includes(refused?.response?.status ?? 0)) continue;
    const plan = planBodies(document, resource);
    const collection = { session, document, resource, fill: (path: string) => path };
    // Each create needs texts of its own, or an item would show what another create sent.
    const bodies = fullBodies(document, plan, 'to be taken {{run}}{{fresh}}').reverse();
    const [required = {}, ...larger] = bodies;
    const taken = await addTaken(collection, 'to be taken', larger);
    // A switch may send or hide something, and is rarely what was missing.
    const besides = Object.entries(taken?.body ?? {}).filter(
      ([name, value]) => !(name in required) && typeof value !== 'boolean',
    );
    session.needed.set(create, { plan, fields: Object.fromEntries(besides) });
  }
  return sent;
}
