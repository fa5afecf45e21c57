import { toToken } from './json-pointer.ts';
import type { RawDocument } from './schema.ts';

/** Fields whose values are for readers: no validator follows them. */
const forReaders = new Set(['example', 'examples', 'default']);

/**
 * Where a value contains itself, as YAML aliases allow: a JSON pointer and its names, what holds
 * it, and the pointer of what it is.
 */
type Circle = {
  pointer: string;
  names: readonly string[];
  holder: RawDocument;
  target: string;
};

/**
 * A document whose extensions and examples do not contain themselves: such a place is left out, as
 * what looks through a whole document would never end there. The very same where there is none.
 */
export function withoutOwnCircles(root: RawDocument): RawDocument {
  const left = new Set(
    findCircles(root)
      .filter(({ names }) => isForReaders(names))
      .map(({ pointer }) => pointer),
  );
  if (left.size === 0) return root;
  const copies = new Map<object, unknown>();
  const copy = (node: unknown, pointer: string): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    const known = copies.get(node);
    if (known !== undefined) return known;
    const copied: RawDocument = Array.isArray(node) ? [] : {};
    copies.set(node, copied);
    for (const [name, inner] of Object.entries(node)) {
      const place = `${pointer}/${toToken(name)}`;
      if (!left.has(place)) copied[name] = copy(inner, place);
      else if (Array.isArray(node)) copied[name] = null;
    }
    return copied;
  };
  return copy(root, '') as RawDocument;
}

/** Whether a document contains itself where it is more than a value for readers. */
export function hasSchemaCircles(root: RawDocument): boolean {
  return findCircles(root).some(({ names }) => !isForReaders(names));
}

/** Makes references of the places where it does, in place. */
export function referToSchemaCircles(root: RawDocument): void {
  for (const { names, holder, target } of findCircles(root))
    if (!isForReaders(names)) holder[names.at(-1) as string] = { $ref: `#${encodeURI(target)}` };
}

/** The place where a document contains itself first, as a JSON pointer. */
export function findOwnCircle(root: RawDocument): string | undefined {
  return findCircles(root)[0]?.pointer;
}

/** Looks at each object once, by the first way that leads to it. */
function findCircles(root: RawDocument): Circle[] {
  const circles: Circle[] = [];
  const around = new Map<object, number>();
  const seen = new Set<object>();
  const names: string[] = [];
  const visit = (node: object): void => {
    seen.add(node);
    around.set(node, names.length);
    for (const [name, inner] of Object.entries(node)) {
      if (typeof inner !== 'object' || inner === null) continue;
      names.push(name);
      const depth = around.get(inner);
      if (depth !== undefined)
        circles.push({
          pointer: toPointer(names),
          names: [...names],
          holder: node,
          target: toPointer(names.slice(0, depth)),
        });
      else if (!seen.has(inner)) visit(inner);
      names.pop();
    }
    around.delete(node);
  };
  visit(root);
  return circles;
}

function toPointer(names: readonly string[]): string {
  return names.map((one) => `/${toToken(one)}`).join('');
}

/** Whether a place is in an extension or an example, and not in a property of that name. */
function isForReaders(names: readonly string[]): boolean {
  return names.some(
    (name, index) =>
      names[index - 1] !== 'properties' && (name.startsWith('x-') || forReaders.has(name)),
  );
}
