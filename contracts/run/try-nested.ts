import type { Api, Operation, Resource } from '../../openapi/index.ts';
import {
  isBelow,
  isMadeWhole,
  isTriedNested,
  type Makeable,
  makeableIn,
} from '../cases/call-cases.ts';
import { type Purpose, readCase } from '../cases/case.ts';
import { listCase } from '../cases/list-cases.ts';
import { isStatedError } from '../document/stated.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { idsIn, toSegment } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import { callsLeft, largeReserve } from './keys/budget.ts';
import { makeNamed } from './own-calls.ts';
import {
  addItem,
  type FilledCollection,
  fillWith,
  makePlace,
  referToOwn,
  rememberOwn,
} from './own-item.ts';
import { settledId } from './prove-made.ts';
import type { Session } from './session.ts';
import { tryResource } from './try-changes.ts';
import type { Turn } from './turn.ts';
import { unknownId } from './values.ts';

/** The share of the requests that are left which trying nested collections may spend: large documents have hundreds. */
const share = 0.7;

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
  const least = session.left().requests * (1 - share);
  const isAffordable = () =>
    callsLeft(session.keys.bulk) > largeReserve && session.left().requests > least;
  const own = chosen.filter((one) => isTriedNested(document, one));
  const made: Parents = new Map();
  for (const resource of own)
    if (isAffordable()) await tryCollection(session, document, { resource, parents: made });
  for (const parent of parents)
    for (const resource of chosen.filter(({ path }) => isBelow(path, parent)))
      if (isAffordable()) await tryBelow(session, document, { resource, parent });
}

async function tryCollection(
  session: Session,
  document: Api,
  { resource, parents }: { resource: Resource; parents: Parents },
): Promise<void> {
  const { read, list } = resource.operations;
  const steps = makeableIn(document, resource.path);
  const parent = steps.at(-1)?.resource;
  if (!parent) return;
  await referToOwn(session, [...steps.map((one) => one.resource), resource]);
  const known = parents.get(parent) ?? (await makeParents(session, steps));
  parents.set(parent, known);
  const [own, other] = known;
  if (own === undefined) return;
  const at = fillWith;
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
        : listCase(operation, {});
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
    const unknown = [...own.split('/').slice(0, -1), nobody].join('/');
    if (isStatedError(list, 404) && !parent.idSchema.enum) await look(list, 'no parent', unknown);
  }
  await tryResource(session, document, { resource, fill: at(own) });
}

/** Items of the run below which collections are tried, by the collection that these are of. */
type Parents = Map<Resource, readonly (string | undefined)[]>;

/** Creates two items below which others can be made: the paths, the last one first. */
async function makeParents(session: Session, steps: readonly Makeable[]) {
  const other = await makePlace(session, steps, { name: 'a parent' });
  if (other.path === undefined) return [];
  const given = session.ownership.placeAt(steps.at(-1)?.template ?? '');
  if (given !== undefined) return [given, other.path];
  // Bodies refer to the parent that was added last.
  const from = other.path.split('/').slice(0, -1).join('/');
  const own = await makePlace(session, steps.slice(-1), { name: 'a parent', from });
  return [own.path, other.path];
}

/** Tries a collection below an item that the user gave; below further items, those are the run's own. */
async function tryBelow(
  session: Session,
  document: Api,
  { resource, parent }: { resource: Resource; parent: string },
): Promise<void> {
  const steps = makeableIn(document, resource.path, parent);
  if (!isMadeWhole(steps, resource.path, parent)) return;
  const { path } = await makePlace(session, steps, { name: 'a parent', from: parent });
  if (path === undefined) return;
  const fill = fillWith(path);
  await referToOwn(session, [resource]);
  const id = await createIn(session, document, { resource, fill, name: `below ${parent}` });
  if (id !== undefined) await tryResource(session, document, { resource, fill });
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
  { name, ...filled }: FilledCollection & { name: string },
): Promise<string | undefined> {
  const number = session.transcript.exchanges.length;
  const add = () => addItem({ session, document, ...filled }, `${name} ${number}`);
  const first = await add();
  const needs = session.refusals.takeNeeds(filled.resource.operations.create);
  for (const need of needs) await makeNamed(session, need, new Map());
  const made = needs.length > 0 ? await add() : first;
  // A deployment may answer with one that is there, perhaps below another parent.
  const id = await settledId(session, made);
  rememberOwn(session, filled.resource, made);
  return id;
}
