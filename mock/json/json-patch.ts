import { createRequire } from 'node:module';
import type { jsonpatch as library } from 'json-p3';
import { stringifyExact } from '../../common/json.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { parseExact } from './exact-json.ts';

// Loaded with the first patch.
const require = createRequire(import.meta.url);

type Json = Parameters<typeof library.apply>[1];
type PatchOperation = { op: string; path: string; from?: string };

/** How many operations a patch may have, as the whole value is written after each. */
const maxOperations = 100;

/** A JSON Patch (RFC 6902) that cannot be applied; the message says which operation, and why. */
export class JsonPatchError extends Error {}

/**
 * Applies a JSON Patch to a JSON text and gives the value that it makes, which may have at most
 * `maxLength` characters after each operation. Throws {@link JsonPatchError}.
 */
export function applyJsonPatch(
  text: string,
  operations: readonly unknown[],
  maxLength: number,
): unknown {
  ensureFew(operations);
  const { JSONPointer, jsonpatch } = require('json-p3') as typeof import('json-p3');
  let json = text;
  for (const [index, given] of operations.entries()) {
    const fail = (reason: string) =>
      new JsonPatchError(`Operation ${index} of the patch cannot be applied: ${reason}.`);
    const { path, from } = (given ?? {}) as PatchOperation;
    // Some services name them in capitals, as their documents show.
    const op = String((given as PatchOperation | null)?.op).toLowerCase();
    if (`${path}/${from}`.split('/').includes('__proto__'))
      throw fail('it must not name __proto__');
    const parsed = () => parseExact(json) as Json;
    try {
      // The library would put the same value in both places, be it into itself.
      const operation =
        op === 'copy' && from !== undefined
          ? { op: 'add', path, value: new JSONPointer(from).resolve(parsed()) }
          : { ...(given as PatchOperation), op };
      json = stringifyExact(jsonpatch.apply([operation], parsed()) ?? null);
    } catch (error) {
      throw fail(reasonOf(error));
    }
    if (json.length > maxLength) throw fail(`the item may have at most ${maxLength} characters`);
  }
  return parseExact(json);
}

/** Throws {@link JsonPatchError} if a patch has more operations than it may have. */
export function ensureFew({ length }: readonly unknown[]): void {
  if (length > maxOperations)
    throw new JsonPatchError(`It has ${length} operations, but may have ${maxOperations}.`);
}

/** Returns the message of the library without its index, as each call has one operation. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  if (message.startsWith('test failed')) return 'the value there differs from the tested one';
  return toExcerpt(message.replace(/ \(\w+:\d+\)$/, ''), 200);
}
