import { membersOf } from '../../common/json.ts';
import type { Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type Case, readCase } from '../cases/case.ts';
import { listCase } from '../cases/list-cases.ts';
import {
  type Answer,
  type Exchange,
  isAnswered,
  type MadeItem,
  sentValue,
} from '../transcript/exchange.ts';
import { type Item, idOf, shownIn, toSegment } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import { idInAnswer, ownIdOf } from '../transcript/made.ts';
import { pathOnItem } from './item-paths.ts';
import { largestPage } from './listed.ts';
import type { Session } from './session.ts';

/**
 * Decides who owns the item that a create returned, and others beside it. If nothing proves ownership within the time
 * that a deployment may need, the operation is not called again.
 */
export async function proveMade(session: Session, create: Answer): Promise<MadeItem> {
  const { ownership } = session;
  const { operation } = create.case;
  create.creates = await proveMore(session, create);
  const made = await lookFor(session, create);
  const isDoubtful = made.whose === 'unproven' && !made.isUnmarked;
  if (!isDoubtful || !ownership.countUnproven(operation)) return made;
  await session.pause(grace);
  const again = await lookFor(session, create);
  if (again.whose === 'unproven') ownership.giveUp(operation);
  return again;
}

/**
 * Decides the same of the other items of a list that a create is answered with: it may have made each,
 * but for those that were there before.
 */
async function proveMore(session: Session, create: Answer): Promise<Answer[]> {
  const resource = findResource(session.transcript.document, create.case.operation);
  const { json } = create.response;
  const list = [json, ...Object.values(membersOf(json) ?? {})].find(Array.isArray) ?? [];
  const [, ...rows] = Array.isArray(shownIn(create)) || Array.isArray(json) ? list : [];
  if (!resource || session.isTemporary) return [];
  const { path } = create.request;
  const made: Answer[] = [];
  for (const item of rows.map(membersOf).filter((row) => row !== undefined)) {
    const one = asCreate(create, { resource, path, item });
    const id = idInAnswer(one, resource);
    if (id === undefined || session.ownership.isOthersId(id)) continue;
    one.made = session.ownership.shows(item, create)
      ? await lookFor(session, one)
      : { id, whose: 'unproven', reason: 'its create was answered with several items' };
    made.push(one);
  }
  return made;
}

/** A call as a create of one item, which its answer shows alone. */
export function asCreate(
  call: Answer,
  { resource, path, item }: { resource: Resource; path: string; item: Item },
): Answer {
  const { itemsAt: _, ...operation } = call.case.operation as Operation;
  return {
    ...call,
    case: {
      ...call.case,
      operation: {
        ...{ ...operation, kind: 'create', resource: resource.name },
        fieldsAt: resource.operations.create?.fieldsAt,
      },
    },
    request: { ...call.request, path },
    response: { ...call.response, json: item },
  };
}

/**
 * Decides who owns an item. If items can be changed, a read at the item's own path must show the
 * sent values, or a list if no operation reads one. An answer alone may repeat the request, and its
 * id may belong to another item.
 */
async function lookFor(session: Session, create: Answer): Promise<MadeItem> {
  const { ownership, isTemporary } = session;
  const { document } = session.transcript;
  const resource = findResource(document, create.case.operation);
  const made = ownership.claim(create);
  if (isTemporary) return made.id === undefined ? made : { ...made, whose: 'own' };
  if (!resource || made.whose !== 'unproven' || made.isUnmarked) return made;
  const shown = made.id === undefined ? undefined : await readMade(session, create, made.id);
  if (shown && ownership.shows(shown, create)) return ownership.claim(create, shown, made.id);
  const listed = findShown(session, create, await listBeside(session, create));
  return listed ? claimListed(session, create, listed) : made;
}

/** Decides who owns a listed item with the values of a create: a read must show them too. */
export async function claimListed(
  session: Session,
  create: Exchange,
  listed: Item,
): Promise<MadeItem> {
  const { ownership } = session;
  const resource = findResource(session.transcript.document, create.case.operation);
  const id = resource && idOf(listed, resource.idProperty);
  const isAnswer = (create.response?.status ?? 500) < 300;
  if (!resource?.operations.read || id === undefined)
    return ownership.claim(create, listed, isAnswer ? undefined : id);
  const read = await readMade(session, create, id);
  return read && ownership.shows(read, create)
    ? ownership.claim(create, read, id)
    : { id, item: listed, whose: 'unproven', reason: 'no read of it showed it' };
}

/** Reads the item at the path with the id of a create. */
export async function readMade(
  session: Session,
  create: Exchange,
  id: string,
  purpose: Case['purpose'] = create.case.purpose.kind === 'tidy'
    ? { kind: 'tidy', id }
    : { kind: 'read', id },
): Promise<Item | undefined> {
  const { document } = session.transcript;
  const { read } = findResource(document, create.case.operation)?.operations ?? {};
  const segment = toSegment(id);
  if (!read || segment === undefined) return undefined;
  const one: Case = {
    ...readCase(read, segment, purpose, 1),
    id: `${read.id}/${id}, as ${create.case.id} made it`,
    path: pathOnItem(read, create.request.path, segment),
    isNeeded: true,
    // The id may be that of something else.
    ...(purpose.kind === 'call' && { isMadeUp: true }),
  };
  const answer = await session.call(one);
  if (!answer || !isAnswered(answer) || answer.response.status >= 300) return undefined;
  return membersOf(shownIn(answer));
}

/**
 * Returns the id of a created item of the run. Waits the moment that a slow deployment needs to
 * show new items.
 */
export async function settledId(
  session: Session,
  create: Exchange | undefined,
): Promise<string | undefined> {
  const { id, whose, isUnmarked } = create?.made ?? {};
  const isOpen = whose === 'unproven' && !isUnmarked && id !== undefined;
  if (create && isAnswered(create) && isOpen && session.mayWaitFor(create.case.operation)) {
    await session.pause(grace);
    create.made = await lookFor(session, create);
    if (!ownIdOf(create)) session.countWaitInVain(create.case.operation);
  }
  return ownIdOf(create);
}

/** The item of a list that shows what a create sent; of several, that with the id of its answer. */
export function findShown(
  { ownership, transcript }: Session,
  create: Exchange,
  items: readonly Item[],
): Item | undefined {
  const value = sentValue(create) ?? create.request.marker ?? '';
  const sent = { ...create, request: { ...create.request, value } };
  const showing = items.filter((item) => ownership.shows(item, sent));
  const resource = findResource(transcript.document, create.case.operation);
  const id = resource && idInAnswer(create, resource);
  return showing.find((item) => id && idOf(item, resource.idProperty) === id) ?? showing[0];
}

/** The items of the list that shows what a create added, on its largest page. */
export async function listBeside(
  session: Session,
  create: Exchange,
  purpose = create.case.purpose.kind === 'tidy' ? create.case.purpose : undefined,
): Promise<Item[]> {
  const resource = findResource(session.transcript.document, create.case.operation);
  const { number, request } = create;
  const at = { path: request.path, number, purpose };
  return (resource && (await listNow(session, resource, at))) ?? [];
}

/**
 * The items of a collection at a path, on the largest page of its list, for the call with a number;
 * undefined where no list was received.
 */
export async function listNow(
  session: Session,
  resource: Resource,
  at: { path: string; number: number; purpose?: Case['purpose'] | undefined },
): Promise<Item[] | undefined> {
  const { list } = resource.operations;
  if (!list) return undefined;
  const plain = largestPage(resource, 'after', `made by ${at.number}`) ?? listCase(list, {});
  const query = plain.path.split('?')[1];
  const path = [pathOnItem(list, at.path, ''), query ?? []].flat().join('?');
  const { purpose = plain.purpose } = at;
  const answer = await session.call({ ...plain, path, purpose, isNeeded: true });
  if (!answer || !isAnswered(answer) || answer.response.status >= 300) return undefined;
  const items = shownIn(answer);
  if (!Array.isArray(items)) return undefined;
  return items.map(membersOf).filter((item) => item !== undefined);
}
