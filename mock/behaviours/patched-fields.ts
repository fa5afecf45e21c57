import { toToken } from '../../contracts/description/json-pointer.ts';
import { maxPatched } from '../items/item-edits.ts';
import { applyJsonPatch, JsonPatchError } from '../json/json-patch.ts';

type Fields = Readonly<Record<string, unknown>>;

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
