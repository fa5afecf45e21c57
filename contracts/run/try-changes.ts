import { membersOf, toJson } from '../../common/json.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { successOf } from '../../openapi/model/operation.ts';
import type { Fields } from '../cases/body-parts.ts';
import { type Change, type CredentialForm, type Purpose, readCase } from '../cases/case.ts';
import { changeCase, changesOf, deletionOf, type ItemChange } from '../cases/change-cases.ts';
import { describesPrecondition, ifMatchOf, listsError } from '../document/stated.ts';
import { type Exchange, headerValue, isAnswered } from '../transcript/exchange.ts';
import { type Item, idsIn, isSameText, toSegment } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import { callsLeft, reserve } from './keys/budget.ts';
import { largestPage } from './listed.ts';
import { createNamedItem, namingPutOf } from './named-item.ts';
import { addItem, createOwnItem, type FilledCollection, type OwnItem } from './own-item.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/**
 * Creates an item of each collection that can be changed, changes it in each way that the document
 * describes, deletes it, and looks at it after each change.
 */
export async function tryChanges({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    const { create = namingPutOf(resource), read, list } = resource.operations;
    const show = read ?? list;
    const described = [resource, ...(resource.views ?? [])]
      .flatMap(({ operations }) => changesIn(operations))
      .filter(session.choice.isChosen);
    const affordable = callsLeft(session.keys.bulk) > reserve;
    if (!create || !show || described.length === 0 || !affordable) continue;
    if (![create, show].every(session.choice.isChosen)) continue;
    await tryResource(session, document, { resource });
  }
}

/** The operations of a collection that change or delete an item. */
function changesIn({ replace, update, delete: remove }: Resource['operations']): Operation[] {
  return [replace, update, remove].filter((one) => one !== undefined);
}

/** Creates an item of a collection, changes it and deletes it; another one at each of its other paths. */
export async function tryResource(
  session: Session,
  document: Api,
  filled: FilledCollection,
): Promise<void> {
  await tryItem(session, document, filled);
  const { operations, views = [] } = filled.resource;
  const tried = Object.values(operations).map(({ id }) => id);
  for (const view of views) {
    const { read, ...others } = view.operations;
    const isNew = changesIn(others).some(
      (one) => !tried.includes(one.id) && session.choice.isChosen(one),
    );
    if (read && isNew && callsLeft(session.keys.bulk) > reserve)
      await tryItem(session, document, { ...filled, view });
  }
}

async function tryItem(session: Session, document: Api, filled: FilledCollection): Promise<void> {
  const make = () =>
    filled.resource.operations.create
      ? createOwnItem(session, document, filled)
      : createNamedItem(session, document, filled.resource);
  let own = await make();
  let item = own && (await tryUpdates(own));
  for (const isGoneAfter of [tryPreconditions, tryWithoutKey]) {
    if (!own || !item || !(await isGoneAfter(own, item))) continue;
    own = await make();
    item = own?.item;
  }
  if (own) await tryDeletion(own);
}

const forms: readonly CredentialForm[] = ['none', 'unknown'];

/**
 * Asks for each change of an item and its deletion without a key and with an unknown one: the item is
 * the run's own, so that a deployment which accepts that changes nothing of others. `item` is as it
 * was last seen. Returns whether the item is deleted now.
 */
async function tryWithoutKey(own: OwnItem, item: Item): Promise<boolean> {
  const { session, document, resource, id, call } = own;
  const segment = toSegment(id);
  if (segment === undefined) return false;
  const fresh = session.values.fresh();
  const marker = `without a key ${fresh}`;
  const changes = changesOf(document, resource, { item, own: own.sent, marker, fresh });
  const deletion = deletionOf(resource);
  const ofOperation = new Map<string, ItemChange>();
  for (const one of [...changes, ...(deletion ? [deletion] : [])])
    ofOperation.set(one.operation.id, one);
  const cases = [...ofOperation.values()].map((change) => {
    const { path } = readCase(change.operation, segment, { kind: 'call' }, 2);
    return changeCase(change, { id, path });
  });
  for (const one of cases) {
    const { operation } = one;
    if (!operation || keyPlacesOf(operation).length === 0) continue;
    for (const form of forms) {
      if (callsLeft(session.keys.bulk) <= reserve) return false;
      const answer = await call({
        ...one,
        id: `${one.id}, key ${form}`,
        credential: form,
        purpose: { kind: 'credential', form },
      });
      if ((answer?.response?.status ?? 500) >= 300) continue;
      if (operation === deletion?.operation) return true;
      break;
    }
  }
  return false;
}

/** Deletes an item, and looks for it: by reading it, and in the list if that showed it before. */
async function tryDeletion(own: OwnItem): Promise<void> {
  const { session, resource, id } = own;
  const deletion = deletionOf(resource);
  if (!deletion || !session.choice.isChosen(deletion.operation)) return;
  const list = largestPage(resource, 'fresh', 'around delete');
  const isListed = async (number: number, purpose: Purpose) => {
    const page =
      list && (await own.call({ ...list, id: `${list.id}, of ${id}, ${number}`, purpose }));
    return page !== undefined && isAnswered(page) && idsIn(page, resource).includes(id);
  };
  const wasListed = await isListed(1, { kind: 'call' });
  const deleted = await own.change(deletion);
  if ((deleted?.response?.status ?? 500) >= 300) return;
  const { expected } = deletion;
  const gone = await own.look('delete', expected, 1);
  if (own.shownIn(gone)) {
    await session.pause(grace);
    await own.look('delete', expected, 2);
  }
  // Where ids belong to one item for good, this one gets another.
  await addItem(own, 'after the deletion');
  const look: Purpose = { kind: 'look', id, after: 'delete', expected };
  if (!wasListed || !(await isListed(2, look))) return;
  await session.pause(grace);
  await isListed(3, look);
}

/** How many properties are tried: a deployment may refuse one, or compute it itself. */
const maxTried = 3;

/** Ways of changing an item, in an order in which each finds something to change. */
const ways = ['form', 'json', 'merge-patch', 'json-patch', 'replace', 'read-only'] as const;

/**
 * Changes an item in each way that the document describes, and looks at it after each change. Where
 * the change is refused or shows nowhere, tries another property. Returns the item as it was last
 * seen.
 */
async function tryUpdates(own: OwnItem): Promise<Item> {
  let state: State = { item: own.item, sent: own.sent };
  const { update } = own.resource.operations;
  const isSilent = update && successOf(update) === undefined;
  // An answer without the item does not say at which path it is with another name.
  const { key, scope = [] } = (isSilent && own.view) || {};
  const kept = [key, ...scope.map(({ property }) => property)].filter((one) => one !== undefined);
  for (const how of ways) {
    const named: string[] = [...kept];
    for (let number = 1; number <= maxTried; number++) {
      const tried = await tryUpdate(own, state, { how, named, number });
      if (!tried) break;
      state = tried;
      if (tried.isDone || how === 'replace' || how === 'read-only') break;
      named.push(...tried.named);
    }
  }
  return state.item;
}

/** An item as it was last seen, and the fields that were sent. */
type State = { item: Item; sent: Fields };

type TriedState = State & { isDone: boolean; named: readonly string[] };

/** Statuses of deployments that refuse what a change asks for. */
const refusals = [400, 403, 409, 422];

async function tryUpdate(
  own: OwnItem,
  { item, sent }: State,
  { how, named, number }: { how: Change; named: readonly string[]; number: number },
): Promise<TriedState | undefined> {
  const { session, document, resource } = own;
  const fresh = session.values.fresh();
  const marker = `changed by ${how} ${fresh}`;
  const known = { item, own: valuesIn(item, sent), marker, fresh, named };
  const planned = changesOf(document, resource, known).find((one) => one.how === how);
  const first = planned && (await own.change(planned, number));
  const whole = first && withMissed(own, planned, { item, refused: first });
  const change = whole ?? planned;
  const changed = whole ? await own.change(whole, number + maxTried) : first;
  if (!change || !changed) return undefined;
  const { expected } = change;
  const names = Object.keys(expected.changed);
  const status = changed.response?.status ?? 500;
  if (refusals.includes(status)) return { item, sent, isDone: false, named: names };
  if (status >= 300) return undefined;
  let look = await own.look(how, expected, 2 * number - 1);
  if (look && !isDone(own.shownIn(look), change)) {
    await session.pause(grace);
    look = await own.look(how, expected, 2 * number);
  }
  const seen = own.shownIn(look);
  const set = Object.entries(expected.changed).map(([name, { to }]) => [name, to]);
  return {
    item: seen ?? item,
    sent: { ...sent, ...Object.fromEntries(set) },
    isDone: look === undefined || isDone(seen, change),
    named: names,
  };
}

/** A change with what a refusal of it, or of the create before, says is missed: the values of the item. */
function withMissed(
  { session, resource }: OwnItem,
  change: ItemChange,
  { item, refused }: { item: Item; refused: Exchange },
): ItemChange | undefined {
  const { body, expected, how } = change;
  const fields = membersOf(body?.value);
  const isWrapped = how !== 'form' && change.operation.fieldsAt;
  if (!body || !fields || isWrapped || !isAnswered(refused)) return undefined;
  const names = session.refusals.missedIn(refused, resource.operations.create);
  const missed = names.filter((name) => !(name in fields) && item[name] !== undefined);
  if (missed.length === 0) return undefined;
  const kept = Object.fromEntries(missed.map((name) => [name, item[name]]));
  const left = Object.entries(expected.left ?? {}).filter(([name]) => !missed.includes(name));
  return {
    ...change,
    body: { ...body, value: { ...fields, ...kept } },
    expected: { ...expected, ...(expected.left && { left: Object.fromEntries(left) }) },
  };
}

/** The fields of an item that have the values that were sent. */
function valuesIn(item: Item, sent: Fields): Fields {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => name in sent && isSameText(value, sent[name])),
  );
}

/** Whether an item shows each change. */
function isDone(item: Item | undefined, { expected }: ItemChange): boolean {
  return Object.entries(expected.changed).every(
    ([name, { from }]) => item !== undefined && toJson(item[name]) !== toJson(from),
  );
}

type Step = 'current' | 'stale' | 'none';

/**
 * Changes an item with the ETag that a read shows, with another one, and without any, as far as the
 * document describes the answers; then deletes it so, with the right one last. `item` is as it was
 * last seen. Returns whether it is deleted now.
 */
async function tryPreconditions(own: OwnItem, item: Item): Promise<boolean> {
  const { session, document, resource, id } = own;
  const { read } = resource.operations;
  const segment = toSegment(id);
  if (!read || segment === undefined) return false;
  const fresh = session.values.fresh();
  const marker = `changed by its version ${fresh}`;
  const isTried = ({ how, operation }: ItemChange) =>
    how !== 'read-only' && describesPrecondition(operation) && session.choice.isChosen(operation);
  const change = changesOf(document, resource, { item, own: own.sent, marker, fresh }).find(
    isTried,
  );
  const deletion = [deletionOf(resource) ?? []].flat().find(isTried);
  const readTag = async (when: string) => {
    const show = readCase(read, segment, { kind: 'call' }, 2);
    const answer = await own.call({ ...show, id: `${show.id}/${id} for its version, ${when}` });
    const tag = answer && headerValue(answer, 'ETag');
    // No weak one is equal to any in If-Match (RFC 9110 §13.1.1).
    return tag?.startsWith('"') ? tag : undefined;
  };
  /** Makes a change with a tag, and returns whether it was answered with a success. */
  const send = async (one: ItemChange, step: Step, tag?: string) => {
    const { name = 'If-Match', required = false } = ifMatchOf(one.operation) ?? {};
    if (step === 'stale' && !listsError(one.operation, 412)) return false;
    if (step === 'none' && (required || !listsError(one.operation, 428))) return false;
    const { path } = readCase(one.operation, segment, { kind: 'call' }, 2);
    const plain = changeCase(one, { id, path });
    const answer = await own.call({
      ...plain,
      id: `${plain.id}, version ${step}`,
      headers: { ...plain.headers, ...(tag !== undefined && { [name]: tag }) },
      purpose: { kind: 'precondition', step },
    });
    return (answer?.response?.status ?? 500) < 300;
  };
  let tag = change || deletion ? await readTag('before') : undefined;
  let older = `"${fresh}"`;
  if (change && tag !== undefined && (await send(change, 'current', tag))) {
    const next = await readTag('after');
    if (next !== tag) await send(change, 'stale', tag);
    await send(change, 'none');
    if (next !== tag) older = tag;
    tag = await readTag('at last');
  }
  if (!deletion || tag === undefined) return false;
  return (
    (await send(deletion, 'stale', older)) ||
    (await send(deletion, 'none')) ||
    send(deletion, 'current', tag)
  );
}
