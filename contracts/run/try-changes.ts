import { planBodies, toBodyText, validFields } from '../cases/bodies.ts';
import type { Fields } from '../cases/body-parts.ts';
import type { Case, Change, Expected } from '../cases/case.ts';
import { changeCase, changesOf, deletionOf } from '../cases/change-cases.ts';
import { createCase } from '../cases/create-cases.ts';
import { fullBodies } from '../cases/full-fields.ts';
import type { ItemChange } from '../cases/item-change.ts';
import { readCase } from '../cases/read-cases.ts';
import type { ApiDocument, Resource } from '../description/document.ts';
import { toJson } from '../json.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { idOf, toSegment } from '../transcript/ids.ts';
import { type Item, itemIn, itemsIn } from '../transcript/items.ts';
import { isSameText } from '../transcript/same-text.ts';
import { sentFields } from '../transcript/sent-fields.ts';
import { grace } from '../transcript/whole-lists.ts';
import { callsLeft } from './keys/budget.ts';
import { largestPage } from './listed.ts';
import type { Session } from './session.ts';

/** The number of calls to leave for the rest of the run. */
const reserve = 10;

/**
 * Creates an item of each collection that can be changed, changes it in each way that the document
 * describes, deletes it, and looks at it after each change.
 */
export async function tryChanges(session: Session, document: ApiDocument): Promise<void> {
  for (const resource of document.resources) {
    const { create, read, replace, update, delete: remove } = resource.operations;
    const described = [replace, update, remove].filter(
      (one) => one && session.choice.isChosen(one),
    );
    const affordable = callsLeft(session.bulk) > reserve;
    if (!create || !read || described.length === 0 || !affordable) continue;
    if (![create, read].every(session.choice.isChosen)) continue;
    await tryResource(session, document, { resource, fill: (path) => path });
  }
}

/**
 * Creates an item of a collection, changes it and deletes it. `fill` gives a path the parameters of
 * the collection, where it has any.
 */
export async function tryResource(
  session: Session,
  document: ApiDocument,
  { resource, fill }: { resource: Resource; fill: (path: string) => string },
): Promise<void> {
  const { create, read } = resource.operations;
  if (!create || !read) return;
  const call = (one: Case) => session.call({ ...one, path: fill(one.path) });
  const plan = planBodies(document, resource);
  const add = (name: string, body: Fields) => {
    const purpose = { kind: 'create', mayRefuse: true } as const;
    const marker = `${name} {{run}}`;
    return call(createCase(create, name, toBodyText(plan, body), purpose, 2, marker));
  };
  let made: Exchange | undefined;
  for (const body of fullBodies(document, plan, 'to be changed {{run}}')) {
    made = await add('to be changed', body);
    if ((made?.response?.status ?? 500) < 400) break;
  }
  const id = idOf(made && itemIn(made), resource.idProperty);
  const segment = toSegment(id);
  if (!made?.response || made.response.status >= 300 || id === undefined || !segment) return;
  const lookCase = (after: Change, expected: Expected, number: number): Case => ({
    ...readCase(read, segment, { kind: 'look', id, after, expected }, 2),
    id: `${read.id}/${id} after ${after}, ${number}`,
  });
  const before = await call({
    ...readCase(read, segment, { kind: 'read', id }, 2),
    id: `${read.id}/${id} to be changed`,
  });
  let item = before && isAnswered(before) ? itemIn(before) : undefined;
  if (!item || before?.response?.status !== 200) return;
  const make = async (change: ItemChange): Promise<Exchange | undefined> => {
    if (!session.choice.isChosen(change.operation)) return undefined;
    const { path } = readCase(change.operation, segment, { kind: 'call' }, 2);
    return call(changeCase(change, { id, path }));
  };
  let sent = sentFields(made, resource);
  for (const how of ['form', 'json', 'merge-patch', 'json-patch', 'replace'] as const) {
    const marker = `changed by ${how} ${session.transcript.exchanges.length}`;
    const own = valuesIn(item, sent);
    const changes = changesOf(document, resource, { item, own, marker });
    const change = changes.find((one) => one.how === how);
    const changed = change && (await make(change));
    if (!change || (changed?.response?.status ?? 500) >= 300) continue;
    let look = await call(lookCase(how, change.expected, 1));
    if (look && !isDone(look, change)) {
      await session.pause(grace);
      look = await call(lookCase(how, change.expected, 2));
    }
    item = (look && itemIn(look)) ?? item;
    const set = Object.entries(change.expected.changed).map(([name, { to }]) => [name, to]);
    sent = { ...sent, ...Object.fromEntries(set) };
  }
  const deletion = deletionOf(resource);
  const deleted = deletion && (await make(deletion));
  if (!deletion || (deleted?.response?.status ?? 500) >= 300) return;
  const { expected } = deletion;
  const gone = await call(lookCase('delete', expected, 1));
  if ((gone?.response?.status ?? 404) < 400) {
    await session.pause(grace);
    await call(lookCase('delete', expected, 2));
  }
  // Where ids belong to one item for good, this one gets another.
  await add('after the deletion', validFields(plan, 'after the deletion {{run}}'));
  const list = largestPage(document, resource, 'fresh', 'after delete');
  const purpose = { kind: 'look', id, after: 'delete', expected } as const;
  const lists = (number: number): Case[] =>
    list ? [{ ...list, id: `${list.id}, ${number}`, purpose }] : [];
  const [listed] = await Promise.all(lists(1).map(call));
  const isListed = (one: Exchange) =>
    isAnswered(one) && itemsIn(one).some((other) => idOf(other, resource.idProperty) === id);
  if (!listed || !isListed(listed)) return;
  await session.pause(grace);
  for (const one of lists(2)) await call(one);
}

/** The fields of an item that have the values that were sent. */
function valuesIn(item: Item, sent: Fields): Fields {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => name in sent && isSameText(value, sent[name])),
  );
}

/** Whether an item shows each change. */
function isDone(look: Exchange, { expected }: ItemChange): boolean {
  const item = itemIn(look);
  return Object.entries(expected.changed).every(
    ([name, { from }]) => item !== undefined && toJson(item[name]) !== toJson(from),
  );
}
