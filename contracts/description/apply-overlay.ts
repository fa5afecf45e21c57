import { JSONPathError, type JSONPathNode, jsonpath } from 'json-p3';
import type { Overlay, OverlayAction } from './overlay.ts';
import { DocumentError, isObject, type RawDocument } from './schema.ts';

/** A place in a document: the keys that lead to it, and what is there. */
type OverlayNode = { location: readonly (string | number)[]; value: unknown };

/** What an action selects in a document. Throws {@link DocumentError}. */
export function selectNodes(
  document: RawDocument,
  { target }: { target: string },
  { file, number }: { file: string; number: number },
): OverlayNode[] {
  try {
    const selected = jsonpath.query(target, document as JSONPathNode['value']);
    return [...selected].map(({ location, value }) => ({ location, value }));
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
export function applyOverlay(
  document: RawDocument,
  { file, actions }: Pick<Overlay, 'file' | 'actions'>,
): RawDocument {
  return actions.reduce((before, action, index) => {
    const place = { file, number: index + 1 };
    return applyAction(before, action, { ...place, nodes: selectNodes(before, action, place) });
  }, document);
}

/** The file and the number of an action, for messages, and what it selects in the document. */
type Selected = { file: string; number: number; nodes: readonly OverlayNode[] };

/** The document after one action, of which it is known what it selects. Throws {@link DocumentError}. */
export function applyAction(
  document: RawDocument,
  action: OverlayAction,
  { file, number, nodes }: Selected,
): RawDocument {
  const fail = (problem: string): never => {
    throw new DocumentError(
      `${file} cannot be applied: action ${number} (${action.target}) ${problem}.`,
    );
  };
  if (action.remove === true) return removeNodes(document, nodes, fail);
  return nodes.reduce(
    (changed, { location }) =>
      changeAt(changed, location, (value) => updated(value, action.update, fail)),
    document,
  );
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
