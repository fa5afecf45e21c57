import {
  objectAlternative,
  typesOf,
} from '../../contracts/description/collections/schema-types.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { fromToken, toToken } from '../../contracts/description/json-pointer.ts';
import { mergePatchType } from '../../contracts/description/operation.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { ensureFields, ensureHasId, ItemError, maxPatched } from '../items/item-edits.ts';
import { schemaOfItem } from '../items/item-schema.ts';
import { toItemNumber, toStoredItem } from '../items/stored-item.ts';
import { createTakeFields, type TakeFields } from '../items/take-fields.ts';
import { type ByteText, parseExact, toText } from '../json/exact-json.ts';
import { applyJsonPatch, JsonPatchError } from '../json/json-patch.ts';
import { mergePatch } from '../json/merge-patch.ts';
import type { Problem } from '../json/validator.ts';
import type { StoredItem } from '../state/store.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';
import { createKeepNulls } from './keep-nulls.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Which item is updated, when, in Unix milliseconds, and what may set its fields. */
type Target = { id: string; now: number; take: TakeFields | undefined };

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
  const { body: json } = operation;
  const isMerge =
    json === undefined ||
    (operation.method === 'PATCH' &&
      [mergePatchType, 'application/json'].some((type) => json.mediaTypes?.includes(type)));
  // What a JSON Patch may set, the item says: the schema of the body is that of its operations, or
  // that of another media type.
  const takeAny = createTakeFields(options.document, resource, { path: operation.path });
  const takeMerged = isMerge ? createTakeFields(options.document, resource, operation) : takeAny;
  const validate = options.compileSchema(schemaOfItem(resource), 'writeOnly');
  const keepNulls = createKeepNulls(options.document, resource.item, options.compileSchema);
  const toUpdated = (
    target: Target,
    json: ByteText,
    patch: (text: string) => unknown,
  ): StoredItem => {
    const text = toText(json);
    const fields = ensureFields(patch(text));
    ensureHasId(resource, target.id, fields);
    return toFitting(target, text, fields);
  };
  const toFitting = (target: Target, text: string, fields: Fields): StoredItem => {
    const { id, now, take } = target;
    const before = parseExact(text).value as Fields;
    const seed = toItemNumber(id, idSchema) ?? 1;
    const own = valueAt(before, idProperty);
    const taken = take?.(fields, { id: own, seed, now, before, isPatch: true });
    const item = toStoredItem(resource, taken ?? fields, own);
    if (item.json.length > maxPatched) throw tooLong(item.json.length);
    const problems = validate(parseExact(toText(item.json)).doubles, item.json.length);
    const numbers =
      problems && operation.body === undefined && readNumbers(fields, problems, resource, options);
    if (numbers) return toFitting(target, text, numbers);
    if (problems) ensureOwnProblems(problems, validate(parseExact(text).doubles, text.length));
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
        : keepNulls(mergePatch(parseExact(text).value, body), call);
    try {
      const item = await store.change(name, id, (json) => toUpdated(target, json, patch));
      return item ? await answers.done(call, item.json) : answers.missing(call);
    } catch (error) {
      if (error instanceof ItemError) return answers.unfit(error);
      if (error instanceof JsonPatchError)
        return answers.unfit(new ItemError([{ pointer: '', problem: error.message }]));
      return toOutOfRoomAnswer(error);
    }
  };
}

/**
 * Reads the texts of a form that stand for numbers where the item has numbers: the schema of the form
 * may say that they are texts. Undefined where there are none.
 */
function readNumbers(
  fields: Fields,
  problems: readonly Problem[],
  { item }: Resource,
  { document }: ItemOptions,
): Fields | undefined {
  const read: Record<string, unknown> = {};
  for (const { pointer } of problems) {
    const name = fromToken(pointer.slice(1));
    const value = fields[name];
    if (typeof value !== 'string' || String(Number(value)) !== value) continue;
    const schema = objectAlternative(document.raw, item.properties[name] ?? {});
    const isNumber = typesOf(schema ?? {}).some((type) => ['integer', 'number'].includes(type));
    if (isNumber) read[name] = Number(value);
  }
  return Object.keys(read).length > 0 ? { ...fields, ...read } : undefined;
}

/**
 * Throws what is wrong with an item, but for what was wrong with it before: not every schema can be
 * met by what an item begins with.
 */
function ensureOwnProblems(problems: readonly Problem[], before: readonly Problem[] = []): void {
  const known = new Set(before.map(({ problem }) => problem));
  const own = problems.filter(({ problem }) => !known.has(problem));
  if (own.length > 0) throw new ItemError(own);
}

function tooLong(length: number): ItemError {
  const problem = `It would have ${length} characters, but may have ${maxPatched}.`;
  return new ItemError([{ pointer: '', problem }]);
}

/** The fields that a JSON Patch makes of an item; undefined where it cannot be applied. */
export function patchFields(text: string, operations: readonly unknown[]): Fields | undefined {
  try {
    const patched = applyJsonPatch(text, operations, maxPatched);
    return typeof patched === 'object' && patched !== null ? (patched as Fields) : undefined;
  } catch (error) {
    if (error instanceof JsonPatchError) return undefined;
    throw error;
  }
}

/** Where a body says what a property is: of a JSON Patch, in the last operation on it. */
export function pointerInPatch(body: unknown, property: string): string {
  const own = `/${toToken(property)}`;
  if (!Array.isArray(body)) return own;
  const index = body.findLastIndex((one: unknown) => (one as Fields | null)?.path === own);
  if (index < 0) return '';
  return Object.hasOwn(body[index] as object, 'value') ? `/${index}/value` : `/${index}`;
}
