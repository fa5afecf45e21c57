import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type Case, isUnsafe, readCase } from '../cases/case.ts';
import { retryAfter } from '../limits/quota.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { type Item, idOf, toSegment, withoutQuery } from '../transcript/items.ts';
import { type CreatedItem, leftItems } from '../transcript/leftovers.ts';
import { idInAnswer, leavesOf } from '../transcript/made.ts';
import { pathOnItem } from './item-paths.ts';
import { listedIds } from './listed.ts';
import { addItem } from './own-item.ts';
import { claimListed, findShown, listBeside, readMade } from './prove-made.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';
import { wait } from './wait.ts';

/** Pauses before deletions that failed are tried again, in milliseconds, unless an answer says more. */
const pauses = [500, 2000, 5000];

/** The longest pause that an answer may ask for, in milliseconds. */
const maxPause = 15_000;

/**
 * Deletes what the run created, the latest first, where the document describes how; also once
 * nothing else may be sent any more. Creates that failed since it was last called may have added
 * something all the same.
 */
export async function tidyUp(
  { session }: Turn,
  { isLast = false }: { isLast?: boolean } = {},
): Promise<void> {
  const { document, exchanges } = session.transcript;
  const since = session.tidiedUpTo;
  await findUnanswered(session, exchanges.slice(since));
  await proveAgain(session, exchanges.slice(since));
  for (const pause of [...pauses, undefined]) {
    const left = leftItems(session.transcript).filter(
      ({ whose, create: { case: one } }) => whose === 'own' && (isLast || !one.isSetup),
    );
    const own = await stillOwn(session, left);
    const before = exchanges.length;
    await session.callAll(deletions(session, document, own));
    const answers = exchanges.slice(before);
    const failed = answers.filter(isWorthAnotherTry);
    if (failed.length === 0 || pause === undefined) break;
    const asked = failed.map((one) => (isAnswered(one) ? (retryAfter(one) ?? 0) : 0));
    await wait(Math.min(maxPause, Math.max(pause, ...asked)));
  }
  await session.callAll(readsOfDeleted(exchanges.slice(since), document));
  session.tidiedUpTo = exchanges.length;
}

/** Deletes what some creates made, if it is the run's own; what fails is tried again at the end. */
export async function deleteMade(session: Session, creates: readonly Exchange[]): Promise<void> {
  const made = leftItems(session.transcript).filter(
    ({ whose, create }) => whose === 'own' && creates.includes(create),
  );
  const own = await stillOwn(session, made);
  await session.callAll(deletions(session, session.transcript.document, own));
}

/** How many items of a collection are made only if they can be deleted. */
const minMade = 3;

/**
 * Adds an item of each collection of which the run makes many and deletes it: where that is refused,
 * no more are made. Where no list showed all that was there before, another create must first be
 * answered with another item: what both are answered with may be somebody's.
 */
export async function tryDeleting({ session, document: own, cases }: Turn): Promise<void> {
  const { document } = session.transcript;
  const isMadeOften = ({ operations: { create } }: Resource) =>
    cases.filter((one) => create && one.case.operation === create).length >= minMade;
  for (const resource of own.resources.filter(isMadeOften)) {
    const { create, delete: remove } = resource.operations;
    const mayCall = (one: Operation | undefined) =>
      one !== undefined && (session.choice.isChosen(one) || session.choice.isNeeded(one));
    if (!create || !session.choice.isChosen(create) || !mayCall(remove)) continue;
    const collection = { session, document, resource };
    const purpose = { kind: 'tidy', id: '' } as const;
    const made = await addItem(collection, 'to be deleted at once', { purpose });
    if (!made?.made) continue;
    const isSure = listedIds(session, resource, 'before') !== undefined;
    if (!isSure) await addItem(collection, 'to be another item', { purpose });
    const left = { ...made.made, operation: create, path: made.request.path, create: made };
    await session.callAll(toDeletion(document, left));
  }
}

/**
 * Returns the items that still belong to the run. A deletion that seemed to fail, or an action, may
 * have freed the id for another client, so a read must show the run's item again, and after an action
 * nobody else's.
 */
async function stillOwn(session: Session, left: readonly CreatedItem[]): Promise<CreatedItem[]> {
  const { document, exchanges } = session.transcript;
  const toPath = ({ request }: Exchange) => withoutQuery(request.path);
  const tried = new Set(exchanges.filter(isDeletion).map(toPath));
  const actedOn = exchanges.filter(isAction).map(toPath);
  // An update may have set another text of the run's.
  const isOfRun = (leaf: unknown) => typeof leaf === 'string' && session.values.isMarked(leaf);
  const own: CreatedItem[] = [];
  for (const one of left) {
    const { id = '', create } = one;
    const [deletion] = toDeletion(document, one);
    const path = deletion && withoutQuery(deletion.path);
    const { read } = removalOf(findResource(document, one.operation));
    const segment = toSegment(id);
    if (read && segment !== undefined)
      await session.call({ ...readCase(read, segment, { kind: 'tidy', id }, 3), isNeeded: true });
    const isTried = path !== undefined && tried.has(path);
    if (!isTried && !actedOn.some((acted) => acted.startsWith(`${path}/`))) {
      own.push(one);
      continue;
    }
    const item = await readMade(session, create, id, { kind: 'tidy', id });
    if (item ? leavesOf(item).some(isOfRun) : !isTried) own.push(one);
  }
  return own;
}

/** Reads one deleted item of each collection: a deployment may keep what it says is deleted. */
function readsOfDeleted(exchanges: readonly Exchange[], document: Api): Case[] {
  return document.resources.flatMap(({ operations: { read, delete: remove } }): Case[] => {
    const last = exchanges.findLast(
      ({ case: { operation, purpose }, response }) =>
        operation === remove && purpose.kind === 'tidy' && (response?.status ?? 500) < 300,
    );
    if (!read || !last || last.case.purpose.kind !== 'tidy') return [];
    const { id } = last.case.purpose;
    const plain = readCase(read, toSegment(id) ?? '', { kind: 'tidy', id }, 3);
    const above = last.request.path.split('/').slice(0, -1).join('/');
    return [{ ...plain, path: pathOnItem(read, above, toSegment(id) ?? ''), isNeeded: true }];
  });
}

/** Looks for what creates made that were answered with no success: it may be there all the same. */
async function findUnanswered(session: Session, exchanges: readonly Exchange[]): Promise<void> {
  const { document } = session.transcript;
  const failed = exchanges.filter(
    ({ case: { operation }, made, response }) =>
      operation?.kind === 'create' &&
      made === undefined &&
      ((response?.status ?? 500) >= 500 || isDeletable(document, operation)),
  );
  for (const ofPath of Map.groupBy(failed, ({ request }) => request.path).values()) {
    const [first] = ofPath as [Exchange];
    const items = await listUnclaimed(session, first);
    for (const create of ofPath) {
      const item = findShown(session, create, items);
      const status = create.response?.status;
      const id = idOfRedirect(document, create);
      const reason = `it was answered ${status ?? 'with nothing'}, so its items are unknown`;
      if (item) create.made = await claimListed(session, create, item);
      else if (id !== undefined || (status ?? 500) >= 500)
        create.made = { ...(id !== undefined && { id }), whose: 'unproven', reason };
    }
  }
}

/** The items of the list beside a create but those of other creates: what two sent, both may show. */
async function listUnclaimed(session: Session, create: Exchange): Promise<Item[]> {
  const { operation } = create.case;
  const path = withoutQuery(create.request.path);
  const items = await listBeside(session, create, { kind: 'tidy', id: '' });
  const idProperty = findResource(session.transcript.document, operation)?.idProperty ?? '';
  const claimed = leftItems(session.transcript)
    .filter((one) => one.operation === operation && one.path === path && one.whose === 'own')
    .map(({ id }) => id);
  return items.filter((item) => !claimed.includes(idOf(item, idProperty)));
}

/** The id of the item that a create was redirected to (RFC 9110 §15.4.4). */
function idOfRedirect(document: Api, create: Exchange): string | undefined {
  const resource = findResource(document, create.case.operation);
  const isRedirect = Math.trunc((create.response?.status ?? 500) / 100) === 3;
  return resource && isRedirect ? idInAnswer(create, resource) : undefined;
}

/** Reads again what no read has shown yet: the run may have been interrupted before. */
async function proveAgain(session: Session, exchanges: readonly Exchange[]): Promise<void> {
  const asked = new Set(exchanges);
  for (const { create, id, whose, isUnmarked } of leftItems(session.transcript)) {
    const isOpen = whose === 'unproven' && !isUnmarked && asked.has(create);
    if (!isOpen || id === undefined) continue;
    const item = await readMade(session, create, id, { kind: 'tidy', id });
    if (item && session.ownership.shows(item, create))
      create.made = session.ownership.claim(create, item, id);
  }
}

/** Whether a call was to delete an item. */
function isDeletion({ case: { method, credential } }: Exchange): boolean {
  return method === 'DELETE' && credential === 'valid';
}

/** Whether a call may have done anything to the item above its path. */
function isAction({ case: { operation, method } }: Exchange): boolean {
  return operation !== undefined && operation.kind === undefined && isUnsafe({ method });
}

/** Whether items that an operation adds can be deleted. */
function isDeletable(document: Api, operation: Operation): boolean {
  return findResource(document, operation)?.operations.delete !== undefined;
}

function deletions({ choice }: Session, document: Api, left: readonly CreatedItem[]): Case[] {
  return left
    .flatMap((left): Case[] => toDeletion(document, left))
    .filter(
      ({ operation }) => operation && (choice.isChosen(operation) || choice.isNeeded(operation)),
    )
    .toReversed();
}

function toDeletion(document: Api, { operation, id, path, whose }: CreatedItem): Case[] {
  const { remove } = removalOf(findResource(document, operation));
  const segment = toSegment(id);
  if (!remove || segment === undefined || id === undefined || whose !== 'own') return [];
  const plain = readCase(remove, segment, { kind: 'tidy', id }, 3);
  return [{ ...plain, path: pathOnItem(remove, path, segment), writes: true, isNeeded: true }];
}

/** The operation that deletes items of a collection; one at another path needs the read there. */
function removalOf(resource: Resource | undefined): { remove?: Operation; read?: Operation } {
  const { delete: own } = resource?.operations ?? {};
  if (own) return { remove: own };
  const other = resource?.views?.find(({ operations }) => operations.read && operations.delete);
  const { read, delete: remove } = other?.operations ?? {};
  return { ...(read && { read }), ...(remove && { remove }) };
}

/** Whether a deletion may succeed later: the target was busy, or something hangs on the item. */
function isWorthAnotherTry({ response }: Exchange): boolean {
  const { status = 503 } = response ?? {};
  return [409, 423, 425, 429].includes(status) || status >= 500;
}
