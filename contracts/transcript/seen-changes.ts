import type { Change } from '../cases/case.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import { asks } from '../description/collections/operations-on.ts';
import { toEssence } from '../description/content.ts';
import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Resource,
} from '../description/document.ts';
import { toInstant } from '../description/instant.ts';
import { describeSent } from '../description/marks.ts';
import { jsonPatchType, mergePatchType } from '../description/operation.ts';
import { topOf } from '../description/property-path.ts';
import { isSame, membersOf } from '../json.ts';
import { type Answered, type Exchange, headerValue, isAnswered, sentValue } from './exchange.ts';
import { idAsked, idOf, textOf, withoutQuery } from './ids.ts';
import { type Item, itemIn, itemsIn } from './items.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';
import { grace } from './whole-lists.ts';

type Look = AnsweredFor<'look'>;

/** A change that a client made, and what it saw of the item before anybody may have changed it. */
export type SeenChange = { how: Change; change: Answered; id: string; looks: Look[] };

/** How long nobody who is not recorded makes a change undone, in milliseconds. */
const maxLater = 60_000;

const cache = new WeakMap<Transcript, SeenChange[]>();

/** The changes that clients made of items in traffic, each with what the same client saw next. */
function seenChanges(transcript: Transcript): SeenChange[] {
  const known = cache.get(transcript) ?? readChanges(transcript);
  cache.set(transcript, known);
  return known;
}

/** An item that is changed: its path, its id, and its collection. */
type Changed = { path: string; id: string; resource: Resource };

function readChanges({ document, exchanges }: Transcript): SeenChange[] {
  const answered = exchanges.filter(isAnswered);
  const unsafe = exchanges.filter((one) => isUnsafe(one.case));
  return answered.flatMap((change): SeenChange[] => {
    const how = howOf(document, change);
    const resource = findResource(document, change.case.operation);
    const sender = senderOf(change);
    if (how === undefined || !resource || sender === undefined) return [];
    const { path } = change.request;
    const item = { path: withoutQuery(path), id: idAsked(path), resource };
    const others = unsafe.filter(
      (one) => one !== change && one.endedAt > change.sentAt && mayTouch(one, item),
    );
    const until = Math.min(change.endedAt + maxLater, ...others.map(({ sentAt }) => sentAt));
    const before = answered.filter((one) => one.endedAt <= change.sentAt && shownBy(one, item));
    const sent = how === 'delete' ? {} : settableBy(document, change, item);
    const looks = answered.flatMap((one): Look[] => {
      const isAfter = one.sentAt >= change.endedAt && one.endedAt <= until;
      if (!isAfter || senderOf(one) !== sender || !isLook(one, item)) return [];
      const changed = toChanged(one, item, { before, sent });
      const tells = how === 'delete' ? showsDeletion(one, item, before) : changed.length > 0;
      // An answer of the change itself that shows nothing of it is of no replica that is late.
      const answer = shownBy(change, item) ?? {};
      const isSure =
        changed.length > 0 && changed.every(([name, { from }]) => isSame(answer[name], from));
      const isSoon = one.sentAt < change.endedAt + grace && !isSure;
      const expected = { changed: Object.fromEntries(changed), same: {} };
      const purpose = { kind: 'look', id: item.id, after: how, expected, isSoon } as const;
      return tells ? [{ ...one, case: { ...one.case, purpose } }] : [];
    });
    const byPath = [...Map.groupBy(looks, ({ request }) => request.path).values()];
    const shown = byPath.map((all) => all.find((one) => isDone(one, item)) ?? all.at(-1));
    return [{ how, change, id: item.id, looks: shown as Look[] }];
  });
}

/** Who made a call, as far as it shows; undefined where nobody can say. */
function senderOf({ case: { credential }, request }: Exchange): string | undefined {
  const isKnown = credential === 'valid' || credential === 'none';
  return isKnown ? `${request.keyName} ${request.session}` : undefined;
}

/** Whether a call asks for nothing besides what its path says. */
function isPlain({ request }: Exchange): boolean {
  const query = new URLSearchParams(request.path.split('?')[1]);
  return [...query.values()].every((value) => value === '$KEY');
}

/** How a call changes an item; undefined where it does not, or nobody can say how. */
function howOf({ clauses }: ApiDocument, change: Answered): Change | undefined {
  const { method, operation } = change.case;
  if (change.response.status >= 300 || !isPlain(change)) return undefined;
  if (operation?.kind === 'delete') return method === 'DELETE' ? 'delete' : undefined;
  if (operation?.kind !== 'replace' && operation?.kind !== 'update') return undefined;
  const names = Object.keys(change.request.headers);
  const name = names.find((one) => one.toLowerCase() === 'content-type') ?? '';
  const type = toEssence(change.request.headers[name] ?? '');
  if (operation.kind === 'replace') return type === 'application/json' ? 'replace' : undefined;
  if (type === mergePatchType) return 'merge-patch';
  if (type === jsonPatchType) return 'json-patch';
  const isMerge = clauses.some(({ id }) => id === 'merge-patch');
  return type === 'application/json' ? (isMerge ? 'merge-patch' : 'json') : undefined;
}

/** Whether a call may have changed an item, as far as its path and its operation say. */
function mayTouch(one: Exchange, { path, id, resource }: Changed): boolean {
  const { operation } = one.case;
  const status = one.response?.status ?? 0;
  if (status >= 400 && status < 500) return false;
  if (operation?.kind === 'create' && operation.resource === resource.name) {
    const created = idOf(itemIn(one), resource.idProperty);
    return created === undefined || created === id;
  }
  const own = withoutQuery(one.request.path);
  // An item may have several paths.
  const isSame = path === own || idAsked(own) === id;
  const isNear = isSame || path.startsWith(`${own}/`) || own.startsWith(`${path}/`);
  if (isNear || !operation || operation.kind === 'createMany') return true;
  return operation.kind === undefined && !asks(operation);
}

/** An item as an answer shows it: one at its path, or the one of its id in another answer. */
function shownBy(one: Answered, { path, id, resource }: Changed): Item | undefined {
  const { response, case: testCase } = one;
  if (testCase.operation?.resource !== resource.name || response.status >= 300) return undefined;
  if (withoutQuery(one.request.path) === path) return itemIn(one);
  const items =
    byId.get(response) ?? Map.groupBy(itemsIn(one), (item) => idOf(item, resource.idProperty));
  byId.set(response, items);
  return items.get(id)?.[0];
}

/** The items of answers by their ids: the same answer is looked at for each change. */
const byId = new WeakMap<object, Map<string | undefined, Item[]>>();

/** Whether a call looks at an item: it reads it, or lists the collection that it is in. */
function isLook(one: Answered, { path }: Changed): boolean {
  const { operation, purpose } = one.case;
  // What a cache has stored may be older than a change.
  if (headerValue(one, 'Age') !== undefined) return false;
  if (operation?.kind === 'read') return withoutQuery(one.request.path) === path && isPlain(one);
  const isWhole = purpose.kind === 'list' && Object.keys(purpose.filters).length === 0;
  return isWhole && withoutQuery(one.request.path) === path.slice(0, path.lastIndexOf('/'));
}

/** Whether an answer shows an item as it was to be after a change. */
function isDone(look: Look, item: Changed): boolean {
  const { after, expected } = look.case.purpose;
  const shown = shownBy(look, item);
  if (after === 'delete') return shown === undefined;
  return Object.entries(expected.changed).every(([name, { to }]) => isSame(shown?.[name], to));
}

/**
 * Whether an answer must show that an item is gone: no list that never showed it, and where it is
 * still there, only if it is known how it looked before.
 */
function showsDeletion(one: Answered, item: Changed, before: readonly Answered[]): boolean {
  const { status } = one.response;
  if (shownBy(one, item)) return before.length > 0;
  if (one.case.operation?.kind === 'read') return status === 404 || status === 410;
  return status < 300 && before.some(({ request }) => request.path === one.request.path);
}

/** What of a change an answer shows: what is as it was, and what is as it was sent. */
function toChanged(
  one: Answered,
  item: Changed,
  { before, sent }: { before: readonly Answered[]; sent: Item },
): [name: string, { from: unknown; to: unknown }][] {
  const last = before.at(-1);
  const [was, shown] = [last && shownBy(last, item), shownBy(one, item)];
  if (!was || !shown) return [];
  return Object.entries(sent).flatMap(([name, to]) => {
    const from = was[name];
    const isEither = isSame(shown[name], from) || isSame(shown[name], to);
    return isEither && isOther(from, to) ? [[name, { from, to }]] : [];
  });
}

/** What a change sends of what the document says that it sets. */
function settableBy(document: ApiDocument, change: Answered, { resource }: Changed): Item {
  const { operation } = change.case;
  const value = sentValue(change);
  if (Array.isArray(value)) return withNames(fromPatch(value), resource.item.properties, resource);
  const [wrapper] = (operation?.kind && resource.bodyForm?.[operation.kind]?.pointer) ?? [];
  const { schema = {} } = operation?.body ?? {};
  const inner =
    wrapper === undefined ? schema : describeSchema(document, schema).properties[wrapper];
  const fields = membersOf(wrapper === undefined ? value : membersOf(value)?.[wrapper]) ?? {};
  return withNames(fields, describeSent(document, inner ?? {}).properties, resource);
}

/** The fields that are described, without the id. */
function withNames(fields: Item, described: object, { idProperty }: Resource): Item {
  const isMeant = (name: string) => Object.hasOwn(described, name) && name !== topOf(idProperty);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isMeant(name)));
}

/** What a JSON Patch sets, where it does nothing else. */
function fromPatch(steps: readonly unknown[]): Item {
  const set = steps.map((step) => {
    const { op, path, value } = membersOf(step) ?? {};
    const [, name] = /^\/([^/~]+)$/.exec(String(path)) ?? [];
    return name !== undefined && (op === 'add' || op === 'replace') ? [name, value] : [];
  });
  return set.every(({ length }) => length === 2) ? Object.fromEntries(set) : {};
}

/**
 * Whether a value is certainly another one, however a deployment writes it: a text in other letters,
 * another whole number. Of what is masked nobody can say.
 */
function isOther(from: unknown, to: unknown): boolean {
  const isScalar = [from, to].every((one) => textOf(one) !== undefined);
  const isMasked = /[*•…]|\.{3}/.test(String(from)) || toPlain(from) === '';
  const isSameTime = toInstant(from) === toInstant(to);
  return isScalar && !isMasked && toPlain(from) !== toPlain(to) && !isSameTime;
}

function toPlain(value: unknown): string {
  const text = String(typeof value === 'number' ? Math.round(value) : value);
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** A change that a deployment made as it says, and what was seen of the item afterwards. */
export type MadeChange = { change: Answered; id: string; looks: Look[] };

/** Whether a change may still have to be made: it was only accepted. */
export function isOnlyAccepted({ response: { status } }: Answered): boolean {
  return status === 202;
}

/**
 * The changes of a kind that were answered with a success, and those that are only accepted with
 * `withAccepted`: they may be made later. Looks before the next change are its own; of looks at the same, the last counts.
 */
export function madeChanges(
  transcript: Transcript,
  how: Change,
  { withAccepted = false } = {},
): MadeChange[] {
  if (transcript.isTraffic)
    return seenChanges(transcript).filter(
      (one) => one.how === how && (withAccepted || !isOnlyAccepted(one.change)),
    );
  const looks = answeredFor(transcript, 'look');
  const changes = answeredFor(transcript, 'change');
  return changes.flatMap((change) => {
    const { purpose, operation } = change.case;
    const isLeftOut = isOnlyAccepted(change) && !withAccepted;
    if (purpose.how !== how || change.response.status >= 300 || isLeftOut) return [];
    const isOfItem = ({ case: other }: (typeof changes)[number] | Look) =>
      other.purpose.id === purpose.id && other.operation?.resource === operation?.resource;
    const next = changes.find((one) => one.number > change.number && isOfItem(one));
    const after = looks.filter(
      (look) =>
        look.number > change.number &&
        look.number < (next?.number ?? Number.POSITIVE_INFINITY) &&
        look.case.purpose.after === how &&
        isOfItem(look),
    );
    const last = new Map(after.map((look) => [look.request.path, look]));
    return [{ change, id: purpose.id, looks: [...last.values()] }];
  });
}
