import { actionCase, actionsOf, itemPathOf } from '../cases/action-cases.ts';
import { planBodies, toBodyText, validFields } from '../cases/bodies.ts';
import { createCase } from '../cases/create-cases.ts';
import type { ApiDocument, Resource } from '../description/document.ts';
import { toSegment } from '../transcript/ids.ts';
import { callsLeft, largeReserve } from './keys/budget.ts';
import { settledId } from './prove-made.ts';
import type { Session } from './session.ts';

/** How many operations are tried on one item: large documents have many. */
const maxActions = 20;

/** Calls what the document describes below items, each on an item that the run created for it. */
export async function tryActions(session: Session, document: ApiDocument): Promise<void> {
  for (const resource of document.resources)
    await tryActionsOf(session, document, { resource, fill: (path) => path });
}

/**
 * The same for one collection. `fill` gives a path the parameters of the collection, where it has
 * any.
 */
export async function tryActionsOf(
  session: Session,
  document: ApiDocument,
  { resource, fill }: { resource: Resource; fill: (path: string) => string },
): Promise<void> {
  const { create } = resource.operations;
  const actions = actionsOf(document, resource, session.mayCall).filter(session.choice.isChosen);
  if (!create || !session.choice.isChosen(create)) return;
  const plan = planBodies(document, resource);
  for (const [index, action] of actions.slice(0, maxActions).entries()) {
    if (callsLeft(session.keys.bulk) <= largeReserve) return;
    const marker = `for ${action.method} ${index + 1} {{run}}`;
    const body = toBodyText(plan, validFields(plan, marker));
    const purpose = { kind: 'create', mayRefuse: true } as const;
    const plain = createCase(create, `for ${action.id}`, body, purpose, 2, marker);
    const made = await session.call({ ...plain, path: fill(plain.path) });
    const segment = toSegment(await settledId(session, made));
    if (segment === undefined) return;
    const one = actionCase(document, action, fill(itemPathOf(resource, segment)), session.mayCall);
    if (one) await session.call(one);
  }
}
