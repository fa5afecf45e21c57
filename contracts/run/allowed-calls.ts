import { membersOf } from '../../common/json.ts';
import { unescaped } from '../../common/path-template.ts';
import { withAt } from '../../common/property-path.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isOnItem, mayAddTo } from '../cases/call-cases.ts';
import { type Case, readCase } from '../cases/case.ts';
import { type Answer, type Exchange, type MadeItem, sentValue } from '../transcript/exchange.ts';
import {
  type Item,
  idAsked,
  idOf,
  itemIn,
  textOf,
  toSegment,
  withoutQuery,
} from '../transcript/items.ts';
import { collectionPath } from '../transcript/ledger.ts';
import { idInAnswer, isCreatedSince, leavesOf } from '../transcript/made.ts';
import { asCreate, listNow, readMade } from './prove-made.ts';
import type { Before, Session } from './session.ts';

/** Looks at what is there before a call that may make something: it made nothing of that. */
export async function lookBefore(session: Session, one: Case, path: string): Promise<Before> {
  const { document, exchanges } = session.transcript;
  const operation = one.operation as Operation;
  const resource = addedTo(document, operation);
  if (!resource) return {};
  const at = { path: collectionPath(resource, path), number: exchanges.length };
  const listed = await listNow(session, resource, at);
  const { read } = resource.operations;
  if (!read || !isAtItem(operation, resource)) return { listed };
  const plain = readCase(read, '', { kind: 'call' }, 1);
  const id = `${read.id}/before ${one.id}`;
  const looked = await session.call({
    ...plain,
    ...{ id, path: withoutQuery(path), isNeeded: true, isMadeUp: true },
  });
  return { listed, status: looked?.response?.status };
}

/**
 * Finds the items that such a call created. An item belongs to the run if its own path shows
 * the run's mark and two of three signs say that it is new. The signs are: it was absent before;
 * the answer is 201 with an id that was not sent; it says that it was created just now. Other
 * possible changes, such as an archived item, are reported.
 */
export async function proveAllowed(
  session: Session,
  call: Answer,
  before: Before,
): Promise<Answer[]> {
  const operation = call.case.operation as Operation;
  const reason = `${operation.id} may have made it, or only changed it`;
  const unproven = (id?: string): MadeItem => ({ ...(id && { id }), whose: 'unproven', reason });
  const marked = innermost(call.response.json, (one) => session.ownership.shows(one, call));
  const resource = addedTo(session.transcript.document, operation, marked);
  const candidates = resource
    ? await candidatesIn(session, call, { resource, marked, before })
    : [];
  const isOwn = ({ create, id }: Candidate) =>
    session.ownership.mayChange(undefined, `${create.request.path}/${toSegment(id)}`);
  const others = candidates.filter((one) => !isOwn(one));
  const made: Answer[] = [];
  for (const one of others) {
    const claimed = await claim(session, one);
    // An id that its collection does not know is that of something else.
    const create = claimed === 'unseen' ? { ...call } : one.create;
    create.made = typeof claimed === 'object' ? claimed : unproven(one.id);
    made.push(create);
  }
  const told = candidates.map(({ id }) => id);
  const shown = idOf(itemIn(call), 'id');
  const isMade = call.response.status === 201 || isUnasked(call, shown);
  if (candidates.length === 0 && isMade) made.push({ ...call, made: unproven(shown) });
  const more = newIdsIn(session, call).filter((id) => ![...told, shown].includes(id));
  return [...made, ...more.map((id) => ({ ...call, made: unproven(id) }))];
}

/** The ids in an answer that no answer showed before: of what the call may have made elsewhere. */
export function newIdsIn({ transcript }: Session, call: Answer): string[] {
  const first = firstShown(transcript.exchanges);
  const ids = idsIn(call.response.json, false).filter((id) => isUnasked(call, id));
  return [...new Set(ids)].filter((id) => (first.get(id) ?? call.number) >= call.number);
}

const shownIds = new WeakMap<readonly Exchange[], { fed: number; first: Map<string, number> }>();

/** The number of the exchange that showed an id first, by the id; each exchange is read once. */
function firstShown(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const known = shownIds.get(exchanges) ?? { fed: 0, first: new Map<string, number>() };
  for (const { number, response } of exchanges.slice(known.fed))
    for (const id of idsIn(response?.json, true))
      known.first.set(id, Math.min(number, known.first.get(id) ?? number));
  shownIds.set(exchanges, { ...known, fed: exchanges.length });
  return known.first;
}

/** The ids of a value and of the objects in it, in lists too or not. */
function idsIn(value: unknown, isInLists: boolean): string[] {
  if (Array.isArray(value)) return isInLists ? value.flatMap((one) => idsIn(one, true)) : [];
  return Object.entries(membersOf(value) ?? {}).flatMap(([name, one]) => {
    const words = wordsOf(name);
    const isId = /^(?:id|u?uid|guid)$/.test(words.at(-1) ?? '') && !isOfCall.test(words[0] ?? '');
    return isId ? (textOf(one) ?? []) : idsIn(one, isInLists);
  });
}

/** First words of the names of ids that each answer may have anew. */
const isOfCall = /^(?:correlation|log|request|session|span|trace)$/;

/** An item that a call may have made, with the call as a create of it, and what tells whether it did. */
type Candidate = {
  create: Answer;
  id: string;
  /** How a list shows it. */
  row: Item | undefined;
  isKnown: boolean;
  isMissed: boolean;
  isCreated: boolean;
};

/** Claims an item for the run; undefined where it is not proven to be new, `unseen` where nothing shows it. */
async function claim(
  session: Session,
  { create, id, row, isKnown, isMissed, isCreated }: Candidate,
): Promise<MadeItem | 'unseen' | undefined> {
  const reason = 'it was there before, and may have been overwritten';
  if (isKnown) return { id, whose: 'others', reason };
  const { read } =
    findResource(session.transcript.document, create.case.operation)?.operations ?? {};
  const shown = read ? await readMade(session, create, id, { kind: 'call' }) : row;
  if (!shown) return row ? undefined : 'unseen';
  if (!session.ownership.shows(shown, create)) return undefined;
  const proofs = [isMissed, isCreated, isCreatedSince(create, shown, create.sentAt)];
  if (proofs.filter(Boolean).length < 2) return undefined;
  const made = session.ownership.claim(create, shown, id);
  return made.whose === 'unproven' ? undefined : made;
}

/** Finds the items of a collection that a call may have made: at its path, in its answer, or in the list. */
async function candidatesIn(
  session: Session,
  call: Answer,
  { resource, marked, before }: { resource: Resource; marked: readonly Item[]; before: Before },
): Promise<Candidate[]> {
  const path = collectionPath(resource, call.request.path);
  const toCreate = (item: Item) => asCreate(call, { resource, path, item });
  const idIn = (item: Item) => idInAnswer(toCreate(item), resource);
  const is201 = call.response.status === 201;
  const after = (await listNow(session, resource, { path, number: call.number })) ?? [];
  const rowOf = (id: string | undefined) => after.find((one) => idIn(one) === id);
  if (isAtItem(call.case.operation as Operation, resource)) {
    const { status = 500 } = before;
    const id = idAsked(call);
    const create = toCreate(withAt({ ...itemIn(call) }, resource.idProperty, id));
    const [isKnown, isMissed] = [status < 300, status === 404 || status === 410];
    return [{ create, id, row: rowOf(id), isKnown, isMissed, isCreated: is201 }];
  }
  const known = before.listed?.map(idIn);
  // A cut list that gains an item loses another.
  const isWhole = known?.every(rowOf) === true;
  const isGained = (id: string | undefined) => isWhole && !known.includes(id) && !!rowOf(id);
  const isUnmarked = !leavesOf(sentValue(call)).some(session.values.isMarked);
  const listed = after.filter(
    (one) => session.ownership.shows(one, call) || (isUnmarked && isGained(idIn(one))),
  );
  const found = [marked, listed, [itemIn(call) ?? {}]].map((items) =>
    items.flatMap((item): Candidate[] => {
      const id = idIn(item);
      if (id === undefined) return [];
      const isKnown = known?.includes(id) === true;
      const isCreated = is201 && isUnasked(call, id);
      const row = rowOf(id);
      return [{ create: toCreate(item), id, row, isKnown, isMissed: isGained(id), isCreated }];
    }),
  );
  return found.find(({ length }) => length > 0) ?? [];
}

/** Finds the collection that a call may have added to: the only one, or one like what its answer shows. */
function addedTo(
  document: Api,
  operation: Operation,
  shown: readonly Item[] = [],
): Resource | undefined {
  const all = mayAddTo(document, operation);
  const isLike = ({ item: { properties } }: Resource) =>
    shown.some((one) => Object.keys(one).every((name) => name in properties));
  return all.length === 1 ? all[0] : all.find(isLike);
}

/** Whether an operation is at the path of an item, neither above nor below. */
function isAtItem(operation: Operation, resource: Resource): boolean {
  const depth = resource.path.split('/').length + 1;
  return isOnItem(operation, resource) && operation.path.split('/').length === depth;
}

/** Whether a call did not name an id, so that the deployment gave it. */
function isUnasked({ request }: Answer, id: string | undefined): boolean {
  const sent = leavesOf(sentValue({ request })).map(String);
  const named = [...request.path.split(/[/?&=]/).map(unescaped), ...sent];
  return id !== undefined && !named.includes(id);
}

/** The objects in a JSON value that are meant, without those that only hold one. */
function innermost(value: unknown, isMeant: (item: Item) => boolean): Item[] {
  if (Array.isArray(value)) return value.flatMap((one) => innermost(one, isMeant));
  const members = membersOf(value);
  if (!members) return [];
  const held = Object.values(members).flatMap((one) => innermost(one, isMeant));
  return held.length > 0 || !isMeant(members) ? held : [members];
}
