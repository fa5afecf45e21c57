import { valueAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { isBelow, type Makeable } from '../cases/call-cases.ts';
import type { Case } from '../cases/case.ts';
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
