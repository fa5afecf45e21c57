import { type JSONPathNode, jsonpath } from 'json-p3';
import { DocumentError } from '../common/cli/usage-error.ts';
import { define, isObject } from '../common/json.ts';
import { valueIn } from '../common/property-path.ts';
import type { OverlayAction } from './overlay.ts';
import type { RawDocument } from './schema.ts';

/** A place in a document: the keys that lead to it, and what is there. */
type OverlayNode = { location: readonly (string | number)[]; value: unknown };

/** A copy in which nothing is in two places, as YAML aliases have it. */
export function toTree<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(toTree) as Value;
  if (!isObject(value)) return value;
  const copy: RawDocument = {};
  for (const [name, inner] of Object.entries(value)) define(copy, name, toTree(inner));
  return copy as Value;
}

/**
 * Applies an action to a document, in place, and gives what it selected. Throws {@link DocumentError},
 * in which `file` and `number` name the action.
 */
export function applyAction(
  document: RawDocument,
  { target, update, remove }: OverlayAction,
  { file, number }: { file: string; number: number },
): OverlayNode[] {
  const fail = (problem: string): never => {
    throw new DocumentError(`${file} cannot be applied: action ${number} (${target}) ${problem}.`);
  };
  let nodes: OverlayNode[] = [];
  try {
    nodes = [...jsonpath.query(target, document as JSONPathNode['value'])];
  } catch (error) {
    fail(`cannot be evaluated: ${(error as Error).message}`);
  }
  if (remove === true) removeNodes(document, nodes, fail);
  else for (const { value } of nodes) updateNode(value, update, fail);
  return nodes;
}

type Fail = (problem: string) => never;

function updateNode(value: unknown, update: unknown, fail: Fail): void {
  if (Array.isArray(value)) value.push(toTree(update));
  else if (!isObject(value)) fail('selects a value that is neither an object nor an array');
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
