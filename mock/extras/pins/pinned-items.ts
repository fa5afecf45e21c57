import { findListRules } from '../../../contracts/description/collections/list-rules.ts';
import type { ApiDocument, Operation, Resource } from '../../../contracts/description/document.ts';
import { valueAt } from '../../../contracts/description/property-path.ts';
import { isSuccess } from '../../../contracts/description/success.ts';
import { stringifyExact } from '../../../contracts/json-text.ts';
import {
  type Answer,
  type AnswerForm,
  toErrorAnswer,
  toOutOfRoomAnswer,
} from '../../answers/answer.ts';
import { toPinnedPayload } from '../../answers/answer-form.ts';
import type { Behaviour } from '../../behaviours/behaviour.ts';
import type { BehaviourInstead } from '../../behaviours/bind.ts';
import { isPlainList } from '../../behaviours/paged-list.ts';
import { createReadBehaviour } from '../../behaviours/read.ts';
import type { Clock } from '../../clock.ts';
import { statusOf } from '../../documented/responses.ts';
import { createIsEqual } from '../../items/find-items.ts';
import { type Fields, toItemId, toStoredItem } from '../../items/stored-item.ts';
import {
  type ByteText,
  isInt64,
  parseExact,
  parseInteger,
  toByteText,
  toDouble,
  toText,
} from '../../json/exact-json.ts';
import { findBodyFault } from './body-faults.ts';
import type { IdFault, ListOrder, Pins } from './pins.ts';

/**
 * Which items were created a moment ago, and when, so that they can be seen late; those of a sandbox
 * by its clock, as each call of a nested collection sees a store of its own.
 */
export interface FreshItems {
  add(clock: Clock, id: string): void;
  /** The ids of the items that were created within so many milliseconds. */
  within(clock: Clock, milliseconds: number): ReadonlySet<string>;
}

/** Makes what remembers the items of the last so many milliseconds. */
function createFreshItems(longest: number, now = () => performance.now()): FreshItems {
  const created = new WeakMap<Clock, Map<string, number>>();
  const timesOf = (clock: Clock) => {
    const times = created.get(clock) ?? new Map<string, number>();
    created.set(clock, times);
    for (const [id, at] of times) {
      if (now() - at <= longest) break;
      times.delete(id);
    }
    return times;
  };
  return {
    add: (clock, id) => void timesOf(clock).set(id, now()),
    within: (clock, milliseconds) =>
      new Set([...timesOf(clock)].filter(([, at]) => now() - at < milliseconds).map(([id]) => id)),
  };
}

export type PinnedOptions = { pins: Pins; fresh: FreshItems };

/** Lists items in the order and with the members that are pinned, later than they were created. */
function createPinnedList(
  resource: Resource,
  { pins: { order, delays, members }, fresh }: PinnedOptions,
): Behaviour {
  const { pageSize, idProperty } = resource;
  const defaultSize = pageSize?.default ?? pageSize?.max ?? Number.POSITIVE_INFINITY;
  const add = createAddMembers(members);
  return async ({ store, clock, query }) => {
    const limit = Number((pageSize && query[pageSize.name]) ?? defaultSize);
    const filters = Object.fromEntries(
      resource.filters.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
    );
    const late = fresh.within(clock, delays?.list ?? 0);
    const needsAll = order !== undefined || late.size > 0 || resource.filters.length > 0;
    const all = await store.list(resource.name, {
      filters: {},
      limit: needsAll ? Number.POSITIVE_INFINITY : limit,
    });
    const isMeant = createIsEqual(filters);
    const seen = all.filter(
      (json) => (isMeant?.(json) ?? true) && (late.size === 0 || !late.has(idOf(json, idProperty))),
    );
    const items = inOrder(seen, order).slice(0, limit).map(add);
    return { status: 200, json: `[${items.join(',')}]` as ByteText };
  };
}

function idOf(json: ByteText, idProperty: string): string {
  return String(valueAt(parseExact(toText(json)).value as Fields, idProperty));
}

function inOrder(items: ByteText[], order: ListOrder | undefined): ByteText[] {
  if (order === undefined) return items;
  if (order === 'newest-first') return items.toReversed();
  const { by, descending } = order;
  const keyed = items.map((json) => ({
    json,
    key: (parseExact(toText(json)).value as Fields)[by] as string | number | bigint,
  }));
  keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
  const sorted = keyed.map(({ json }) => json);
  return descending ? sorted.toReversed() : sorted;
}

/** Makes what adds members to the JSON of an item; a member that it has stays as it is. */
function createAddMembers(members: Fields | undefined): (json: ByteText) => ByteText {
  if (!members) return (json) => json;
  return (json) => {
    const item = parseExact(toText(json)).value as Fields;
    return toByteText(stringifyExact({ ...item, ...members, ...item }));
  };
}

/** Creates items as it is pinned, or refuses their body. */
function createPinnedCreate(resource: Resource, { pins, fresh }: PinnedOptions): Behaviour {
  const stored = pins.otherField === 'stored' ? { ...resource, isOpen: true } : resource;
  const add = createAddMembers(pins.members);
  const { create } = resource.operations;
  const success = create?.responses.find(isSuccess);
  const status = create && success ? statusOf(success, create) : 201;
  return async ({ store, clock, body }) => {
    const fields = { ...pins.defaults, ...((body ?? {}) as Fields) };
    const listed = async () =>
      (await store.list(resource.name, { filters: {}, limit: Number.POSITIVE_INFINITY })).map(
        (json) => parseExact(toText(json)).value as Fields,
      );
    const fault = await findBodyFault(fields, { resource, pins, listed });
    if (fault?.form) return { ...toErrorAnswer('invalid_body', fault.message), form: fault.form };
    if (fault?.same) return { status: 200, json: add(toByteText(stringifyExact(fault.same))) };
    try {
      const item = await store.add(resource.name, (n) =>
        toStoredItem(stored, fields, toPinnedId(n, resource, pins.ids)),
      );
      if (pins.delays) fresh.add(clock, item.id);
      return { status, json: add(item.json) };
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

/** Scatters numbers: no two have one id, as the factor is odd. */
function toPinnedId(n: number, { idSchema }: Resource, ids: Pins['ids']): unknown {
  if (ids === undefined || idSchema.type !== 'integer') return toItemId(n, idSchema);
  const bits = ids === 'random' ? 53n : 63n;
  const id = BigInt.asUintN(Number(bits), BigInt(n) * 0x9e3779b97f4a7c15n + 0x1234567n);
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
}

/** Reads items as it is pinned: forms of ids, further members, and later than they were created. */
function createPinnedRead(
  resource: Resource,
  { pins: { idForms, members, delays }, fresh }: PinnedOptions,
): Behaviour {
  const read = createReadBehaviour(resource, resource.operations.read as Operation);
  const add = createAddMembers(members);
  const parameter =
    resource.operations.read?.path.match(/\{([^{}]+)\}$/)?.[1] ?? resource.idProperty;
  const isInteger = resource.idSchema.type === 'integer';
  return async (call) => {
    const id = call.params[parameter] ?? '';
    const isLate = delays !== undefined && fresh.within(call.clock, delays.read).has(id);
    const answer = (await read(
      isLate ? { ...call, params: { ...call.params, [parameter]: '' } } : call,
    )) as Answer;
    if (answer.status === 200) return { ...answer, json: add(answer.json) };
    const form: AnswerForm | undefined = isInteger
      ? idForms?.[idFaultOf(id) as IdFault]
      : undefined;
    return form ? { ...answer, form } : answer;
  };
}

/** What is wrong with the text of an id; `zero` and `negative` are integers all the same. */
function idFaultOf(id: string): IdFault | '' {
  if (/^-?\d+\.\d+$/.test(id)) return 'fraction';
  if (!/^-?\d+$/.test(id)) return 'text';
  if (/^-?0\d+$/.test(id)) return 'padded';
  const integer = parseInteger(id);
  if (integer === undefined || !isInt64(toDouble(integer))) return 'beyond';
  if (Number(id) < 0) return 'negative';
  return Number(id) === 0 ? 'zero' : '';
}

type CreatePinned = (resource: Resource, pinned: PinnedOptions) => Behaviour;

/** What operations do where it is pinned; they are slower, as they do more. */
const byKind: Partial<Record<NonNullable<Operation['kind']>, CreatePinned>> = {
  list: createPinnedList,
  create: createPinnedCreate,
  read: createPinnedRead,
};

/** Makes what finds the pinned behaviour of an operation. */
export function createPinnedBehaviours(pins: Pins, document: ApiDocument): BehaviourInstead {
  const { read = 0, list = 0 } = pins.delays ?? {};
  const pinned = { pins, fresh: createFreshItems(Math.max(read, list)) };
  return (operation, resource) => {
    if (resource) return findPinned(operation, resource, document)?.(resource, pinned);
    if (!pins.payload) return undefined;
    const answer = toPinnedPayload(pins.payload);
    return async () => answer;
  };
}

/** What pins say of answers is said of items and arrays of them, not of what holds these. */
function findPinned(
  operation: Operation,
  { item }: Resource,
  document: ApiDocument,
): CreatePinned | undefined {
  const { kind, itemsAt } = operation;
  if (!kind || itemsAt) return undefined;
  const isOther = kind === 'list' && !isPlainList(findListRules(document.raw, operation, item));
  return isOther ? undefined : byKind[kind];
}
