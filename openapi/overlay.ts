import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { jsonpath } from 'json-p3';
import { DocumentError } from '../common/cli/usage-error.ts';
import { isObject } from '../common/json.ts';
import { parseText } from '../common/parse-text.ts';
import { textOf } from '../common/text-of.ts';

/** An action of an overlay: what it selects, and what becomes of that. */
export type OverlayAction = {
  /** A JSONPath (RFC 9535). */
  target: string;
  /** A value to merge into each selected object, or to append to each selected array. */
  update?: unknown;
  remove?: boolean;
};

/** An OpenAPI Overlay 1.0: changes of a document, in their order. */
export type Overlay = {
  /** The file that it was read from, as it was named. */
  file: string;
  actions: readonly OverlayAction[];
};

/**
 * Reads an OpenAPI Overlay 1.0 (YAML or JSON). `files` gets its absolute path, even if it is wrong.
 * Throws {@link DocumentError}.
 */
export async function readOverlay(
  file: string,
  { files = new Set() }: { files?: Set<string> } = {},
): Promise<Overlay> {
  files.add(resolvePath(file));
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new DocumentError(`${file} ${reason}. Name an OpenAPI Overlay 1.0 file.`);
  });
  let raw: unknown;
  try {
    raw = parseText(text);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new DocumentError(`${file} is neither YAML nor JSON: ${reason}.`);
  }
  return parseOverlay(raw, file);
}

/** Reads an overlay that is already parsed. Throws {@link DocumentError}. */
export function parseOverlay(raw: unknown, file = 'The overlay'): Overlay {
  const fail = (problem: string): never => {
    throw new DocumentError(`${file} cannot be used as an overlay: ${problem}.`);
  };
  if (!isObject(raw)) return fail('it contains no object');
  if (!/^1\.0\.\d+$/.test(textOf(raw.overlay))) fail('"overlay" must be 1.0.0');
  const { info, actions } = raw;
  if (!isObject(info) || typeof info.title !== 'string' || info.version === undefined)
    return fail('"info" must have a title and a version');
  if (!Array.isArray(actions) || actions.length === 0)
    return fail('"actions" must be a list of at least one action');
  return {
    file,
    actions: actions.map((action, index) => {
      const problem = problemOf(action);
      return problem === undefined ? action : fail(`action ${index + 1} ${problem}`);
    }),
  };
}

function problemOf(action: unknown): string | undefined {
  if (!isObject(action)) return 'must be an object';
  const { target, update, remove } = action;
  if (typeof target !== 'string') return 'has no "target"; it must be a JSONPath such as $.info';
  if (remove !== undefined && typeof remove !== 'boolean') return '"remove" must be true or false';
  if (update === undefined && remove !== true) return 'has neither "update" nor "remove: true"';
  try {
    jsonpath.compile(target);
    return undefined;
  } catch (error) {
    return `has a "target" that is no JSONPath: ${(error as Error).message}`;
  }
}
