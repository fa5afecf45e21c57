import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { fromFragmentToken } from '../../contracts/description/json-pointer.ts';
import { follow, type RawDocument, resolve } from '../../contracts/description/schema.ts';

/** The maximum of parts that an excerpt may refer to. */
const maxParts = 50;

/**
 * The part of a document that describes the responses of one operation, as a document: what looks
 * at all of a large one takes seconds. Undefined where that refers to so much that it would too.
 */
export function toExcerpt(
  { raw }: ApiDocument,
  { path, method }: Operation,
): RawDocument | undefined {
  const item = resolve(raw, raw.paths[path]);
  const name = method.toLowerCase();
  const { operationId, responses } = item[name] ?? item.additionalOperations?.[method] ?? {};
  const excerpt: RawDocument = {
    openapi: raw.openapi,
    info: raw.info,
    paths: { [path]: { [name]: structuredClone({ operationId, responses }) } },
  };
  const placed = new Set<string>();
  const bringIn = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as RawDocument;
    if (typeof $ref === 'string' && !placed.has($ref) && placed.size <= maxParts) {
      placed.add($ref);
      const target = structuredClone(follow(raw, $ref));
      if (target !== undefined) put(excerpt, $ref, target);
      bringIn(target);
    }
    for (const inner of Object.values(node)) bringIn(inner);
  };
  bringIn(excerpt.paths);
  return placed.size <= maxParts ? excerpt : undefined;
}

/** Puts a part where a reference looks for it, unless what is around it is there. */
function put(root: RawDocument, $ref: string, part: unknown): void {
  const keys = $ref.slice(2).split('/').map(fromFragmentToken);
  const last = keys.pop() as string;
  let holder = root;
  for (const key of keys) holder = holder[key] ??= {};
  holder[last] ??= part;
}
