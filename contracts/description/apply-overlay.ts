import { JSONPathError, type JSONPathNode, jsonpath } from 'json-p3';
import type { Overlay, OverlayAction } from './overlay.ts';
import { valueIn } from './property-path.ts';
import { DocumentError, isObject, type RawDocument } from './schema.ts';

/** A place in a document: the keys that lead to it, and what is there. */
type OverlayNode = { location: readonly (string | number)[]; value: unknown };

/** The file and the number of an action, for messages. */
type ActionPlace = { file: string; number: number };

/** What an action selects in a document. Throws {@link DocumentError}. */
function selectNodes(
  document: RawDocument,
  { target }: Pick<OverlayAction, 'target'>,
  { file, number }: ActionPlace,
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
 * The document after all actions of an overlay, as a copy. An action that selects nothing has no
 * effect. Throws {@link DocumentError}.
 */
export function applyOverlay(
  document: RawDocument,
  { file, actions }: Pick<Overlay, 'file' | 'actions'>,
): RawDocument {
  const copy = toTree(document);
  for (const [index, action] of actions.entries())
    applyAction(copy, action, { file, number: index + 1 });
  return copy;
}

/** A copy in which nothing is in two places, as YAML aliases have it. */
export function toTree<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(toTree) as Value;
  if (!isObject(value)) return value;
  const copy: RawDocument = {};
  for (const [name, inner] of Object.entries(value)) define(copy, name, toTree(inner));
  return copy as Value;
}

/** Applies an action to a document, in place, and gives what it selected. Throws {@link DocumentError}. */
export function applyAction(
  document: RawDocument,
  action: OverlayAction,
  place: ActionPlace,
): OverlayNode[] {
  const nodes = selectNodes(document, action, place);
  const fail = (problem: string): never => {
    const { file, number } = place;
    throw new DocumentError(
      `${file} cannot be applied: action ${number} (${action.target}) ${problem}.`,
    );
  };
  if (action.remove === true) removeNodes(document, nodes, fail);
  else for (const { value } of nodes) updateNode(value, action.update, fail);
  return nodes;
}

type Fail = (problem: string) => never;

function updateNode(value: unknown, update: unknown, fail: Fail): void {
  if (Array.isArray(value)) value.push(toTree(update));
  else if (!isObject(value)) fail('selects what is neither an object nor an array');
  else if (!isObject(update)) fail('selects an object, so its "update" must be an object');
  else merge(value, update);
}

/** Objects are merged member by member, arrays are joined, and what else there is is replaced. */
function merge(value: RawDocument, update: RawDocument): void {
  for (const [name, member] of Object.entries(update)) {
    const own: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    if (Array.isArray(own) && Array.isArray(member)) own.push(...toTree(member));
    else if (isObject(own) && isObject(member)) merge(own, member);
    else define(value, name, toTree(member));
  }
}

/** Removes each node once; what is in a list is first marked, so that the others stay in place. */
function removeNodes(document: RawDocument, nodes: readonly OverlayNode[], fail: Fail): void {
  const lists = new Set<unknown[]>();
  for (const { location } of nodes) {
    const last = location.at(-1) ?? fail('would remove the whole document');
    const parent = valueIn(document, location.slice(0, -1).map(String));
    if (Array.isArray(parent)) lists.add(parent);
    if (Array.isArray(parent)) parent[Number(last)] = removed;
    else if (isObject(parent)) delete parent[last];
  }
  for (const list of lists) list.splice(0, list.length, ...list.filter((one) => one !== removed));
}

const removed = Symbol('removed');

/** Sets an own member, also one called `__proto__`. */
function define(object: RawDocument, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
