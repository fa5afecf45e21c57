import { isObject, stringifyExact } from '../../common/json.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { once } from '../../common/once-per.ts';
import { hasAt, pointerTo, valueAt, withAt } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import { type ByteText, parseExact, parseInteger, toIdText } from '../json/exact-json.ts';
import { mergePatch } from '../json/merge-patch.ts';
import { describeValue, type Problem } from '../json/problems.ts';
import type { CompileSchema } from '../json/validator.ts';
import { hiddenMembersOf } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';
import { schemasOfGivenItem } from './item-schema.ts';
import { type Fields, fieldsOf, toStoredItem } from './stored-item.ts';

/** The fields of an item from outside, and how many bytes they are. */
export type GivenFields = { value: unknown; bytes: number };

/** Bounds the JSON of a patched item, as each patch can make it longer. */
export const maxPatched = 2 * 1024 * 1024;

/** Ensures that a patched item has no more than that. Throws {@link ItemError}. */
export function ensureLength({ length }: string): void {
  const problem = `It would have ${length} characters, but may have ${maxPatched}.`;
  if (length > maxPatched) throw new ItemError([{ pointer: '', problem }]);
}

/** Lists the problems of an item's fields; nothing was stored. */
export class ItemError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems[0]?.problem);
    this.problems = problems;
  }
}

/** Ensures that fields have the id of their item, or none. Throws {@link ItemError}. */
export function ensureSameId({ idProperty }: Resource, id: string, fields: Fields): void {
  if (!hasAt(fields, idProperty) || toIdText(valueAt(fields, idProperty)) === id) return;
  throw toIdError(idProperty, id, valueAt(fields, idProperty));
}

/** Ensures that fields have the id of their item. Throws {@link ItemError}. */
export function ensureHasId({ idProperty }: Resource, id: string, fields: Fields): void {
  const value = valueAt(fields, idProperty);
  if (toIdText(value) !== id) throw toIdError(idProperty, id, value);
}

function toIdError(idProperty: string, id: string, value: unknown): ItemError {
  const given = value === undefined ? 'missing' : toExcerpt(stringifyExact(value), 60);
  const problem = `"${idProperty}" must be ${toExcerpt(id, 60)}, as in the path, but is ${given}. The id of an item cannot be changed.`;
  return new ItemError([{ pointer: pointerTo(idProperty), problem }]);
}

/** The fields of an object. Throws {@link ItemError} for any other value. */
export function ensureFields(value: unknown): Fields {
  if (isObject(value)) return value;
  const problem = `It must be an object, but is ${describeValue(value)}.`;
  throw new ItemError([{ pointer: '', problem }]);
}

/**
 * Creates and changes items from outside the API. Each method throws {@link ItemError} for an item
 * that does not fit.
 */
export interface ItemEdits {
  /** Whether the fields have an id of their own. */
  hasId(given: GivenFields): boolean;
  /** Checks the fields of an item that gets its id when it is stored. */
  ensureFits(given: GivenFields): void;
  /** The item of fields that have their id. */
  toItem(given: GivenFields): StoredItem;
  /** The item of fields under an id, which they need not have but must not contradict. */
  toItemOf(id: string, given: GivenFields): StoredItem;
  /** Applies a merge patch (RFC 7396) to an item, whose id stays. */
  patch(id: string, json: ByteText, given: GivenFields): StoredItem;
}

/** Makes the edits of a resource; its schemas are compiled when they are first needed. */
export function createItemEdits(resource: Resource, compileSchema: CompileSchema): ItemEdits {
  const { idProperty, idSchema, item, isOpen = false } = resource;
  const hidden = hiddenMembersOf(resource);
  const compile = (which: 'whole' | 'withoutId') => {
    const validate = once(() => compileSchema(schemasOfGivenItem(resource)[which], 'writeOnly'));
    return ({ value, bytes }: GivenFields) => {
      const problems = validate()(value, bytes);
      if (problems) throw new ItemError(problems);
    };
  };
  const [ensureWithId, ensureWithoutId] = [compile('whole'), compile('withoutId')];
  const edits: ItemEdits = {
    hasId: ({ value }) => hasAt(value as Fields, idProperty),
    ensureFits: ensureWithoutId,
    toItem(given) {
      ensureWithId(given);
      return toStoredItem(resource, given.value as Fields);
    },
    toItemOf(id, given) {
      ensureSameId(resource, id, given.value as Fields);
      const own = (idSchema.type === 'string' ? undefined : parseInteger(id)) ?? id;
      const value = given.value as Fields;
      const whole = hasAt(value, idProperty) ? value : withAt(value, idProperty, own);
      return edits.toItem({ value: whole, bytes: given.bytes });
    },
    patch(id, json, given) {
      ensureSameId(resource, id, given.value as Fields);
      const before = fieldsOf(json);
      const isKnown = (name: string) =>
        name === idProperty || describes(item, name) || hidden.includes(name);
      const described = Object.entries(before).filter(([name]) => isOpen || isKnown(name));
      const text = stringifyExact(mergePatch(Object.fromEntries(described), given.value));
      ensureLength(text);
      return edits.toItem({ value: parseExact(text), bytes: text.length });
    },
  };
  return edits;
}
