import { JSONPointer, jsonpatch } from 'json-p3';
import { isObject } from '../../contracts/description/schema.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { parseExact } from './exact-json.ts';

type Json = Parameters<typeof jsonpatch.apply>[1];

/** How many operations a patch may have, as each may go through the whole value. */
const maxOperations = 1000;

/** A JSON Patch (RFC 6902) that cannot be applied; the message says which operation, and why. */
export class JsonPatchError extends Error {}

/**
 * Applies a JSON Patch to a JSON text and gives the value that it makes. What is copied may make it
 * no longer than `maxLength` characters. Throws {@link JsonPatchError}.
 */
export function applyJsonPatch(
  text: string,
  operations: readonly unknown[],
  maxLength: number,
): unknown {
  if (operations.length > maxOperations)
    throw new JsonPatchError(
      `It has ${operations.length} operations, but may have ${maxOperations}.`,
    );
  let value = parseExact(text).value as Json;
  let length = text.length;
  for (const [index, given] of operations.entries()) {
    const fail = (reason: string) =>
      new JsonPatchError(`Operation ${index} of the patch cannot be applied: ${reason}.`);
    const operation = toOperation(given, fail);
    try {
      const added = toAdded(operation, value);
      if (added !== undefined) length += added.length;
      if (length > maxLength) throw fail(`the item may have at most ${maxLength} characters`);
      value = jsonpatch.apply([added?.operation ?? operation], value);
    } catch (error) {
      if (error instanceof JsonPatchError) throw error;
      throw fail(reasonOf(error));
    }
  }
  return value;
}

type PatchOperation = { op: string; path: string; from?: string; value?: Json };

/** Ensures that it is an operation, which reaches no prototype. */
function toOperation(given: unknown, fail: (reason: string) => Error): PatchOperation {
  if (!isObject(given)) throw fail('it is not an object');
  const { op, path, from } = given;
  const isMove = op === 'move' || op === 'copy';
  const needsValue = op === 'add' || op === 'replace' || op === 'test';
  if (!needsValue && !isMove && op !== 'remove')
    throw fail('"op" must be add, remove, replace, move, copy or test');
  for (const [name, pointer] of Object.entries({ path, ...(isMove && { from }) })) {
    if (typeof pointer !== 'string' || !/^(\/|$)/.test(pointer))
      throw fail(`"${name}" must be a JSON pointer such as /name`);
    if (pointer.split('/').includes('__proto__')) throw fail(`"${name}" must not name __proto__`);
  }
  if (needsValue && !Object.hasOwn(given, 'value')) throw fail('"value" is required');
  return { ...given, op, path };
}

/**
 * What an operation adds, as an operation that adds a copy of it: the library adds the value itself,
 * which later operations would change in both places, and in the patch.
 */
function toAdded(
  operation: PatchOperation,
  value: Json,
): { operation: PatchOperation; length: number } | undefined {
  const { op, path, from = '' } = operation;
  if (op !== 'add' && op !== 'replace' && op !== 'copy') return undefined;
  const source = op === 'copy' ? new JSONPointer(from).resolve(value) : (operation.value as Json);
  const text = stringifyExact(source);
  const copy = parseExact(text).value as Json;
  return {
    operation: { op: op === 'copy' ? 'add' : op, path, value: copy },
    length: text.length,
  };
}

/** What the library says, without its count of the one operation that it was given. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  if (message.startsWith('test failed')) return 'what is there is not what it tests for';
  return toExcerpt(message.replace(/ \(\w+:\d+\)$/, ''), 200);
}
