import { valueAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { planBodies } from '../cases/bodies.ts';
import { isBelow, isMadeWhole, type Makeable, makeableIn } from '../cases/call-cases.ts';
import { type Case, isUnsafe } from '../cases/case.ts';
import { neededByParameters } from '../cases/example-call.ts';
import { ownName } from '../cases/references.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { ownIdOf } from '../transcript/made.ts';
import { itemPathsOf } from './item-paths.ts';
import { addItem } from './own-item.ts';
import { settledId } from './prove-made.ts';
import type { Session } from './session.ts';

/** A path of an item of the run, if all items on the way were made, and their creates. */
export type OwnPlace = { path: string | undefined; creates: Exchange[] };

/** Creates items one below the other, the first one below `from`. */
export async function makePlace(
  session: Session,
  steps: readonly Makeable[],
  { name, from = '', purpose }: { name: string; from?: string; purpose?: Case['purpose'] },
): Promise<OwnPlace> {
  const { document } = session.transcript;
  const creates: Exchange[] = [];
  let path: string = from;
  for (const [index, { resource, template }] of steps.entries()) {
    const given = index < steps.length - 1 ? session.ownership.placeAt(template) : undefined;
    if (given !== undefined) {
      path = given;
      continue;
    }
    const fill = fillWith(path);
    const number = session.transcript.exchanges.length;
    const collection = { session, document, resource, fill };
    const made = await addItem(collection, `${name} ${number}`, purpose && { purpose });
    if (made) creates.push(made);
    // A deployment may answer with one that is there, perhaps below another parent.
    const id = await settledId(session, made);
    rememberOwn(session, resource, made);
    const at = made && id !== undefined && { id, item: made.made?.item };
    const paths = at ? itemPathsOf(resource, { ...at, collection: made.request.path }) : [];
    const own = paths.find((one) => isBelow(template, one));
    if (own === undefined) return { path: undefined, creates };
    path = own;
  }
  return { path, creates };
}

/** Fills in the beginning of paths that are below a place: the parameters of a template, or as it is. */
export function fillWith(place: string): (path: string) => string {
  const above = place.split('/');
  return (path) =>
    isBelow(path, place) ? [...above, ...path.split('/').slice(above.length)].join('/') : path;
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
