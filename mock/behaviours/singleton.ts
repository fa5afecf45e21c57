import { isObject, stringifyExact } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Operation, Resource } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { shownIn } from '../../openapi/model/operation.ts';
import { findSuccess, states } from '../documented/responses.ts';
import { type Fields, fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { type ByteText, toByteText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import { withoutHidden } from '../state/scopes.ts';
import type { ItemStore, StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';
import { createReplaceBehaviour } from './replace.ts';
import { createUpdateBehaviour } from './update.ts';

/** The member of what is stored of a singleton that was deleted. */
const goneMember = '{gone}';

/**
 * Reads, changes or deletes the singleton at a path like an item. Before its first change, nothing is
 * stored and the answer comes from the document; and so it does after it was deleted, if the document
 * describes no 404.
 */
export function createSingletonBehaviour(options: ItemOptions): Behaviour {
  const { resource: single, operation } = options;
  const toInitial = createToInitial(options);
  const { idOf, done, missing } = createItemAnswers(options);
  const isGone = (json: ByteText | undefined) => json && fieldsOf(json)[goneMember] === true;
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(single.name, idOf(call));
      if (isGone(json) && states(operation, 404)) return missing(call);
      return json === undefined || isGone(json)
        ? toInitial.answer(call)
        : done(call, withoutHidden(json));
    };
  if (operation.method === 'DELETE') {
    const answer = createFromDocumentBehaviour(options);
    return async (call) => {
      const id = idOf(call);
      const json = await call.store.get(single.name, id);
      if (isGone(json) && states(operation, 404)) return missing(call);
      const stored = toStoredItem({ ...single, isOpen: true }, { [goneMember]: true }, id);
      await call.store.put(single.name, stored);
      return answer(call);
    };
  }
  const createChange =
    operation.method === 'PATCH' ? createUpdateBehaviour : createReplaceBehaviour;
  const change = createChange(options);
  return (call) => {
    const toFirst = () => toInitial.fields(call);
    return change({
      ...call,
      store: { ...call.store, change: changeSingle(call.store, single, toFirst) },
    });
  };
}

/** A store's change of a single object, which is there before it is stored. */
function changeSingle(
  store: ItemStore,
  single: Resource,
  toFirst: () => Promise<Fields>,
): ItemStore['change'] {
  return async (name, id, toItem) => {
    const toOwn = (fields: Fields) => toItem(toStoredItem(single, fields, id).json);
    const shown = (item: StoredItem) => ({ ...item, json: withoutHidden(item.json) });
    for (let isTaken = false; ; isTaken = true) {
      const item = await store.change(name, id, (json) => toOwn(toFields(json)));
      if (item) return shown(item);
      const first = toOwn(await toFirst());
      // Where another call changed it first meanwhile, that one is changed. One that is stored and
      // not to be seen here was imported with the parameters of another path, and is replaced.
      const outcome = await store.put(name, first, { ifFree: !isTaken });
      if (outcome !== 'taken')
        return shown({ ...first, json: (await store.get(name, id)) ?? first.json });
    }
  };
}

/**
 * Says whether something is there, and makes it so or ends it. Until either was done, it is there, as
 * the success of its GET says.
 */
export function createMarkBehaviour(options: ItemOptions): Behaviour {
  const { resource: mark, operation } = options;
  const { name } = mark;
  const answer = createFromDocumentBehaviour(options);
  const { idOf, missing } = createItemAnswers(options);
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(name, idOf(call));
      return json && toFields(json).marked === false ? missing(call) : answer(call);
    };
  const marked = operation.method !== 'DELETE';
  return async (call) => {
    await call.store.put(name, toStoredItem(mark, { marked }, idOf(call)));
    return answer(call);
  };
}

/** Shows, replaces or deletes the value at a path, which is no object. */
export function createValueBehaviour(options: ItemOptions): Behaviour {
  const { document, resource: value, operation } = options;
  const { name } = value;
  const answer = createFromDocumentBehaviour(options);
  const { idOf, missing } = createItemAnswers(options);
  const success = findSuccess(operation);
  const schema = success && heldSchemaOf(success);
  const show = async (call: Call, own: unknown) => {
    const answered = await answer(call);
    const isShown = schema !== undefined && own !== undefined && fits(document, schema, own);
    return isShown ? { ...answered, json: toByteText(stringifyExact(own)) } : answered;
  };
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(name, idOf(call));
      const stored = json && fieldsOf(json);
      if (stored?.[goneMember] && states(operation, 404)) return missing(call);
      return show(call, stored?.value);
    };
  return async (call) => {
    const isGone = operation.method === 'DELETE';
    const fields = isGone ? { [goneMember]: true } : { value: call.body };
    await call.store.put(name, toStoredItem({ ...value, isOpen: true }, fields, idOf(call)));
    return isGone ? answer(call) : show(call, call.body);
  };
}

/**
 * Creates the initial state of a singleton: the answer that the document describes, and its fields.
 */
function createToInitial({ document, resource: { operations }, ...options }: ItemOptions) {
  const operation = operations.read as Operation;
  const answer = createFromDocumentBehaviour({ ...options, document, operation });
  const wrapped = document.schemas.findWrappedItem(
    findSuccess(operation)?.schema,
    shownIn(operation),
  );
  return {
    answer,
    async fields(call: Call): Promise<Fields> {
      // What the call sends is not yet there, and some of it may not be set.
      const made = await answer({ ...call, body: undefined });
      const whole = 'json' in made ? toFields(made.json) : {};
      return wrapped ? ((valueIn(whole, wrapped.pointer) ?? {}) as Fields) : whole;
    },
  };
}

function toFields(json: ByteText): Fields {
  const value: unknown = json === '' ? {} : fieldsOf(json);
  if (!isObject(value)) return {};
  const { [goneMember]: _, ...fields } = value;
  return fields;
}
