import { findWrappedItem } from '../../contracts/description/collections/item-form.ts';
import { takesWhole } from '../../contracts/description/collections/operations-on.ts';
import { shownIn } from '../../contracts/description/collections/success.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { valueIn } from '../../contracts/description/property-path.ts';
import { isObject } from '../../contracts/description/schema.ts';
import { findSuccess } from '../documented/responses.ts';
import { ensureFields, ItemError } from '../items/item-edits.ts';
import { schemaOfItem } from '../items/item-schema.ts';
import { type Fields, fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { createTakeItem } from '../items/take-fields.ts';
import { type ByteText, parseExact, toText } from '../json/exact-json.ts';
import { compilerOf } from '../json/validator.ts';
import { withoutHidden } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';
import { createPatchItem } from './patch-item.ts';

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
  const { done } = createItemAnswers(operation, single, options);
  const toAnswer = (call: Call, json: ByteText) => done(call, withoutHidden(json));
  const idOf = createIdOf(operation);
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(name, idOf(call));
      return json === undefined ? toInitial.answer(call) : toAnswer(call, json);
    };
  const toChanged = createToChanged(single, operation, options);
  return async (call) => {
    const { store } = call;
    const id = idOf(call);
    for (let isTaken = false; ; isTaken = true) {
      const item = await store.change(name, id, (json) => toChanged(id, toFields(json), call));
      if (item) return toAnswer(call, item.json);
      const first = toChanged(id, await toInitial.fields(call), call);
      // Where another call changed it first meanwhile, that one is changed. One that is stored and
      // not to be seen here was imported with the parameters of another path, and is replaced.
      const outcome = await store.put(name, first, { ifFree: !isTaken });
      if (outcome !== 'taken') return toAnswer(call, first.json);
    }
  };
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
    await call.store.put(name, toStoredItem(mark, { marked }, idOf(call)));
    return answer(call);
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

type ToChanged = (id: string, before: Fields, call: Call) => StoredItem;

function createToChanged(
  single: Resource,
  operation: Operation,
  { document }: ItemOptions,
): ToChanged {
  const isPatch = operation.method === 'PATCH';
  const isWhole = takesWhole(document.raw, operation, single);
  const take = createTakeItem(document, single, operation);
  const validate = compilerOf(document)(schemaOfItem(single, { withId: false }), 'writeOnly');
  const patchItem = createPatchItem(document, single.item);
  return (id, before, call) => {
    const sent = ensureFields(isPatch ? patchItem(before, call) : (call.body ?? {}));
    const fields = isPatch || isWhole ? sent : { ...before, ...sent };
    const item = take(fields, { id, now: call.clock.now(), before, isPatch });
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
