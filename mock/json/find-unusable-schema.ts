import type { ApiDocument, Schema } from '../../contracts/description/document.ts';
import { resolveSchema } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { innerSchemas } from '../../contracts/description/marks.ts';

/** The innermost schema of a schema, `$ref`s followed, that cannot be used by itself. */
export function findUnusableSchema(
  document: ApiDocument,
  schema: Schema,
  isUsable: (schema: Schema) => boolean,
): Schema {
  const seen = new Set<Schema>();
  let found = schema;
  for (let next: Schema | undefined = schema; next; ) {
    found = next;
    seen.add(found);
    next = partsOf(document, found).find((inner) => !seen.has(inner) && !isUsable(inner));
  }
  return found;
}

function partsOf(document: ApiDocument, schema: Schema): Schema[] {
  const target = typeof schema.$ref === 'string' ? [resolveSchema(document, schema)] : [];
  return [...target, ...innerSchemas(schema)];
}

/** The JSON pointer of a node of a document; undefined for one that is not part of it. */
export function findPointer({ raw }: ApiDocument, node: unknown): string | undefined {
  const seen = new Set<unknown>();
  const search = (place: unknown, pointer: string): string | undefined => {
    if (place === node) return pointer;
    if (typeof place !== 'object' || place === null || seen.has(place)) return undefined;
    seen.add(place);
    for (const [key, inner] of Object.entries(place)) {
      const found = search(inner, `${pointer}/${toToken(key)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(raw, '#');
}
