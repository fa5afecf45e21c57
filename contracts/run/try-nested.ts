import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { beginsAs } from '../cases/call-cases.ts';
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

/** The values of the path parameters of a nested collection, by name. */
type Values = Readonly<Record<string, string>>;

/**
 * Creates two parents of each nested collection and an item below one. Looks for the item below
 * both and below an unknown parent, and changes and deletes another item.
 */
export async function tryNested({ session, document }: Turn): Promise<void> {
  const { isChosen } = session.choice;
  const chosen = (document.nested ?? []).filter((resource) => {
    const { create, read, list } = resource.operations;
    const isAnyChosen = [read, list].some((one) => one && isChosen(one));
    return isTriedNested(document, resource) && create && isChosen(create) && isAnyChosen;
  });
  for (const resource of chosen.slice(0, maxNested)) {
    const affordable = callsLeft(session.keys.bulk);
    if (affordable > largeReserve) await tryCollection(session, document, resource);
  }
}

async function tryCollection(session: Session, document: Api, resource: Resource): Promise<void> {
  const { read, list } = resource.operations;
  const [inner] = resource.scope ?? [];
  const parent = parentOf(document, resource);
  if (!inner || !parent) return;
  await referToOwn(session, [parent, resource]);
  const addParent = async () =>
    toSegment(await createIn(session, document, { resource: parent, name: 'a parent' }));
  const other = await addParent();
  // Bodies refer to the parent that was added last.
  const own = await addParent();
  if (own === undefined) return;
  const at = (id: string) => fillWith(resource, { [inner.parameter]: id });
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

/**
 * Fills in the parameters of a collection's path where a path begins with it. An operation may call
 * them otherwise.
 */
function fillWith({ path: template }: Resource, values: Values): (path: string) => string {
  const own = template.split('/');
  return (path) => {
    if (!beginsAs(withoutQuery(path), template)) return path;
    const fill = (part: string, index: number) => values[own[index]?.slice(1, -1) ?? ''] ?? part;
    return path.split('/').map(fill).join('/');
  };
}
