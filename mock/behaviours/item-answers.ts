import { isObject, stringifyExact } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { parametersIn } from '../../common/path-template.ts';
import { hasAt, topOf, valueAt, withAt } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import { wordsOf } from '../../common/words.ts';
import type {
  FlatSchema,
  Operation,
  Resource,
  ResponseDescription,
  Schema,
} from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { listsStandIn } from '../../openapi/values/plain-schema.ts';
import { isOfEnd } from '../../openapi/values/wording.ts';
import {
  type Answer,
  bodyOf,
  noContent,
  type TextAnswer,
  toOutOfRoomAnswer,
  toShownPath,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import {
  findSuccess,
  missingStatusOf,
  states,
  statusOf,
  takenStatusOf,
  unfitStatusOf,
} from '../documented/responses.ts';
import { ItemError } from '../items/item-edits.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { type TakenValue, toUniqueStore, ValueTakenError } from '../items/unique-store.ts';
import { type ByteText, parseNumber, toByteText, toIdText } from '../json/exact-json.ts';
import { JsonPatchError } from '../json/json-patch.ts';
import { quote } from '../json/quote.ts';
import { fits, type Problem, toSentences } from '../json/validator.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';
import { createFromDocumentBehaviour, type FromDocumentOptions } from './from-document.ts';
import { findShownItem } from './wrapped-items.ts';

export type ItemOptions = FromDocumentOptions & { resource: Resource };

/** Answers for an operation on one item, as far as the document describes its answers. */
export type ItemAnswers = {
  /** The id in the path, as text; in the body where the path has none, and no single object. */
  idOf(call: Call): string;
  /** Whether a success shows the item. */
  showsItem: boolean;
  /** The answer to what was done; of an item that was created, 201. */
  done(call: Call, json: ByteText, isCreated?: boolean): Promise<Answer | TextAnswer>;
  /** The answer where no item has the id: 404, or 410 where only that is stated. */
  missing(call: Call): Answer;
};

/** Reads from the document how an operation on one item answers. */
export function createItemAnswers(options: ItemOptions): ItemAnswers {
  const { operation, resource } = options;
  const parameter = idParameterOf(operation);
  const { idProperty, isSingle } = resource;
  const idOf = ({ params, body }: Call) =>
    parameter === undefined ? textOf(body, idProperty) : (params[parameter] ?? '');
  const created = operation.responses.find(({ status }) => status === '201');
  const isDelete = operation.kind === 'delete';
  const isCreate = operation.kind === 'create';
  // Of many documents, the default response is that of errors; one without content is not.
  const isOfSuccess = (one: ResponseDescription) =>
    isSuccess(one) || (isCreate && one.status === 'default' && heldSchemaOf(one) === undefined);
  const successes = operation.responses.filter((one) => isOfSuccess(one) && one !== created);
  const changed = findSuccess({ ...operation, responses: successes }) ?? created;
  const status = isCreate ? 201 : 200;
  const undescribed: ShowItem = {
    showsItem: !isDelete,
    toAnswer: async (_, json) => (isDelete ? noContent : { status, json }),
  };
  const whenChanged = changed ? createShowItem(changed, options) : undescribed;
  const whenCreated = created ? createShowItem(created, options) : whenChanged;
  return {
    idOf: isSingle ? createIdOfSingle(operation) : idOf,
    showsItem: whenChanged.showsItem || whenCreated.showsItem,
    done: async (call, json, isCreated = false) =>
      isCreated
        ? { ...(await whenCreated.toAnswer(call, json)), created: json }
        : whenChanged.toAnswer(call, json),
    missing: (call) => toMissingIdAnswer(options, call),
  };
}

function createIdOfSingle({ path }: Operation): (call: Call) => string {
  const names = parametersIn(path);
  return ({ params }) => toIdOfSingle(names.map((one) => params[one] ?? ''));
}

/**
 * Returns the id of a single object: the values of the parameters in the path, a slash in front of each
 * and none in them, so that no two paths have the same. None is a number that could be counted.
 */
export function toIdOfSingle(values: readonly string[]): string {
  return values.map((one) => `/${encodeURIComponent(one)}`).join('') || '/';
}

/** Answers a success on an item: with the item, or with other content. */
export type ShowItem = {
  showsItem: boolean;
  toAnswer(call: Call, json: ByteText): Promise<Answer | TextAnswer>;
};

/** Makes the answers that a response describes: the item, or else what the document says, with its id. */
export function createShowItem(response: ResponseDescription, options: ItemOptions): ShowItem {
  const status = statusOf(response, options.operation);
  const wrap = toWrap(response, options);
  if (wrap) return { showsItem: true, toAnswer: async (_, json) => ({ status, json: wrap(json) }) };
  const make = createOtherAnswer(response, options);
  const withOwnId = createWithOwnId(response, options);
  const isAlike = toWrap(response, options, { mayDiffer: true }) !== undefined;
  // Of an item with other types, the answer shows what these allow.
  const withItem = (call: Call, json: ByteText): Call => {
    const sent = isObject(call.body) ? call.body : {};
    return isAlike ? { ...call, body: { ...fieldsOf(json), ...sent } } : call;
  };
  return {
    showsItem: isAlike,
    toAnswer: async (call, json) => withOwnId(call, json, await make(withItem(call, json))),
  };
}

/** Answers as one of the responses of an operation describes, whatever is stored. */
export function createOtherAnswer(
  response: ResponseDescription,
  options: FromDocumentOptions,
): Behaviour {
  const { kind: _, ...operation } = options.operation;
  return createFromDocumentBehaviour({
    ...options,
    operation: { ...operation, responses: [response] },
  });
}

/**
 * Puts the id of an item into what is answered beside it, such as `{"id", "deleted"}`, `{"silenceID"}`
 * or, of a deleted one, `{"ids": [...]}`, and says that a deleted item is deleted. Without an example, a deletion says no more
 * than it must.
 */
function createWithOwnId(
  { schema, examples }: ResponseDescription,
  { operation, resource, document }: ItemOptions,
): (call: Call, json: ByteText, answer: Answer | TextAnswer) => Answer | TextAnswer {
  if (!schema) return (_, __, answer) => answer;
  const { idProperty, idSchema } = resource;
  const parameter = idParameterOf(operation) ?? '';
  const isListOfIds = (one: string) => {
    const list = schemas.objectAlternative(flat.properties[one] ?? {}) ?? {};
    if (!isObject(list.items)) return false;
    const items = schemas.resolve(list.items);
    const said = [wordsOf(one).join(' '), list.description, items.description].join(' ');
    return schemas.shareType(items, idSchema) && /\b(ids?|deleted)\b/i.test(said);
  };
  const name = document.schemas.receiptOf(schema, resource) ?? idProperty;
  const { schemas } = document;
  const flat = schemas.flatten(schemas.objectAlternative(schema));
  const isShown = Object.keys(examples).length > 0;
  const isDelete = operation.kind === 'delete';
  const listed = (isDelete && Object.keys(flat.properties).find(isListOfIds)) || '';
  const flags = Object.entries(flat.properties).flatMap(([one, own]) =>
    isOfEnd(one) && schemas.allTypesOf(own).includes('boolean') ? [[one, true]] : [],
  );
  const asDeleted = (value: Fields) =>
    asDone(
      isShown
        ? value
        : withoutMore(flat, { ...value, ...Object.fromEntries(flags) }, [topOf(name)]),
    );
  return ({ params }, json, answer) => {
    const value = bodyOf(answer);
    if (!isObject(value)) return answer;
    const done = isDelete ? asDeleted(value) : value;
    const id = json === '' ? params[parameter] : valueAt(fieldsOf(json), idProperty);
    const ids = [id, Number(id), String(id)];
    const named = hasAt(value, name) ? ids.map((one) => withAt(done, name, one)) : [];
    const inList = listed !== '' ? ids.map((one) => ({ ...done, [listed]: [one] })) : [];
    const own = [...named, ...inList, done].find((one) => fits(document, schema, one));
    return own ? { ...answer, json: toByteText(stringifyExact(own)) } : answer;
  };
}

/** Leaves out the values of an answer that are made up and that it need not have. */
function withoutMore({ properties, required }: FlatSchema, value: Fields, own: string[]): Fields {
  const isStated = (name: string) =>
    ['const', 'enum', 'default', 'example'].some((one) => one in (properties[name] ?? {}));
  const isKept = ([name, one]: [string, unknown]) =>
    isObject(one) || isDone(name) || isStated(name) || [...required, ...own].includes(name);
  return Object.fromEntries(Object.entries(value).filter(isKept));
}

function isDone(name: string): boolean {
  return isOfEnd(name) || /^(success|successful|succeeded|ok)$/i.test(name);
}

/** Sets the flags that say that something is deleted, or that a call succeeded. */
function asDone(value: Fields): Fields {
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    typeof one === 'boolean' && isDone(key) ? true : one,
  ]);
  return Object.fromEntries(entries);
}

/**
 * Returns the conversion of an item to the body of a response; undefined if that shows no item. A
 * body shows an item by its id, or a singleton by any property, and requires no unknown property. If
 * properties `mayDiffer`, some may have other types than those of the item.
 */
export function toWrap(
  response: ResponseDescription,
  options: ItemOperation,
  { mayDiffer = false } = {},
): ((json: ByteText) => ByteText) | undefined {
  const { document, operation, resource } = options;
  const shown = findShownItem(response, options);
  if (!shown) return undefined;
  const { idProperty, item, isOpen, isSingle } = resource;
  const { schemas } = document;
  const isOfItem = (name: string) => Object.hasOwn(item.properties, name);
  const schema = schemas.objectAlternative(shown.schema) ?? shown.schema;
  const described = document.schemas.describeShown(schema);
  const [id, ownId] = [described, item].map((one) => schemas.describedAt(one, idProperty));
  const hasId = id !== undefined && schemas.shareType(id, ownId);
  // What says that an item is deleted is a note on it: `{"id": 1, "deleted": true}`.
  const isNote = Object.keys(described.properties).some((one) => !isOfItem(one) && isOfEnd(one));
  if (operation.kind === 'delete' && (isNote || saysDeleted(described))) return undefined;
  // Finds properties of another thing, such as the request that deletes the item, by their types.
  const isOther = ([name, one]: [string, Schema]) =>
    isOfItem(name) &&
    (operation.kind === 'delete' || described.required.includes(name)) &&
    !schemas.shareType(one, item.properties[name]) &&
    !listsStandIn(one, item.properties[name] ?? {}, schemas.describeShown);
  const isWhole = Object.keys(described.properties).every(isOfItem);
  if (mayDiffer && operation.kind === 'delete' && !isWhole) return undefined;
  const isChange = operation.kind !== 'read' && !isSingle && !mayDiffer;
  if (isChange && Object.entries(described.properties).some(isOther)) return undefined;
  const isAlike = Object.keys(described.properties).some(isOfItem);
  const isOfPath = resource.idIn !== undefined && isAlike;
  const isSure = isSingle ? isOpen || isAlike : hasId || operation.kind === 'read' || isOfPath;
  const { wrap = (json: ByteText) => json } = shown;
  return isSure && described.required.every(isOfItem) ? wrap : undefined;
}

/** Whether what is described says that an item is gone: `deleted` is required, and always true. */
export function saysDeleted({ properties, required }: FlatSchema): boolean {
  const isTrue = (schema: Schema = {}) => [schema.const, schema.enum].flat().includes(true);
  return required.some((name) => isOfEnd(name) && isTrue(properties[name]));
}

function textOf(body: unknown, name: string): string {
  const value = valueAt(body as Readonly<Record<string, unknown>> | null, name);
  return value === undefined ? '' : toIdText(value);
}

type Place = Pick<ItemOperation, 'resource' | 'operation'>;

/** Converts a behaviour's storage errors to answers; nothing was stored. */
export function withRefusals(behaviour: Behaviour, place: Place): Behaviour {
  return async (call) => {
    try {
      return await behaviour(call);
    } catch (error) {
      if (error instanceof ItemError) return toUnfitAnswer(place, error.problems);
      if (error instanceof JsonPatchError)
        return toUnfitAnswer(place, [{ pointer: '', problem: error.message }]);
      if (error instanceof ValueTakenError) return toValueTakenAnswer(place, error.taken);
      return toOutOfRoomAnswer(error);
    }
  };
}

/** The answer to a body that fits no item: 400, or 422 where only that is stated. */
function toUnfitAnswer({ resource, operation }: Place, problems: readonly Problem[]): Answer {
  return toStatedErrorAnswer(
    'invalid_body',
    `The body is not valid for an item of ${resource.name}. ${toSentences(problems)}`,
    unfitStatusOf(operation),
    problems.map((problem) => ({ in: 'body', ...problem })),
  );
}

/** An operation, and the parameter that names a missing item; by default that of its own item. */
type MissingId = Partial<Pick<ItemOptions, 'document'>> &
  Pick<ItemOptions, 'operation'> & { name?: string };

/**
 * The answer to an id in the path that no item has: where the document describes wrong parameters, and
 * no item can have it, the answer for these.
 */
export function toMissingIdAnswer(
  { document, operation, name = idParameterOf(operation) ?? '' }: MissingId,
  call: Call,
  why?: string,
): Answer {
  const status = unfitStatusOf(operation);
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  const text = call.params[name];
  if (!document || !parameter || text === undefined || !states(operation, status))
    return toMissingAnswer(operation, call, why);
  const values = [text, parseNumber(text)].filter((one) => one !== undefined);
  if (values.some((one) => fits(document, parameter.schema, one)))
    return toMissingAnswer(operation, call, why);
  const problem = `Path parameter "${name}" may not be ${quote(text)}.`;
  const problems = [{ in: 'path' as const, name, pointer: '', problem }];
  return toStatedErrorAnswer('invalid_parameter', problem, status, problems);
}

/** The answer where nothing is at the path of a call: 404, or 410 where only that is stated. */
export function toMissingAnswer(operation: Operation, { url }: Call, why = '.'): Answer {
  const message = `There is nothing at ${toShownPath(url)}${why}`;
  return toStatedErrorAnswer('not_found', message, missingStatusOf(operation));
}

/** The answer to an item whose id, or the one that a property of the body gives it, is taken. */
export function toTakenAnswer({ resource, operation }: Place, id: string, given?: string): Answer {
  const { name, idProperty } = resource;
  const problem = `An item of ${name} has the ${idProperty} ${toExcerpt(id, 80)} already.`;
  const problems = given && [{ in: 'body' as const, pointer: `/${toToken(given)}`, problem }];
  return toStatedErrorAnswer('id_taken', problem, takenStatusOf(operation), problems || undefined);
}

function toValueTakenAnswer(
  { resource, operation }: Place,
  { property, text, index, isWithin }: TakenValue,
): Answer {
  const item = operation.kind === 'createMany' ? `/${index}` : '';
  const pointer = `${item}/${toToken(property)}`;
  const other = isWithin ? 'another item of the body' : `another item of ${resource.name}`;
  const problem = `"${property}" must be unique, but ${other} has ${toExcerpt(text, 80)}.`;
  const problems = [{ in: 'body' as const, pointer, problem }];
  return toStatedErrorAnswer('value_taken', problem, takenStatusOf(operation), problems);
}

/**
 * Has a behaviour throw where two items would get the same value of a property that the document
 * marks as unique. Items below different parents may have the same.
 */
export function withUniqueValues(
  behaviour: Behaviour,
  { document: { schemas }, resource, operation }: ItemOperation,
): Behaviour {
  const stated = placementsOf(resource).flatMap(({ operations }) => operations.create ?? []);
  const properties = [
    ...schemas.uniquePropertiesOf(resource),
    ...stated.flatMap(({ rules }) => rules?.unique ?? []),
  ].filter((name) => !schemas.isMarked(resource.item.properties[name], 'readOnly'));
  if (properties.length === 0 || !rowOf(operation.kind).stores) return behaviour;
  return (call) => behaviour({ ...call, store: toUniqueStore(call.store, resource, properties) });
}
