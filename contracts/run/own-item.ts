import { valueAt } from '../../common/property-path.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import type { View } from '../../openapi/model/resource.ts';
import { planBodies, toBodyText, validFields } from '../cases/bodies.ts';
import type { Fields } from '../cases/body-parts.ts';
import { isBelow, isMadeWhole, type Makeable, makeableIn } from '../cases/call-cases.ts';
import { type Case, type Change, type ExpectedEffect, isUnsafe, readCase } from '../cases/case.ts';
import { changeCase, type ItemChange } from '../cases/change-cases.ts';
import { createCase } from '../cases/create-cases.ts';
import { neededByParameters } from '../cases/example-call.ts';
import { fullBodies } from '../cases/full-fields.ts';
import { ownName } from '../cases/references.ts';
import { unusedMethod } from '../document/stated.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { type Item, itemWithId, sentFields, toSegment } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import { type CreatedItem, leftItems } from '../transcript/leftovers.ts';
import { ownIdOf } from '../transcript/made.ts';
import { itemPathsOf } from './item-paths.ts';
import { largestPage } from './listed.ts';
import { settledId } from './prove-made.ts';
import { incomplete } from './refusals.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/**
 * A collection; `fill` gives a path the parameters of its own path, where it has any. At a `view`, items
 * are read and changed at that other path.
 */
export type FilledCollection = {
  resource: Resource;
  fill?: ((path: string) => string) | undefined;
  view?: View;
};

/** An item that the run created to change it, and what can be done with it. */
export interface OwnItem extends FilledCollection {
  session: Session;
  document: Api;
  id: string;
  /** As it was read, and the fields that it was created with. */
  item: Item;
  sent: Fields;
  /** Sends a case below the collection's path. */
  call(one: Case): Promise<Exchange | undefined>;
  /** Makes a change of the item; undefined where its operation was not chosen. */
  change(change: ItemChange, number?: number): Promise<Exchange | undefined>;
  /** Reads the item after a change, or lists it if nothing reads it; for the first time or again. */
  look(after: Change, expected: ExpectedEffect, number: number): Promise<Exchange | undefined>;
  /** The item as an answer shows it; undefined where it does not. */
  shownIn(answer: Exchange | undefined): Item | undefined;
}

/**
 * Creates another item of the collection, with a name for the case; by default the plainest that the
 * deployment takes.
 */
export async function addItem(
  {
    session,
    document,
    resource,
    fill = (path) => path,
  }: Pick<OwnItem, 'session' | 'document'> & FilledCollection,
  name: string,
  {
    given,
    purpose = { kind: 'create', mayRefuse: true },
  }: { given?: Fields; purpose?: Case['purpose'] } = {},
): Promise<Exchange | undefined> {
  const { create } = resource.operations;
  if (!create) return undefined;
  const plan = planBodies(document, resource);
  const marker = `${name} {{run}}`;
  const isMore = (body: Fields, index: number, all: readonly Fields[]) =>
    index === 0 || Object.keys(body).length > Object.keys(all[0] ?? {}).length;
  const bodies = given
    ? [given]
    : [validFields(plan, marker), ...fullBodies(document, plan, marker)];
  let made: Exchange | undefined;
  const plain = bodies[0] ?? {};
  for (const body of bodies.filter(isMore)) {
    const one = createCase(create, name, toBodyText(plan, body), purpose, 2, marker);
    const filled = { ...one, path: fill(one.path) };
    made = await session.call(filled);
    // A key that reached its limit is waited for.
    if (made?.response?.status === 429) made = await session.call(filled);
    const status = made?.response?.status ?? 0;
    if (status > 0 && status < 300 && body !== plain) session.refusals.keep(create, plain, body);
    if (!incomplete.includes(status)) break;
  }
  return made;
}

/** Adds an item of each collection: a later list that is longer shows that none was cut before. */
export async function addOneMore({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    const { create } = resource.operations;
    if (create && session.choice.isChosen(create))
      await addItem({ session, document, resource }, 'after the survey');
  }
}

/**
 * Gives methods that nobody describes an item of the run to try them on, as one may delete it after
 * all: the item that was made last, or another one where none is left at that path.
 */
export async function giveItemsToTry({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    const { read, create } = resource.operations;
    const isTried = read && create && unusedMethod(document, read) !== undefined;
    if (!isTried || !session.choice.isChosen(create)) continue;
    const isAtItsPath = ({ operation, whose, path }: CreatedItem) =>
      operation === create && whose === 'own' && path === create.path;
    const last = leftItems(session.transcript).findLast(isAtItsPath)?.id;
    const add = () => addItem({ session, document, resource }, 'for another method');
    const id = last ?? (await settledId(session, await add()));
    session.values.set(`own.${resource.name}`, toSegment(id));
  }
}

/**
 * Creates an item with as many fields as the deployment takes, and reads it, or lists it if nothing
 * reads it; undefined where either fails.
 */
export async function createOwnItem(
  session: Session,
  document: Api,
  { resource: own, fill = (path) => path, view }: FilledCollection,
): Promise<OwnItem | undefined> {
  const { create } = own.operations;
  const resource = view && create ? { ...own, operations: { ...view.operations, create } } : own;
  const { read, list } = resource.operations;
  if (!create || !(read ?? list)) return undefined;
  const plan = planBodies(document, resource);
  const bodies = fullBodies(document, plan, 'to be changed {{run}}');
  const collection = { session, document, resource, fill };
  let made: Exchange | undefined;
  for (const body of bodies) {
    made = await addItem(collection, 'to be changed', { given: body });
    if ((made?.response?.status ?? 500) < 300) break;
  }
  const id = await settledId(session, made);
  return made && id !== undefined ? openOwnItem(collection, { made, id, view }) : undefined;
}

/** Reads an item that a call of the run made, or lists it; undefined where nothing shows it. */
export async function openOwnItem(
  {
    session,
    document,
    resource,
    fill = (path) => path,
  }: Omit<FilledCollection, 'view'> & Pick<OwnItem, 'session' | 'document'>,
  { made, id, view }: { made: Exchange; id: string; view?: View | undefined },
): Promise<OwnItem | undefined> {
  const { read } = resource.operations;
  const list = largestPage(resource, 'fresh');
  const segment = toSegment(id);
  if (segment === undefined || !(read ?? list)) return undefined;
  const call = (one: Case) => session.call({ ...one, path: fill(one.path) });
  const shown = read ? readCase(read, segment, { kind: 'read', id }, 2) : (list as Case);
  const show = (purpose: Case['purpose'], when: string) =>
    call({ ...shown, purpose, id: `${shown.operation?.id}/${id} ${when}` });
  const shownIn = (answer: Exchange | undefined) =>
    answer && isAnswered(answer) ? itemWithId(answer, resource, id) : undefined;
  // The id may be that of another item there.
  const first: Case['purpose'] = read && !view ? { kind: 'read', id } : { kind: 'call' };
  let item = shownIn(await show(first, 'to be changed'));
  if (!item) {
    await session.pause(grace);
    item = shownIn(await show(first, 'to be changed, again'));
  }
  if (!item) return undefined;
  const sent = sentFields(made);
  return {
    ...{ session, document, resource, fill, id, item, sent, call, shownIn },
    ...(view && { view }),
    async change(change, number) {
      if (!session.choice.isChosen(change.operation)) return undefined;
      const { path } = readCase(change.operation, segment, { kind: 'call' }, 2);
      const one = changeCase(change, { id, path, ...(number !== undefined && { number }) });
      const changed = await call(one);
      if (changed?.response?.status !== 404) return changed;
      // A deployment may find what is new a moment later than it reads it.
      await session.pause(grace);
      return call({ ...one, id: `${one.id}, again` });
    },
    look: (after, expected, number) =>
      show({ kind: 'look', id, after, expected }, `after ${after}, ${number}`),
  };
}

/** A path of an item of the run, if all items on the way were made, and their creates. */
type OwnPlace = { path: string | undefined; creates: Exchange[] };

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
