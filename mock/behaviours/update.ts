import { isObject, isSame } from '../../common/json.ts';
import { fromToken } from '../../common/json-pointer.ts';
import { mergePatchType } from '../../common/media-type.ts';
import { once } from '../../common/once-per.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, FlatSchema, Operation, Resource, Schema } from '../../openapi/index.ts';
import { isNaturalKey } from '../../openapi/model/id-form.ts';
import { findSuccess } from '../documented/responses.ts';
import {
  ensureFields,
  ensureHasId,
  ensureLength,
  ItemError,
  maxPatched,
} from '../items/item-edits.ts';
import { itemRulesOf } from '../items/item-rules.ts';
import { schemaOfItem } from '../items/item-schema.ts';
import { type Fields, fieldsOf, isId, toItemNumber, toStoredItem } from '../items/stored-item.ts';
import { createTakeItem, type TakeItem } from '../items/take-fields.ts';
import { type ByteText, parseExact, toIdText, toText } from '../json/exact-json.ts';
import { applyJsonPatch } from '../json/json-patch.ts';
import { applyChanges, findChanges } from '../json/listed-changes.ts';
import { compilerOf, fits, type Problem } from '../json/validator.ts';
import { IdTakenError, type ItemStore, type StoredItem } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import {
  createItemAnswers,
  createOtherAnswer,
  type ItemOptions,
  toTakenAnswer,
} from './item-answers.ts';

/** An item to update: its id, the time in Unix milliseconds, the rules for its fields, and the patch. */
type Target = { id: string; now: number; take: TakeItem; body: unknown };

/**
 * Changes the item that has the id in the path by a merge patch (RFC 7396) or, where the document
 * names that media type, a JSON Patch (RFC 6902). What comes of it must fit the schema of the item,
 * or nothing changes.
 */
export function createUpdateBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const { name, idProperty, idSchema } = resource;
  const answers = createItemAnswers(options);
  const { body: described } = operation;
  const isMerge =
    described === undefined ||
    (operation.method === 'PATCH' &&
      [mergePatchType, 'application/json'].some((type) => described.mediaTypes?.includes(type)));
  // The item says what a JSON Patch may set: the schema of the body is that of its operations, or
  // that of another media type.
  const takeAny = createTakeItem(document, resource, {
    path: operation.path,
    parameters: [],
  });
  const takeMerged = isMerge ? createTakeItem(document, resource, operation) : takeAny;
  const validate = compilerOf(document)(schemaOfItem(resource), 'writeOnly');
  const { findProblems, toValid } = itemRulesOf(document)(resource);
  const problemsOf = (text: string): Problem[] => {
    const found = validate(parseExact(text), text.length);
    return found ?? (resource.isOpen ? undefined : findProblems(text)) ?? [];
  };
  const isContradicted = createIsContradicted(document, operation, resource);
  const newId = newIdOf(document, resource, operation);
  const unset = createUnset(document, operation);
  const changesAt =
    operation.method === 'PATCH' ? findChanges(document.schemas, operation) : undefined;
  const patchItem = createPatchItem(document, resource.item);
  const toUpdated = (
    { id, now, take, body }: Target,
    json: ByteText,
    patch: (text: string) => unknown,
  ): StoredItem => {
    const text = toText(json);
    const fields = ensureFields(patch(text));
    ensureHasId(resource, id, fields);
    const before = parseExact(text) as Fields;
    const own = valueAt(before, idProperty);
    const item = take(fields, { id: own, now, before, isPatch: true, patch: body });
    ensureLength(item.json);
    const problems = problemsOf(toText(item.json));
    // Not every schema can be met by what an item begins with.
    const known = problems.length > 0 ? problemsOf(text) : [];
    const whole = fieldsOf(item.json);
    const isKept = ({ pointer }: Problem) => {
      const keys = pointer.split('/').slice(1).map(fromToken);
      const own = valueIn(before, keys);
      return pointer !== '' && own !== undefined && isSame(own, valueIn(whole, keys));
    };
    const isKnown = (found: Problem) =>
      known.length > 0 && (isKept(found) || known.some(({ problem }) => problem === found.problem));
    const added = problems.filter((one) => !isKnown(one));
    const others = added.filter((one) => !isContradicted(one));
    if (others.length > 0) throw new ItemError(others);
    if (added.length === 0 || resource.isOpen) return item;
    const seed = toItemNumber(item.id, idSchema) ?? 1;
    return toStoredItem(resource, withAdded(whole, toValid(whole, seed)) as Fields, own);
  };
  // A body that may name no item, and names none, changes nothing.
  const answerUnnamed = once(() => {
    const success = findSuccess(operation);
    return success && createOtherAnswer(success, options);
  });
  return async (call) => {
    const { store, clock, body = {} } = call;
    const id = answers.idOf(call);
    const answer = id === '' ? answerUnnamed() : undefined;
    if (answer) return answer(call);
    const isJsonPatch = Array.isArray(body) && operation.body?.jsonPatch !== undefined;
    const listed = changesAt !== undefined && isObject(body) ? body[changesAt] : undefined;
    const changes = Array.isArray(listed) ? listed : undefined;
    const take = isJsonPatch || changes ? takeAny : takeMerged;
    const target = { id, now: clock.now(), take, body: changes ? {} : body };
    const given = newIdIn(body, newId);
    // A new name is set after all else.
    const own = given !== undefined && newId === idProperty ? { [idProperty]: id } : {};
    const sent = isObject(body) ? { ...call, body: { ...body, ...own } } : call;
    const patch = (text: string) =>
      isJsonPatch
        ? applyJsonPatch(text, body, maxPatched)
        : changes
          ? applyChanges(parseExact(text), changes)
          : unset(patchItem(parseExact(text), sent));
    const toChanged = (json: ByteText) => toUpdated(target, json, patch);
    const rename = async (own: ItemStore) => {
      const isTaken = toIdText(given) !== id && (await own.get(name, toIdText(given)));
      return own.change(name, id, (json) => {
        if (isTaken) throw new IdTakenError();
        const renamed = toStoredItem(resource, fieldsOf(toChanged(json).json), given);
        return { ...renamed, number: toItemNumber(renamed.id, idSchema) };
      });
    };
    try {
      const isRenamed = given !== undefined;
      const item = await (isRenamed ? store.transact(rename) : store.change(name, id, toChanged));
      return item ? answers.done(call, item.json) : answers.missing(call);
    } catch (error) {
      if (!(error instanceof IdTakenError)) throw error;
      return toTakenAnswer({ resource, operation }, String(given), newId);
    }
  };
}

/**
 * Creates a test for problems of what bodies have otherwise than answers: properties of other types,
 * and members of parts that bodies describe. What a document allows is not refused.
 */
function createIsContradicted({ schemas }: Api, operation: Operation, { item }: Resource) {
  const { properties } = schemas.flatten(schemas.bodySchemaOf(operation));
  const membersOf = (schema: Schema) => schemas.describeSchema(schema).properties;
  const partAt = (whole: Schema, keys: readonly string[]) =>
    keys.reduce<Schema | undefined>(
      (schema, key) =>
        schema && (membersOf(schema)[key] ?? (schemas.resolve(schema).items as Schema | undefined)),
      whole,
    );
  return ({ pointer }: Problem) => {
    const [name = '', ...inner] = pointer.split('/').slice(1).map(fromToken);
    const [sent, shown] = [properties[name], item.properties[name]];
    if (!sent || !shown) return false;
    const [asSent, asShown] = [partAt(sent, inner), partAt(shown, inner)];
    if (asSent && asShown && !schemas.shareType(asSent, asShown)) return true;
    const holder = partAt(sent, inner.slice(0, -1));
    return inner.length > 0 && holder !== undefined && Object.keys(membersOf(holder)).length > 0;
  };
}

/** Adds the members of a valid value to one that lacks them, at any depth; nothing is replaced. */
function withAdded(value: unknown, valid: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(valid))
    return value.map((one, index) => withAdded(one, valid[index]));
  if (!isObject(value) || !isObject(valid)) return value;
  const all = { ...valid, ...value };
  return Object.fromEntries(
    Object.entries(all).map(([name, own]) => [name, withAdded(own, valid[name])]),
  );
}

/** Applies the merge patch (RFC 7396) in a body to an item. */
type PatchItem = (item: unknown, call: Pick<Call, 'body' | 'source'>) => unknown;

/**
 * Creates a patch function that keeps some nulls that an item may have. Plain JSON keeps all of
 * them, a merge patch those of required properties.
 */
function createPatchItem(document: Api, item: FlatSchema): PatchItem {
  const merge = (
    target: unknown,
    patch: unknown,
    { properties, required }: FlatSchema,
    isMerge: boolean,
  ): unknown => {
    if (!isObject(patch)) return patch;
    const fields = new Map(Object.entries(isObject(target) ? target : {}));
    for (const [name, value] of Object.entries(patch)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const mayKeep = schema && (!isMerge || required.includes(name));
      if (value === null && !(mayKeep && fits(document, schema, null))) fields.delete(name);
      else if (isObject(value))
        fields.set(
          name,
          merge(fields.get(name), value, document.schemas.describeSchema(schema ?? {}), isMerge),
        );
      else fields.set(name, value);
    }
    return Object.fromEntries(fields);
  };
  return (target, { body = {}, source }) => {
    const isMerge = /^[^;]*merge-patch\+json/i.test(source.headers['content-type'] ?? '');
    return merge(target, body, item, isMerge);
  };
}

/**
 * Finds the property of a body that gives an item another id, such as `new_name`, or the name that
 * identifies it, if a body may leave that out or names a copy.
 */
export function newIdOf(
  { schemas }: Api,
  { idProperty, isSingle }: Resource,
  operation: Operation,
): string | undefined {
  if (isSingle) return undefined;
  const { properties, required } = schemas.flatten(schemas.bodySchemaOf(operation));
  const isNew = (name: string) => toPlainName(name) === `new${toPlainName(idProperty)}`;
  const isOwn = (name: string) =>
    name === idProperty && isNaturalKey(name) && (operation.copies || !required.includes(name));
  const isSettable = (name: string) => !schemas.isMarked(properties[name] ?? {}, 'readOnly');
  const names = Object.keys(properties).filter(isSettable);
  return names.find(isNew) ?? names.find(isOwn);
}

/** Reads the new id of an item from that property of a body; undefined if it gives none. */
export function newIdIn(body: unknown, newId: string | undefined) {
  const given = newId !== undefined && isObject(body) ? body[newId] : undefined;
  return isId(given) && given !== '' ? given : undefined;
}

/** Words that say that an empty text removes what it is sent for. */
const unsetsByEmpty = /\b(unset|remov|clear|delet)\w*\b[^.]*\b(empty|blank)\b/i;

/**
 * Creates a step that removes empty texts from maps whose description says that empty texts unset.
 * An empty text instead of such a map empties the map.
 */
function createUnset({ schemas }: Api, operation: Operation): (patched: unknown) => unknown {
  const { properties } = schemas.flatten(schemas.bodySchemaOf(operation));
  const names = Object.keys(properties).filter((name) => {
    const { description = '' } = schemas.resolve(properties[name] ?? {});
    const isMap = schemas.objectAlternative(properties[name] ?? {})?.type === 'object';
    return isMap && unsetsByEmpty.test(description);
  });
  return (patched) => {
    if (names.length === 0 || !isObject(patched)) return patched;
    const kept: Record<string, unknown> = { ...patched };
    for (const name of names) {
      const { [name]: value } = patched;
      const members = isObject(value) ? Object.entries(value) : [];
      if (value === '' || isObject(value))
        kept[name] = Object.fromEntries(members.filter(([, one]) => one !== ''));
    }
    return kept;
  };
}
