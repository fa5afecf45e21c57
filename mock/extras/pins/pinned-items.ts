import { stringifyExact } from '../../../common/json.ts';
import { isSuccess } from '../../../common/success.ts';
import type { Api, Operation, Resource, Schema } from '../../../openapi/index.ts';
import { findResource } from '../../../openapi/model/api.ts';
import { listRulesOf } from '../../../openapi/model/lists.ts';
import { type Answer, type AnswerForm, toErrorAnswer } from '../../answers/answer.ts';
import { toPinnedPayload } from '../../answers/answer-form.ts';
import type { Behaviour } from '../../behaviours/behaviour.ts';
import { isPlainList } from '../../behaviours/list.ts';
import { createReadBehaviour } from '../../behaviours/read.ts';
import { statusOf } from '../../documented/responses.ts';
import { createIsEqual, splitFilters } from '../../items/find-items.ts';
import { type Fields, toItemId, toStoredItem } from '../../items/stored-item.ts';
import {
  type ByteText,
  isInt64,
  parseExact,
  parseInteger,
  toByteText,
  toText,
} from '../../json/exact-json.ts';
import { addCounted } from '../../state/store.ts';
import type { IdFault, Pins } from './pins.ts';

/** Lists items in the order and with the members that are pinned. */
function createPinnedList(resource: Resource, { order, members }: Pins): Behaviour {
  const rules = listRulesOf(resource.operations.list);
  const { pageSize } = rules;
  const defaultSize = pageSize?.default ?? pageSize?.max ?? Number.POSITIVE_INFINITY;
  const add = createAddMembers(members);
  return async ({ store, query }) => {
    const limit = Number((pageSize && query[pageSize.name]) ?? defaultSize);
    const { others } = splitFilters(rules, new Set(), query);
    const isMatch = createIsEqual(others, rules);
    const seen = await store.list(resource.name, { isMatch, ...(!order && { limit }) });
    const ordered = order === 'newest-first' ? seen.toReversed() : seen;
    const items = ordered.slice(0, limit).map(add);
    return { status: 200, json: `[${items.join(',')}]` as ByteText };
  };
}

/** Creates a function that adds members to an item's JSON; existing members stay as they are. */
function createAddMembers(members: Fields | undefined): (json: ByteText) => ByteText {
  if (!members) return (json) => json;
  return (json) => {
    const item = parseExact(toText(json)) as Fields;
    return toByteText(stringifyExact({ ...item, ...members, ...item }));
  };
}

/** Creates items as it is pinned, or refuses their body. */
function createPinnedCreate(resource: Resource, pins: Pins): Behaviour {
  const stored = pins.otherField === 'stored' ? { ...resource, isOpen: true } : resource;
  const add = createAddMembers(pins.members);
  const { create } = resource.operations;
  const success = create?.responses.find(isSuccess);
  const status = create && success ? statusOf(success, create) : 201;
  return async ({ store, body }) => {
    const fields = { ...pins.defaults, ...((body ?? {}) as Fields) };
    const listed = async () =>
      (await store.list(resource.name)).map((json) => parseExact(toText(json)) as Fields);
    const fault = await findBodyFault(fields, { resource, pins, listed });
    if (fault) return { ...toErrorAnswer('invalid_body', fault.message), form: fault.form };
    const item = await addCounted(store, resource.name, (n) =>
      toStoredItem(stored, fields, toPinnedId(n, resource, pins.ids)),
    );
    return { status, json: add(item.json) };
  };
}

/** Scatters numbers: no two have one id, as the factor is odd. */
function toPinnedId(n: number, { idSchema }: Resource, ids: Pins['ids']): unknown {
  if (ids === undefined || idSchema.type !== 'integer') return toItemId(n, idSchema);
  const bits = ids === 'random' ? 53n : 63n;
  const id = BigInt.asUintN(Number(bits), BigInt(n) * 0x9e3779b97f4a7c15n + 0x1234567n);
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
}

/** Reads items as it is pinned: forms of ids, and further members. */
function createPinnedRead(resource: Resource, { idForms, members }: Pins): Behaviour {
  const read = createReadBehaviour({ resource, operation: resource.operations.read as Operation });
  const add = createAddMembers(members);
  const parameter =
    resource.operations.read?.path.match(/\{([^{}]+)\}$/)?.[1] ?? resource.idProperty;
  const isInteger = resource.idSchema.type === 'integer';
  return async (call) => {
    const id = call.params[parameter] ?? '';
    const answer = (await read(call)) as Answer;
    if (answer.status === 200) return { ...answer, json: add(answer.json) };
    const fault = isInteger ? idFaultOf(id) : undefined;
    const form = fault && idForms?.[fault];
    return form ? { ...answer, form } : answer;
  };
}

/** Returns the fault in the text of an id; undefined if the text is a 64-bit integer. */
function idFaultOf(id: string): IdFault | undefined {
  if (!/^-?\d+$/.test(id)) return 'text';
  const integer = parseInteger(id);
  return integer === undefined || !isInt64(integer) ? 'beyond' : undefined;
}

type CreatePinned = (resource: Resource, pins: Pins) => Behaviour;

/** Behaviours of pinned operations, by kind; they do more than unpinned ones and are slower. */
const byKind: Partial<Record<NonNullable<Operation['kind']>, CreatePinned>> = {
  list: createPinnedList,
  create: createPinnedCreate,
  read: createPinnedRead,
};

/** Creates a function that finds the pinned behaviour of an operation. */
export function createPinnedStep(pins: Pins, document: Api) {
  return (operation: Operation): Behaviour | undefined => {
    const resource = operation.kind && findResource(document, operation);
    if (resource) return findPinned(operation)?.(resource, pins);
    if (!pins.payload) return undefined;
    const answer = toPinnedPayload(pins.payload);
    return async () => answer;
  };
}

/**
 * Finds the pinned behaviour of an operation: pins are about items and arrays of items, not their
 * wrappers.
 */
function findPinned({ kind, itemsAt, listRules }: Operation): CreatePinned | undefined {
  if (!kind || itemsAt) return undefined;
  return listRules && !isPlainList(listRules) ? undefined : byKind[kind];
}

/** Holds the refusal of a body that fits its schema. */
type BodyFault = { form: AnswerForm; message: string };

type BodyFaultOptions = {
  resource: Pick<Resource, 'idProperty' | 'item'>;
  pins: Pins;
  /** All items of the collection, for what depends on the others. */
  listed: () => Promise<readonly Fields[]>;
};

/** Looks for what the pins refuse in the fields of a new item. */
async function findBodyFault(
  fields: Fields,
  { resource, pins, listed }: BodyFaultOptions,
): Promise<BodyFault | undefined> {
  const { idProperty, item } = resource;
  const { otherField, unknownCategory, repeated } = pins;
  const names = Object.keys(item.properties).filter((name) => name !== idProperty);
  if (typeof otherField === 'object') {
    const other = Object.keys(fields).find((name) => !names.includes(name));
    if (other !== undefined)
      return { form: otherField, message: `The field "${other}" is unknown.` };
  }
  const nameFault = findNameFault(fields[textOf(names, item.properties) ?? ''], pins);
  if (nameFault) return nameFault;
  const integer = names.find((name) => item.properties[name]?.format === 'int64') ?? '';
  const category = fields[integer];
  if (unknownCategory && category !== undefined)
    if ((await listed()).every((one) => one[integer] !== category))
      return { form: unknownCategory, message: `There is no ${integer} ${category}.` };
  if (!repeated) return undefined;
  const compared = repeated.by === 'body' ? names : [repeated.by];
  const isSame = (one: Fields) => compared.every((name) => one[name] === fields[name]);
  return (await listed()).some(isSame)
    ? { form: repeated.answer, message: 'There is such an item already.' }
    : undefined;
}

/** The first property that may hold any text. */
function textOf(
  names: readonly string[],
  properties: Readonly<Record<string, Schema>>,
): string | undefined {
  return names.find((name) => {
    const schema = properties[name];
    return schema?.type === 'string' && bounds.every((keyword) => schema[keyword] === undefined);
  });
}

/** The keywords of a schema that allow not any text. */
const bounds = ['enum', 'format', 'pattern', 'maxLength'] as const;

function findNameFault(
  name: unknown,
  { emptyName, longName }: Pick<Pins, 'emptyName' | 'longName'>,
): BodyFault | undefined {
  if (typeof name !== 'string') return undefined;
  if (emptyName && name.trim() === '') return { form: emptyName, message: 'The name is empty.' };
  return longName && name.length > longName.max
    ? { form: longName.tooLong, message: `The name may have at most ${longName.max} characters.` }
    : undefined;
}
