import { follow, type RawDocument } from '../schema.ts';
import { isRecord, walkDocument } from './walk.ts';

/** A schema that is told what it is general about: names of dynamic anchors, and where those are. */
type Bound = { schema: RawDocument; anchors: ReadonlyMap<string, string> };

/**
 * Puts schemas that are general by a `$dynamicRef`, such as a page of anything, in the places that
 * refer to them and say with a `$dynamicAnchor` of their own what of, in place. References have to
 * be such to places already.
 */
export function settleGenerics(document: RawDocument): void {
  const found: Bound[] = [];
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind !== 'schema' || !isRecord(part) || !isRecord(part.$defs)) return;
    if (typeof part.$ref !== 'string') return;
    const anchors = Object.entries(part.$defs).flatMap(([key, inner]): [string, string][] => {
      const name = isRecord(inner) ? inner.$dynamicAnchor : undefined;
      return typeof name === 'string' ? [[name, `${pointer}/$defs/${toKey(key)}`]] : [];
    });
    if (anchors.length > 0) found.push({ schema: part, anchors: new Map(anchors) });
  });
  for (const { schema, anchors } of found) {
    const general = follow(document, schema.$ref);
    if (!isRecord(general)) continue;
    const bound = bind(general, anchors, new Map());
    if (!bound.isGeneral) continue;
    const { $defs: _, ...copy } = bound.copy as RawDocument;
    schema.allOf = [...(schema.allOf ?? []), copy];
    delete schema.$ref;
  }
}

function toKey(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A copy of a schema with places for its dynamic references, and whether it has any of them. */
function bind(
  node: unknown,
  anchors: Bound['anchors'],
  seen: Map<object, unknown>,
): { copy: unknown; isGeneral: boolean } {
  if (typeof node !== 'object' || node === null) return { copy: node, isGeneral: false };
  const before = seen.get(node);
  if (before !== undefined) return { copy: before, isGeneral: false };
  const copy: RawDocument = Array.isArray(node) ? [] : {};
  seen.set(node, copy);
  let isGeneral = false;
  for (const [key, inner] of Object.entries(node)) {
    const place = key === '$dynamicRef' ? anchors.get(String(inner).replace(/^#/, '')) : undefined;
    const bound = bind(inner, anchors, seen);
    if (place === undefined) copy[key] = bound.copy;
    else copy.$ref = `#${encodeURI(place)}`;
    isGeneral ||= bound.isGeneral || place !== undefined;
  }
  return { copy, isGeneral };
}
