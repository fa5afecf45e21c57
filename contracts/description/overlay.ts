import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { load } from 'js-yaml';
import { JSONPathError, JSONPathNode, jsonpath } from 'json-p3';
import { exactYaml } from './exact-parser.ts';
import { DocumentError, type RawDocument } from './schema.ts';

/** An action of an overlay: what it selects, and what becomes of that. */
export type OverlayAction = {
  /** A JSONPath (RFC 9535). */
  target: string;
  description?: string;
  /** What is merged into each selected object, or appended to each selected array. */
  update?: unknown;
  remove?: boolean;
};

/** An OpenAPI Overlay 1.0: changes of a document, in their order. */
export type Overlay = {
  /** The file that it was read from, as it was named. */
  file: string;
  title: string;
  version: string;
  actions: readonly OverlayAction[];
  raw: RawDocument;
};

/** A place in a document: the keys that lead to it, and what is there. */
export type OverlayNode = { location: readonly (string | number)[]; value: unknown };

/**
 * Reads an OpenAPI Overlay 1.0 (YAML or JSON). `files` gets its absolute path, even if it is wrong.
 * Throws {@link DocumentError}.
 */
export async function readOverlay(
  file: string,
  { files = new Set() }: { files?: Set<string> } = {},
): Promise<Overlay> {
  files.add(resolvePath(file));
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EISDIR' ? 'it is a folder' : `it cannot be read (${code})`;
    throw new DocumentError(
      code === 'ENOENT'
        ? `There is no overlay at ${file}. Name an OpenAPI Overlay 1.0 file.`
        : `${file} is no overlay: ${reason}. Name an OpenAPI Overlay 1.0 file.`,
    );
  }
  let raw: unknown;
  try {
    raw = load(text.replace(/^\ufeff/, ''), { schema: exactYaml });
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
  if (!/^1\.0\.\d+$/.test(String(raw.overlay)))
    fail(
      raw.overlay === undefined
        ? '"overlay" is missing; it must be 1.0.0'
        : `"overlay" must be 1.0.x, but is ${String(raw.overlay)}`,
    );
  const { info, actions } = raw;
  if (!isObject(info) || typeof info.title !== 'string' || info.version === undefined)
    return fail('"info" must have a title and a version');
  if (!Array.isArray(actions) || actions.length === 0)
    return fail('"actions" must be a list of at least one action');
  return {
    file,
    title: info.title,
    version: String(info.version),
    actions: actions.map((action, index) => {
      const problem = problemOf(action);
      return problem === undefined ? action : fail(`action ${index + 1} ${problem}`);
    }),
    raw,
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
    const unquoted = target.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/gs, '');
    return unquoted.split('..').length - 1 > maxDescendants
      ? 'has a "target" with more than two ".."; name the place more exactly'
      : undefined;
  } catch (error) {
    return `has a "target" that is no JSONPath: ${(error as Error).message}`;
  }
}

/** Each further `..` multiplies the nodes that are visited by the depth of the document. */
const maxDescendants = 2;

/** Repeated names multiply nodes too, as in `$['a','a']['a','a']`. */
const maxVisited = 1_000_000;

/** What an action selects in a document. Throws {@link DocumentError}. */
export function selectNodes(
  document: RawDocument,
  { target }: OverlayAction,
  { file, number }: { file: string; number: number },
): OverlayNode[] {
  let visited = 0;
  function* bounded(nodes: Iterable<JSONPathNode>) {
    for (const node of nodes) {
      if (++visited > maxVisited)
        throw new DocumentError(
          `${file} cannot be applied: action ${number} (${target}) visits more than ${maxVisited} nodes.`,
        );
      yield node;
    }
  }
  const value = document as JSONPathNode['value'];
  try {
    const selected = jsonpath
      .compile(target)
      .segments.reduce<Iterable<JSONPathNode>>(
        (nodes, segment) => bounded(segment.lazyResolve(nodes)),
        [new JSONPathNode(value, [], value)],
      );
    return Array.from(selected, ({ location, value }) => ({ location, value }));
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new DocumentError(
      `${file} cannot be applied: action ${number} (${target}) cannot be evaluated: ${error.message}.`,
    );
  }
}

/**
 * The document after all actions of an overlay, as a copy that shares what no action changes. An
 * action that selects nothing has no effect. Throws {@link DocumentError}.
 */
export function applyOverlay(document: RawDocument, { file, actions }: Overlay): RawDocument {
  return actions.reduce((before, action, index) => {
    const number = index + 1;
    const nodes = selectNodes(before, action, { file, number });
    const fail = (problem: string): never => {
      throw new DocumentError(
        `${file} cannot be applied: action ${number} (${action.target}) ${problem}.`,
      );
    };
    if (action.remove === true) return removeNodes(before, nodes, fail);
    return nodes.reduce(
      (changed, { location }) =>
        changeAt(changed, location, (value) => updated(value, action.update, fail)),
      before,
    );
  }, document);
}

type Fail = (problem: string) => never;

function updated(value: unknown, update: unknown, fail: Fail): unknown {
  if (Array.isArray(value)) return [...value, update];
  if (!isObject(value)) return fail('selects what is neither an object nor an array');
  if (!isObject(update)) return fail('selects an object, so its "update" must be an object');
  return merged(value, update);
}

/** Objects are merged member by member, arrays are joined, and what else there is is replaced. */
function merged(value: unknown, update: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(update)) return [...value, ...update];
  if (!isObject(value) || !isObject(update)) return update;
  const result: RawDocument = { ...value };
  for (const [name, member] of Object.entries(update))
    define(result, name, Object.hasOwn(value, name) ? merged(value[name], member) : member);
  return result;
}

/**
 * Removes each node once, the last place first and what is within a node before the node, so that
 * the places of the others stay as they are.
 */
function removeNodes(
  document: RawDocument,
  nodes: readonly OverlayNode[],
  fail: Fail,
): RawDocument {
  const once = new Map(nodes.map(({ location }) => [JSON.stringify(location), location]));
  const lastFirst = [...once.values()].toSorted((left, right) => compareLocations(right, left));
  return lastFirst.reduce((changed, location) => {
    const last = location.at(-1);
    if (last === undefined) return fail('would remove the whole document');
    return changeAt(changed, location.slice(0, -1), (parent) => {
      if (Array.isArray(parent)) return parent.toSpliced(Number(last), 1);
      const { [last]: _, ...rest } = (parent ?? {}) as RawDocument;
      return rest;
    });
  }, document);
}

/** Orders by the first key that differs, and a node before what is within it. */
function compareLocations(left: OverlayNode['location'], right: OverlayNode['location']): number {
  const index = left.findIndex((key, place) => key !== right[place]);
  if (index === -1) return left.length - right.length;
  const [first, second] = [left[index], right[index]];
  if (first === undefined || second === undefined) return left.length - right.length;
  return first < second ? -1 : 1;
}

/** A copy of a value in which what is at a place is changed. */
function changeAt<Value>(
  value: Value,
  [key, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): Value {
  if (key === undefined) return change(value) as Value;
  if (Array.isArray(value))
    return value.with(Number(key), changeAt(value[Number(key)], rest, change)) as Value;
  // What an action removed before is gone.
  if (!isObject(value)) return value;
  const result: RawDocument = { ...value };
  define(result, String(key), changeAt(value[key], rest, change));
  return result as Value;
}

/** Sets an own member, also one called `__proto__`. */
function define(object: RawDocument, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function isObject(value: unknown): value is RawDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
