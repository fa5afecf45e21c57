import { shapeOf } from '../../common/path-template.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import { listCase } from '../cases/list-cases.ts';
import { isTriedNested, parentOf } from '../cases/nested-cases.ts';
import { readCase } from '../cases/read-cases.ts';
import { isStatedError } from '../document/stated.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { toSegment, withoutQuery } from '../transcript/ids.ts';
import { idsIn } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import { callsLeft, largeReserve } from './keys/budget.ts';
import { addItem, type Filled } from './own-item.ts';
import { settledId } from './prove-made.ts';
import { referToOwn, rememberOwn } from './refer-to-own.ts';
import type { Session } from './session.ts';
import { tryResource } from './try-changes.ts';
import type { Turn } from './turn.ts';
import { unknownId } from './values.ts';

/** How many nested collections are tried: large documents have hundreds. */
const maxNested = 20;

/**
 * Creates two parents of each nested collection and an item below one. Looks for the item below
 * both and below an unknown parent, and changes and deletes another item. Below an item that the
 * user gave to work in, creates, changes and deletes items of each collection there.
 */
export async function tryNested({ session, document }: Turn): Promise<void> {
  const { isChosen } = session.choice;
  const { parents = [] } = session.options;
  const chosen = (document.nested ?? []).filter((resource) => {
    const { create, read, list } = resource.operations;
    const isAnyChosen = [read, list].some((one) => one && isChosen(one));
    return create && isChosen(create) && isAnyChosen;
  });
  const isAffordable = () => callsLeft(session.keys.bulk) > largeReserve;
  const own = chosen.filter((one) => isTriedNested(document, one));
  for (const resource of own.slice(0, maxNested))
    if (isAffordable()) await tryCollection(session, document, resource);
  for (const parent of parents)
    for (const resource of chosen.filter(({ path }) => isBelow(path, parent)))
      if (isAffordable()) await tryBelow(session, document, { resource, parent });
}

async function tryCollection(session: Session, document: Api, resource: Resource): Promise<void> {
  const { read, list } = resource.operations;
  const parent = parentOf(document, resource);
  if (!parent) return;
  await referToOwn(session, [parent, resource]);
  const addParent = async () =>
    toSegment(await createIn(session, document, { resource: parent, name: 'a parent' }));
  const other = await addParent();
  // Bodies refer to the parent that was added last.
  const own = await addParent();
  if (own === undefined) return;
  const at = (id: string) => fillWith(`${parent.path}/${id}`);
  const id = await createIn(session, document, {
    resource,
    fill: at(own),
    name: 'below its parent',
  });
  const segment = toSegment(id);
  if (id === undefined || segment === undefined) return;
  const look = (operation: Operation, step: NestedStep, below: string, when = '') => {
    const plain =
      operation === read
        ? readCase(operation, segment, { kind: 'call' }, 2)
        : listCase({ document, resource }, operation, {});
    return session.call({
      ...plain,
      id: `${operation.id}/nested, ${step}${when}`,
      path: at(below)(plain.path),
      purpose: { kind: 'nested', step, id },
    });
  };
  for (const [operation, step] of [[read, 'read'] as const, [list, 'list'] as const]) {
    const shown = operation && (await look(operation, step, own));
    if (!operation || !shown || isFound(shown, resource, id)) continue;
    await session.pause(grace);
    await look(operation, step, own, ', later');
  }
  if (list) {
    // A deployment may answer with the parent that is there where another is like it.
    if (other !== undefined && other !== own) await look(list, 'other parent', other);
    const nobody = unknownId(parent.idSchema, `${resource.name} nobody`);
    if (isStatedError(list, 404) && !parent.idSchema.enum) await look(list, 'no parent', nobody);
  }
  await tryResource(session, document, { resource, fill: at(own) });
}

/** Tries a collection below an item that the user gave; below further items, those are the run's own. */
async function tryBelow(
  session: Session,
  document: Api,
  { resource, parent }: { resource: Resource; parent: string },
): Promise<void> {
  const place = await placeBelow(session, document, { path: resource.path, parent });
  if (place === undefined) return;
  const fill = fillWith(place);
  await referToOwn(session, [resource]);
  const id = await createIn(session, document, { resource, fill, name: `below ${parent}` });
  if (id !== undefined) await tryResource(session, document, { resource, fill });
}

/** The path down to the last parameter of a template, with items of the run below the one given. */
async function placeBelow(
  session: Session,
  document: Api,
  { path, parent }: { path: string; parent: string },
): Promise<string | undefined> {
  const parts = path.split('/');
  const last = parts.findLastIndex((part) => part.includes('{'));
  if (last < parent.split('/').length) return parent;
  const above = parts.slice(0, last).join('/');
  const resource = document.nested?.find((one) => shapeOf(one.path) === shapeOf(above));
  const place = resource && (await placeBelow(session, document, { path: above, parent }));
  if (!resource || place === undefined) return undefined;
  const fill = fillWith(place);
  const id = toSegment(await createIn(session, document, { resource, fill, name: 'a parent' }));
  return id === undefined ? undefined : `${fill(resource.path)}/${id}`;
}

/** Whether an answer shows an item, alone or in a list. */
function isFound(exchange: Exchange, resource: Resource, id: string): boolean {
  return isAnswered(exchange) && idsIn(exchange, resource).includes(id);
}

type NestedStep = Extract<Purpose, { kind: 'nested' }>['step'];

/** Creates an item of a collection, and returns its id if the deployment adds it. */
async function createIn(
  session: Session,
  document: Api,
  { name, ...filled }: Filled & { name: string },
): Promise<string | undefined> {
  const number = session.transcript.exchanges.length;
  const made = await addItem({ session, document, ...filled }, `${name} ${number}`);
  // A deployment may answer with one that is there, perhaps below another parent.
  const id = await settledId(session, made);
  rememberOwn(session, filled.resource, made);
  return id;
}

/** Fills in the beginning of paths that are below a place: the parameters of a template, or as it is. */
function fillWith(place: string): (path: string) => string {
  const above = place.split('/');
  return (path) =>
    isBelow(path, place) ? [...above, ...path.split('/').slice(above.length)].join('/') : path;
}

/** Whether a path, or a template for it, is below a place or at it. */
function isBelow(path: string, place: string): boolean {
  const parts = withoutQuery(path).split('/');
  const above = place.split('/');
  return above.every(
    (part, index) => part === parts[index] || /^\{[^{}]+\}$/.test(parts[index] ?? ''),
  );
}
