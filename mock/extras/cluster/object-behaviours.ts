import { isObject } from '../../../common/json.ts';
import { oncePer } from '../../../common/once-per.ts';
import { lastWordOf } from '../../../common/path-template.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { collectionsOf } from '../../../openapi/model/api.ts';
import { idParameterOf } from '../../../openapi/model/resource.ts';
import { type Answer, toErrorAnswer, toJsonAnswer } from '../../answers/answer.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import { withinScopes } from '../../behaviours/scoped.ts';
import type { Step } from '../../call/steps.ts';
import { findSuccess } from '../../documented/responses.ts';
import { type Fields, fieldsOf, toStoredItem } from '../../items/stored-item.ts';
import { filterOf } from '../../state/scopes.ts';
import type { Store } from '../../state/store.ts';
import { type Change, feedOf } from './feed.ts';
import type { ObjectType, ObjectTypes } from './object-types.ts';
import {
  metadataOf,
  objectIn,
  toChangedObject,
  toJson,
  toNewObject,
  toObject,
  withObject,
} from './objects.ts';
import { readSelectors, SelectorError } from './selectors.ts';
import { toStatusAnswer, toSuccess } from './status-answers.ts';
import { toMergePatch } from './strategic-patch.ts';

/** An operation on objects of a type. */
export type ObjectOperation = { type: ObjectType; operation: Operation };

/** Intercepts what an operation does as one of its kind. */
export type ObjectStep = Step<'around kind'>;

export type ObjectOptions = {
  document: Api;
  types: ObjectTypes;
  /** Whether what is in a namespace goes with it. */
  cascades: boolean;
};

/** Lists the objects that selectors choose, all of them unless the query bounds a page. */
export function createListObjects(
  { type, operation }: ObjectOperation,
  { types }: ObjectOptions,
): Behaviour {
  const { kind, apiVersion } = types.shownBy(operation) ?? type;
  const selected = createSelect(type);
  return async (call) => {
    const { query } = call;
    const version = String(feedOf(call).version);
    const after = query.continue ? Number(query.continue) : 0;
    if (Number.isNaN(after))
      return toStatusAnswer({ status: 410, message: 'The list has no such page.' });
    const found = await selected(call, after);
    if ('status' in found) return found;
    const limit = Number(query.limit) > 0 ? Number(query.limit) : Number.POSITIVE_INFINITY;
    const page = found.slice(0, limit);
    const left = found.length - page.length;
    const more = { continue: String(page.at(-1)?.serial), remainingItemCount: left };
    const metadata = { resourceVersion: version, ...(left > 0 && more) };
    const items = page.map(({ object }) => object);
    return toJsonAnswer({ kind, apiVersion, metadata, items });
  };
}

/** Creates a function that finds the objects chosen by a call's selectors. */
function createSelect(type: ObjectType) {
  return async ({ store, query }: Call, after = 0): Promise<SelectedObject[] | Answer> => {
    try {
      const isSelected = readSelectors(query);
      const all = await store.listSerial(type.resource.name);
      const objects = all.map(({ serial, json }) => ({
        serial,
        object: toObject(type, fieldsOf(json)),
      }));
      return objects.filter(({ serial, object }) => serial > after && isSelected(object));
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      const message = `The selector cannot be read at "${error.message}".`;
      return toErrorAnswer('invalid_parameter', message);
    }
  };
}

type SelectedObject = { serial: number; object: Fields };

/** Shows an object with what each has. */
export function createReadObject({ type }: ObjectOperation): ObjectStep {
  return async (call, behave) => withObject(await behave(call), (fields) => toObject(type, fields));
}

/** Creates an object, named as the body says or begins to. */
export function createCreateObject({ type }: ObjectOperation): ObjectStep {
  return async (call, behave) => {
    const feed = feedOf(call);
    const stamp = { version: feed.next(), now: call.clock.now() };
    const body = toNewObject(type, isObject(call.body) ? call.body : {}, stamp);
    const answer = await behave({ ...call, body });
    const object = objectIn(answer);
    if (object) feed.note({ type: 'ADDED', collection: type.resource.name, object });
    return answer;
  };
}

/** The object changed since the caller read it. */
class ConflictError extends Error {}

/**
 * Changes an object, unless the body names an outdated version. Supports strategic patches, and
 * apply patches that may create the object.
 */
export function createChangeObject(
  { type, operation }: ObjectOperation,
  { document }: ObjectOptions,
): ObjectStep {
  const { resource } = type;
  const parameter = idParameterOf(operation) ?? '';
  return withConflicts(async (call, behave) => {
    const feed = feedOf(call);
    const id = call.params[parameter] ?? '';
    const contentType = call.source.headers['content-type'] ?? '';
    let { body } = call;
    if (operation.kind === 'update' && /^application\/(strategic|apply)/.test(contentType)) {
      const json = await call.store.get(resource.name, id);
      if (json === undefined && contentType.startsWith('application/apply'))
        return createApplied({ type, id }, call);
      const current = json && fieldsOf(json);
      body = toMergePatch(document.schemas, findSuccess(operation)?.schema, {
        current,
        patch: body,
      });
    }
    const change = changeObjects(type, { ...call, body });
    // What is not there is not created by a PUT.
    const addAll: Store['addAll'] = async () => ({ taken: id });
    const answer = await behave({ ...call, body, store: { ...call.store, change, addAll } });
    const object = objectIn(answer);
    if (object) feed.note({ type: 'MODIFIED', collection: resource.name, object });
    return answer;
  });
}

/** Answers a conflict of a change with 409. */
export function withConflicts<Others extends unknown[]>(
  act: (call: Call, ...others: Others) => ReturnType<Behaviour>,
): typeof act {
  return async (...call) => {
    try {
      return await act(...call);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      return toStatusAnswer({ status: 409, message: error.message });
    }
  };
}

/** A store's change of objects, each to a version of its own; of the one that the body names, if any. */
export function changeObjects(type: ObjectType, call: Call): Store['change'] {
  const { store, body } = call;
  const expected = isObject(body) ? metadataOf(body).resourceVersion : undefined;
  return (name, id, toItem) =>
    store.change(name, id, (json) => {
      const before = toObject(type, fieldsOf(json));
      const { resourceVersion } = metadataOf(before);
      if (expected && expected !== resourceVersion)
        throw new ConflictError(
          `Operation cannot be fulfilled on ${type.kind} "${id}": it is at version ${resourceVersion}, not ${expected}. Read it again, and change that.`,
        );
      const item = toItem(json);
      const changed = toChangedObject(fieldsOf(item.json), before, feedOf(call).next());
      return { ...item, json: toJson(changed) };
    });
}

async function createApplied(
  { type, id }: { type: ObjectType; id: string },
  call: Call,
): Promise<Answer> {
  const { store, clock, body } = call;
  const { resource } = type;
  const feed = feedOf(call);
  const given = isObject(body) ? body : {};
  const named = { ...given, metadata: { ...metadataOf(given), name: id } };
  const object = toNewObject(type, named, { version: feed.next(), now: clock.now() });
  await store.put(resource.name, toStoredItem(resource, object, id), { ifFree: true });
  const json = (await store.get(resource.name, id)) ?? toJson(object);
  feed.note({ type: 'ADDED', collection: resource.name, object: fieldsOf(json) });
  return { status: 201, json };
}

/** Deletes an object and its contents. The answer is the object or a success status. */
export function createDeleteObject(
  { type, operation }: ObjectOperation,
  options: ObjectOptions,
): ObjectStep {
  const { resource } = type;
  const parameter = idParameterOf(operation) ?? '';
  const isShown = options.types.shownBy(operation)?.kind === type.kind;
  const clear = createClear(options);
  return async (call, behave) => {
    const json = await call.store.get(resource.name, call.params[parameter] ?? '');
    const answer = await behave(call);
    if (json === undefined || answer.status >= 300) return answer;
    const object = toObject(type, fieldsOf(json));
    await clear(type, call, object);
    if (isShown) return withObject(answer, (fields) => toObject(type, fields));
    const { name, uid } = metadataOf(object);
    const details = { name, kind: lastWordOf(resource.path), uid };
    return toJsonAnswer(toSuccess(details));
  };
}

/** Deletes the objects that selectors choose. */
export function createDeleteObjects(
  { type, operation }: ObjectOperation,
  options: ObjectOptions,
): Behaviour {
  const { document } = options;
  const { resource } = type;
  const selected = createSelect(type);
  const clear = createClear(options);
  const removeAll: Behaviour = async (call) => {
    const found = await selected(call);
    if ('status' in found) return found;
    for (const { object } of found)
      if (await call.store.remove(resource.name, String(metadataOf(object).name)))
        await clear(type, call, object);
    return toJsonAnswer(toSuccess({ kind: lastWordOf(resource.path) }));
  };
  return withinScopes(removeAll, { document, resource, operation });
}

/** Creates a function that records the deletion of an object, and deletes the objects in it. */
function createClear({ document, types, cascades }: ObjectOptions) {
  const innerOf = oncePer(({ resource }: ObjectType) =>
    collectionsOf(document).flatMap((inner) => {
      const [outer] = inner.scope ?? [];
      const type = types.typeAt(inner.path);
      const isIn = inner.path.split('{')[0]?.endsWith(`/${lastWordOf(resource.path)}/`);
      return cascades && outer && type && isIn ? [{ type, filter: filterOf(outer) }] : [];
    }),
  );
  return async (type: ObjectType, call: Call, object: Fields): Promise<void> => {
    const { store } = call;
    const feed = feedOf(call);
    const note = (collection: string, gone: Fields) => {
      const metadata = { ...metadataOf(gone), resourceVersion: feed.next() };
      const change: Change = { type: 'DELETED', collection, object: { ...gone, metadata } };
      feed.note(change);
    };
    note(type.resource.name, object);
    for (const { type: inner, filter } of innerOf(type)) {
      const { name } = inner.resource;
      const filters = { [filter]: String(metadataOf(object).name) };
      for (const json of await store.list(name, { filters }))
        note(name, toObject(inner, fieldsOf(json)));
      await store.removeAll(name, { filters });
    }
  };
}
