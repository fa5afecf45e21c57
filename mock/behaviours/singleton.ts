import { findWrappedItem } from '../../contracts/description/collections/item-form.ts';
import { takesWhole } from '../../contracts/description/collections/operations-on.ts';
import { shownIn } from '../../contracts/description/collections/success.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { valueIn } from '../../contracts/description/property-path.ts';
import { isObject } from '../../contracts/description/schema.ts';
import { toOutOfRoomAnswer } from '../answers/answer.ts';
import { findSuccess } from '../documented/responses.ts';
import { ensureFields, ItemError } from '../items/item-edits.ts';
import { schemaOfItem } from '../items/item-schema.ts';
import { type Fields, fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { createTakeFields } from '../items/take-fields.ts';
import { type ByteText, parseExact, toText } from '../json/exact-json.ts';
import { mergePatch } from '../json/merge-patch.ts';
import { withoutHidden } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';
import { createKeepNulls } from './keep-nulls.ts';
import { withUnwrappedBody } from './wrapped-items.ts';

/**
 * Shows or changes the one object at a path. Until it is changed first, it is what the document says
 * of it: nothing is stored.
 */
export function createSingletonBehaviour(
  single: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name } = single;
  const toInitial = createToInitial(single, options);
  const { done, unfit } = createItemAnswers(operation, single, options);
  const toAnswer = (call: Call, json: ByteText) => done(call, withoutHidden(json));
  const idOf = createIdOf(operation);
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(name, idOf(call));
      return json === undefined ? toInitial.answer(call) : toAnswer(call, json);
    };
  const toChanged = createToChanged(single, operation, options);
  const change: Behaviour = async (call) => {
    const { store, clock, body, source } = call;
    const id = idOf(call);
    const changed = (before: Fields) =>
      toChanged(id, clock.now(), { before, body: body ?? {}, source });
    try {
      for (let isTaken = false; ; isTaken = true) {
        const item = await store.change(name, id, (json) => changed(toFields(json)));
        if (item) return await toAnswer(call, item.json);
        const first = changed(await toInitial.fields(call));
        // Where another call changed it first meanwhile, that one is changed. One that is stored and
        // not to be seen here was imported with the parameters of another path, and is replaced.
        const outcome = await store.put(name, first, { ifFree: !isTaken });
        if (outcome !== 'taken') return await toAnswer(call, first.json);
      }
    } catch (error) {
      if (error instanceof ItemError) return unfit(error);
      return toOutOfRoomAnswer(error);
    }
  };
  return withUnwrappedBody(change, { ...options, operation });
}

/**
 * Says whether something is there, and makes it so or ends it. Until either was done, it is there, as
 * the success of its GET says.
 */
export function createMarkBehaviour(
  mark: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name } = mark;
  const answer = createFromDocumentBehaviour(options.document, operation, options);
  const { missing } = createItemAnswers(operation, mark, options);
  const idOf = createIdOf(operation);
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(name, idOf(call));
      return json && toFields(json).marked === false ? missing(call) : answer(call);
    };
  const marked = operation.method !== 'DELETE';
  return async (call) => {
    try {
      await call.store.put(name, toStoredItem(mark, { marked }, idOf(call)));
      return await answer(call);
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

/**
 * The values of the parameters in the path, a slash in front of each and none in them, so that no two
 * paths have the same. None is a number that could be counted.
 */
function createIdOf({ path }: Operation): (call: Call) => string {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return ({ params }) =>
    names.map((one) => `/${encodeURIComponent(params[one] ?? '')}`).join('') || '/';
}

type Change = { before: Fields } & Pick<Call, 'body' | 'source'>;

function createToChanged(
  single: Resource,
  operation: Operation,
  { document, compileSchema }: ItemOptions,
): (id: string, now: number, change: Change) => StoredItem {
  const isPatch = operation.method === 'PATCH';
  const isWhole = takesWhole(document.raw, operation, single);
  const take = createTakeFields(document, single, operation);
  const validate = compileSchema(schemaOfItem(single, { withId: false }), 'writeOnly');
  const keepNulls = createKeepNulls(document, single.item, compileSchema);
  return (id, now, change) => {
    const { before, body } = change;
    const sent = isPatch ? keepNulls(mergePatch(before, body), change) : body;
    const fields = isPatch || isWhole ? ensureFields(sent) : { ...before, ...ensureFields(sent) };
    const item = toStoredItem(single, take(fields, { id, seed: 1, now, before, isPatch }), id);
    const problems = isPatch && validate(parseExact(toText(item.json)).doubles, item.json.length);
    if (problems) throw new ItemError(problems);
    return item;
  };
}

/** What it is before it is changed: the answer that the document describes, and its fields. */
function createToInitial({ operations: { read } }: Resource, options: ItemOptions) {
  const { document } = options;
  const operation = read as Operation;
  const answer = createFromDocumentBehaviour(document, operation, options);
  const wrapped = findWrappedItem(document.raw, findSuccess(operation)?.schema, shownIn(operation));
  return {
    answer,
    async fields(call: Call): Promise<Fields> {
      const made = await answer(call);
      const whole = 'json' in made ? toFields(made.json) : {};
      return wrapped ? ((valueIn(whole, wrapped.pointer) ?? {}) as Fields) : whole;
    },
  };
}

function toFields(json: ByteText): Fields {
  const value: unknown = json === '' ? {} : fieldsOf(json);
  return isObject(value) ? value : {};
}
