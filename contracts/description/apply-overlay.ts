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

/** The document without some nodes, which are at their places before any of them is removed. */
function removeNodes(
  document: RawDocument,
  nodes: readonly OverlayNode[],
  fail: Fail,
): RawDocument {
  const places: Places = new Map();
  const removed = new Set<Places | undefined>();
  for (const { location } of nodes) {
    let place = places;
    for (const key of location) {
      const inner = place.get(key) ?? new Map();
      place.set(key, inner);
      place = inner;
    }
    removed.add(place);
  }
  if (removed.has(places)) return fail('would remove the whole document');
  const keep = (value: unknown, within: Places | undefined): unknown => {
    if (!within || typeof value !== 'object' || value === null) return value;
    const isLeft = (key: string | number) => !removed.has(within.get(key) ?? unplaced);
    if (Array.isArray(value))
      return value.flatMap((inner, at) => (isLeft(at) ? [keep(inner, within.get(at))] : []));
    const result: RawDocument = {};
    for (const [name, inner] of Object.entries(value))
      if (isLeft(name)) define(result, name, keep(inner, within.get(name)));
    return result;
  };
  return keep(document, places) as RawDocument;
}

/** Places by the keys that lead to them. */
type Places = Map<string | number, Places>;
const unplaced: Places = new Map();

/** A copy of a value in which what is at a place is changed. */
function changeAt<Value>(
  value: Value,
  [key, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): Value {
  if (key === undefined) return change(value) as Value;
  if (Array.isArray(value))
    return value.with(Number(key), changeAt(value[Number(key)], rest, change)) as Value;
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
