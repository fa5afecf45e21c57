import {
  isNumber,
  objectAlternative,
} from '../../contracts/description/collections/schema-types.ts';
import { bodySchemaOf } from '../../contracts/description/collections/success.ts';
import { toPlainName } from '../../contracts/description/collections/words.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { mergePatchType } from '../../contracts/description/operation.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { flatten, isObject, resolve } from '../../contracts/description/schema.ts';
import { toOutOfRoomAnswer } from '../answers/answer.ts';
import {
  ensureFields,
  ensureHasId,
  ensureLength,
  ItemError,
  maxPatched,
} from '../items/item-edits.ts';
import { schemaOfItem } from '../items/item-schema.ts';
import { type Fields, fieldsOf, toItemNumber, toStoredItem } from '../items/stored-item.ts';
import { createTakeFields, type TakeFields } from '../items/take-fields.ts';
import { type ByteText, parseExact, toText } from '../json/exact-json.ts';
import { applyJsonPatch, JsonPatchError } from '../json/json-patch.ts';
import { mergePatch } from '../json/merge-patch.ts';
import type { StoredItem } from '../state/store.ts';
import type { Behaviour } from './behaviour.ts';
import { toTakenAnswer } from './create.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';
import { createKeepNulls } from './keep-nulls.ts';

/** Which item is updated, when, in Unix milliseconds, and what may set its fields. */
type Target = { id: string; now: number; take: TakeFields };

/**
 * Changes the item that has the id in the path by a merge patch (RFC 7396) or, where the document
 * names that media type, a JSON Patch (RFC 6902). What comes of it must fit the schema of the item,
 * or nothing changes.
 */
export function createUpdateBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name, idProperty, idSchema } = resource;
  const answers = createItemAnswers(operation, resource, options);
  const { body: described } = operation;
  const isMerge =
    described === undefined ||
    (operation.method === 'PATCH' &&
      [mergePatchType, 'application/json'].some((type) => described.mediaTypes?.includes(type)));
  // What a JSON Patch may set, the item says: the schema of the body is that of its operations, or
  // that of another media type.
  const takeAny = createTakeFields(options.document, resource, {
    path: operation.path,
    parameters: [],
  });
  const takeMerged = isMerge ? createTakeFields(options.document, resource, operation) : takeAny;
  const validate = options.compileSchema(schemaOfItem(resource), 'writeOnly');
  const newId = newIdOf(options.document, resource, operation);
  const unset = createUnset(options.document, operation);
  const keepNulls = createKeepNulls(options.document, resource.item, options.compileSchema);
  const toUpdated = (
    { id, now, take }: Target,
    json: ByteText,
    patch: (text: string) => unknown,
  ): StoredItem => {
    const text = toText(json);
    const patched = ensureFields(patch(text));
    const fields = described ? patched : readNumbers(patched, resource, options.document);
    ensureHasId(resource, id, fields);
    const before = parseExact(text).value as Fields;
    const seed = toItemNumber(id, idSchema) ?? 1;
    const own = valueAt(before, idProperty);
    const taken = take(fields, { id: own, seed, now, before, isPatch: true });
    const item = toStoredItem(resource, taken, own);
    ensureLength(item.json);
    const problems = validate(parseExact(toText(item.json)).doubles, item.json.length) ?? [];
    // Not every schema can be met by what an item begins with.
    const known = problems.length > 0 ? validate(parseExact(text).doubles, text.length) : undefined;
    const others = problems.filter(({ problem }) => !known?.some((one) => one.problem === problem));
    if (others.length > 0) throw new ItemError(others);
    return item;
  };
  return async (call) => {
    const { store, clock, body = {} } = call;
    const id = answers.idOf(call);
    const isJsonPatch = Array.isArray(body) && operation.body?.jsonPatch !== undefined;
    const target = { id, now: clock.now(), take: isJsonPatch ? takeAny : takeMerged };
    const patch = (text: string) =>
      isJsonPatch
        ? applyJsonPatch(text, body, maxPatched)
        : unset(keepNulls(mergePatch(parseExact(text).value, body), call));
    try {
      const given = newId && isObject(body) ? body[newId] : undefined;
      const isRenamed = given !== undefined && String(given) !== id;
      if (isRenamed && (await store.get(name, String(given))) !== undefined)
        return toTakenAnswer(resource, operation, String(given));
      const item = await store.change(name, id, (json) => toUpdated(target, json, patch));
      if (!item) return answers.missing(call);
      if (!isRenamed) return await answers.done(call, item.json);
      const renamed = toStoredItem(resource, fieldsOf(item.json), given);
      if ((await store.put(name, renamed, { ifFree: true })) === 'taken')
        return toTakenAnswer(resource, operation, String(given));
      await store.remove(name, id);
      return await answers.done(call, renamed.json);
    } catch (error) {
      if (error instanceof ItemError) return answers.unfit(error);
      if (error instanceof JsonPatchError)
        return answers.unfit(new ItemError([{ pointer: '', problem: error.message }]));
      return toOutOfRoomAnswer(error);
    }
  };
}

/** The property of a body that gives an item another id, such as `new_name`. */
function newIdOf({ raw }: ApiDocument, { idProperty }: Resource, operation: Operation) {
  const { properties } = flatten(raw, bodySchemaOf(raw, operation));
  return Object.keys(properties).find(
    (name) => toPlainName(name) === `new${toPlainName(idProperty)}`,
  );
}

/** Words that say that an empty text removes what it is sent for. */
const unsetsByEmpty = /\b(unset|remov|clear|delet)\w*\b[^.]*\b(empty|blank)\b/i;

/** Makes what takes out what empty texts remove, where the document says so of a property. */
function createUnset({ raw }: ApiDocument, operation: Operation): (patched: unknown) => unknown {
  const { properties } = flatten(raw, bodySchemaOf(raw, operation));
  const names = Object.keys(properties).filter((name) => {
    const { description = '' } = resolve(raw, properties[name] ?? {});
    const isMap = objectAlternative(raw, properties[name] ?? {})?.type === 'object';
    return isMap && unsetsByEmpty.test(description);
  });
  return (patched) => {
    if (names.length === 0 || !isObject(patched)) return patched;
    const kept = Object.entries(patched).map(([name, value]) => {
      if (!names.includes(name) || !(value === '' || isObject(value))) return [name, value];
      return [
        name,
        Object.fromEntries(Object.entries(value || {}).filter(([, one]) => one !== '')),
      ];
    });
    return Object.fromEntries(kept);
  };
}

/**
 * Reads the texts of a form that stand for numbers where items have numbers: the schema of the form
 * may say that they are texts.
 */
function readNumbers(fields: Fields, { item }: Resource, { raw }: ApiDocument): Fields {
  const read = Object.entries(fields).map(([name, value]) => {
    const isWritten = typeof value === 'string' && String(Number(value)) === value;
    const isRead = isWritten && isNumber(objectAlternative(raw, item.properties[name] ?? {}));
    return [name, isRead ? Number(value) : value] as const;
  });
  return Object.fromEntries(read);
}
