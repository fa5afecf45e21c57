import { stringifyExact } from '../../common/json.ts';
import { once } from '../../common/once-per.ts';
import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import { formsOf, toPlainName, wordsOf } from '../../common/words.ts';
import type { Api, Operation, Resource, Schemas } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { proseOf } from '../../openapi/model/operation.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { type Answer, bodyOf, type TextAnswer } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import { findSuccess, states, statusOf } from '../documented/responses.ts';
import { ensureSameId } from '../items/item-edits.ts';
import { type Fields, fieldsOf, isId, toItemId, toItemNumber } from '../items/stored-item.ts';
import { createTakeItem } from '../items/take-fields.ts';
import {
  type ByteText,
  noBytes,
  parseExact,
  parseInteger,
  toByteText,
  toText,
} from '../json/exact-json.ts';
import { createFits } from '../json/validator.ts';
import type { NewItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import {
  createItemAnswers,
  createOtherAnswer,
  type ItemOptions,
  toTakenAnswer,
  toWrap,
} from './item-answers.ts';
import { createRenderAll } from './list-answer.ts';

/**
 * Stores the body as a new item, or each item of a list in the body, all of them or none, with what
 * the query says of it, and answers with what is stored. An id is the next one of the collection, or
 * the one that the body gives where the caller chooses ids; 409 where an item has that, or the next
 * one too where the body need not give any. At the path of an item, one that exists is replaced unless
 * the document describes 409; where the document says that it updates, too, that is changed.
 */
export function createCreateBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const isMany = operation.kind === 'createMany';
  const ofOne = isMany ? toCreateOfOne(document.schemas, operation) : operation;
  const toNewItem = createToNewItem(document, resource, ofOne);
  const isAtItem = shapeOf(operation.path) === shapeOf(`${resource.path}/{}`);
  const parameter = isAtItem ? idParameterOf(operation) : undefined;
  const toAnswerOfOne = createToAnswer(options);
  const toAnswerOfMany = once(() => createToAnswerOfMany(options));
  const withQuery = createWithQuery(resource, operation);
  const upsert = updatesToo(operation) ? createUpsert(options) : undefined;
  return async (call) => {
    const { store, clock, body } = call;
    const sent = body ?? (isMany ? [] : {});
    // Array.flat takes as long as the store does.
    const bodies = (Array.isArray(sent) ? sent : [sent]) as Fields[];
    const id = parameter === undefined ? undefined : call.params[parameter];
    const { newId } = call;
    const asked = call.parameters?.query?.[resource.givenBy ?? ''];
    const newItems = bodies.map((fields, at) =>
      toNewItem(withQuery(fields, call), clock, {
        inPath: id,
        inQuery: at === 0 && typeof asked === 'string' ? asked : undefined,
        newId: at === 0 ? newId : undefined,
      }),
    );
    const { items, taken } = await store.addAll(resource.name, newItems);
    const [{ given } = {}] = newItems;
    if (!items && id !== undefined && given && !states(operation, 409)) {
      await store.put(resource.name, given.item, { number: given.number });
      return toAnswerOfOne(call, [given.item.json]);
    }
    const changed =
      !items && given && upsert && (await upsert(call, bodies[0] ?? {}, given.item.id));
    if (changed) return toAnswerOfOne(call, [changed]);
    if (!items) return toTakenAnswer({ resource, operation }, taken);
    // A body that is no JSON may be a list, whatever the JSON is.
    const toAnswer = isMany || Array.isArray(body) ? toAnswerOfMany() : toAnswerOfOne;
    return toAnswer(
      call,
      items.map(({ json }) => json),
    );
  };
}

const orUpdates = /\b(creat|add|insert)(es?|s|ed)?\b.{0,20}\bor (updat|chang)|\bupsert/i;

/** Whether the document says that an operation changes an item that exists, and creates any other. */
function updatesToo(operation: Operation): boolean {
  const { description = '' } = operation.responses.find(isSuccess) ?? {};
  return orUpdates.test(`${proseOf(operation)}\n${description}`);
}

/** Creates a step that sets the fields of an item that exists; undefined where none does. */
function createUpsert({ document, resource, operation }: ItemOptions) {
  const take = createTakeItem(document, resource, operation);
  return async ({ store, clock }: Call, fields: Fields, id: string) => {
    const toChanged = (json: ByteText) => {
      const before = fieldsOf(json);
      const own = valueAt(before, resource.idProperty);
      const now = clock.now();
      return take({ ...before, ...fields }, { id: own, now, before, isPatch: true });
    };
    return (await store.change(resource.name, id, toChanged))?.json;
  };
}

/** Creates a step that adds the properties that the query of a call gives to its fields. */
function createWithQuery({ item }: Resource, { parameters }: Operation) {
  const names = parameters
    .filter((one) => one.in === 'query' && Object.hasOwn(item.properties, one.name))
    .map(({ name }) => name);
  return (fields: Fields, { parameters: values }: Call): Fields => {
    if (names.length === 0) return fields;
    const { query = {} } = values ?? {};
    const asked = names.filter((name) => Object.hasOwn(query, name));
    const ofQuery = Object.fromEntries(asked.map((name) => [name, query[name]]));
    return { ...ofQuery, ...fields };
  };
}

/** The create of one of the items that an operation takes in a list. */
function toCreateOfOne(schemas: Schemas, operation: Operation) {
  const { body, otherBody: _, takenAt: __, takenAs: ___, ...others } = operation;
  const schema = schemas.bodyItemsOf(operation) ?? {};
  return { ...others, body: { required: true, examples: {}, ...body, schema } };
}

/** Makes an item to add of the fields of a body; the clock and the ids are those of the call. */
type ToNewItem = (
  fields: Fields,
  clock: Clock,
  ids: {
    inPath: string | undefined;
    inQuery: string | undefined;
    newId: string | undefined;
  },
) => NewItem;

/**
 * Creates the conversion of a body to a new item. The id is the next number of the collection, or
 * that of the body if callers choose ids.
 */
function createToNewItem(
  document: Api,
  resource: Resource,
  operation: Pick<Operation, 'path' | 'body' | 'otherBody' | 'parameters' | 'responses'>,
): ToNewItem {
  const { idProperty, idSchema, givenId, givenAs, givenBy } = resource;
  const take = createTakeItem(document, resource, operation);
  const fits = createFits(document, idSchema);
  const count: ToNewItem = (fields, clock, { newId = '' }) => {
    const preferred = [newId];
    const toItem = (n: number, within = n) => {
      const id = toItemId(within, idSchema);
      // Asked again, as an item has it, the next number counts.
      const wanted = preferred.pop() ?? '';
      // A rule may give ids that the document does not allow.
      const isGiven = isOfForm(wanted, id) && (fits(wanted) || !fits(id));
      const own = isGiven ? wanted : id;
      return take(fields, { id: own, seed: n, now: clock.now() });
    };
    return { toItem };
  };
  const isInBody = givenId !== undefined || givenAs !== undefined;
  if (!isInBody && givenBy === undefined) return count;
  const isText = idSchema.type === 'string';
  const [, start = ''] = /^([^/]+\/)[^/]+$/.exec(String(toItemId(1, idSchema))) ?? [];
  return (fields, clock, ids) => {
    const { inPath, inQuery } = ids;
    const isOptional = inQuery === undefined ? givenId === 'ifFree' : !states(operation, 409);
    if (inPath !== undefined) ensureSameId(resource, inPath, fields);
    const typed = inPath === undefined || isText ? inPath : (parseInteger(inPath) ?? inPath);
    const inBody = isInBody ? valueAt(fields, givenAs ?? idProperty) : undefined;
    const named = inQuery?.startsWith(start) ? inQuery : inQuery && start + inQuery;
    const id = named ?? (givenId === 'inPath' ? typed : inBody);
    if (!isId(id) || id === '' || (isOptional && isPlaceholder(id)))
      return count(fields, clock, ids);
    const item = take(fields, { id, seed: 1, now: clock.now() });
    const given = { item, number: toItemNumber(item.id, idSchema) };
    return isOptional ? { given, ...count(fields, clock, ids) } : { given };
  };
}

/** Whether a text has the length, the start (`cus_`) and the punctuation of an id. */
function isOfForm(text: string, id: string | number): boolean {
  const formOf = (one: string) => one.replaceAll(/[A-Za-z\d](?![A-Za-z\d]*_)/g, '0');
  return typeof id === 'string' && formOf(text) === formOf(id);
}

/** Whether an id is the placeholder of an unfilled form: empty, `string`, or a number below 1. */
function isPlaceholder(id: unknown): boolean {
  return id === '' || id === 'string' || Number(id) <= 0;
}

type ToAnswer = (
  call: Call,
  items: readonly ByteText[],
) => Answer | TextAnswer | Promise<Answer | TextAnswer>;

function createToAnswer(options: ItemOptions): ToAnswer {
  const answers = createItemAnswers(options);
  return (call, [json = noBytes]) => answers.done(call, json, true);
}

/**
 * Answers an operation on many items with these, with the last one, or with what else the document
 * describes, and with how many they are: `created` of `POST /pets/bulk`, `deletedCount`.
 */
export function createToAnswerOfMany(options: ItemOptions): ToAnswer {
  const { document, operation, resource } = options;
  const toAnswer = createToUncounted(options);
  const success = findSuccess(operation);
  const shown = document.schemas.flatten((success && heldSchemaOf(success)) ?? {});
  const verb = wordsOf(operation.kind ?? 'update')[0] ?? '';
  const done = [verb, ...wordsOf(lastWordOf(operation.path))].flatMap(formsOf);
  const name = Object.entries(shown.properties).find(
    ([one, schema]) =>
      done.includes(toPlainName(one).replace(/count$/, '')) &&
      document.schemas.allTypesOf(schema).includes('integer'),
  )?.[0];
  // An item may say when it was `created`.
  const isItem = document.schemas.describedAt(shown, resource.idProperty) !== undefined;
  if (name === undefined || isItem) return toAnswer;
  return async (call, items) => {
    const answer = await toAnswer(call, items);
    if (!('json' in answer) || answer.json === '') return answer;
    const counted = { ...(bodyOf(answer) as Fields), [name]: items.length };
    return { ...answer, json: toByteText(stringifyExact(counted)) };
  };
}

function createToUncounted(options: ItemOptions): ToAnswer {
  const { document, resource } = options;
  const { schemas } = document;
  // What holds items is called as in the path of the collection.
  const operation = { ...options.operation, path: resource.path };
  const described = findSuccess(operation);
  // Of many documents, the default response is that of errors.
  const success = described?.status === 'default' ? undefined : described;
  const byDefault = options.operation.kind === 'createMany' ? 201 : 200;
  if (!success) return (_, items) => ({ status: byDefault, json: toList(items) });
  const status = statusOf(success, operation);
  const [schema, listed] = [heldSchemaOf(success), schemas.itemsOf(operation)];
  const shown = listed && document.schemas.describeShown(listed);
  const isOpen = shown?.others?.includes('') === true;
  const showsId = shown && (isOpen || schemas.describedAt(shown, resource.idProperty));
  if (schema && showsId) {
    const { form } = schemas.findList(operation) ?? listRulesOf(undefined);
    const render = createRenderAll({ document, resource, response: success, form });
    return ({ url }, items) => ({ status, json: render(items, url) });
  }
  const answer = createOtherAnswer(success, { ...options, operation });
  const wrap = toWrap(success, { document, resource, operation });
  const mayList = schema && schemas.hasAlternatives(schema) && createFits(document, schema);
  return (call, items) => {
    const last = items.at(-1);
    const all = toList(items);
    if (mayList && Array.isArray(call.body) && mayList(parseExact(toText(all))))
      return { status, json: all };
    return wrap && last !== undefined ? { status, json: wrap(last) } : answer(call);
  };
}

function toList(items: readonly ByteText[]): ByteText {
  return `[${items.join(',')}]` as ByteText;
}
