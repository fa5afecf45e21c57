import type { Operation } from '../description/document.ts';
import { isObject, type RawDocument } from '../description/schema.ts';

/** The keys that lead to a node of a document. */
export type Place = readonly string[];

/** The place of an operation. */
export function placeOf({ path, method }: Operation): Place {
  return ['paths', path, method.toLowerCase()];
}

/** The place of the schema of an operation's JSON body. */
export function requestSchemaOf(raw: RawDocument, operation: Operation): Place | undefined {
  return schemaIn(raw, follow(raw, [...placeOf(operation), 'requestBody']));
}

/** The place of the schema of a JSON response. */
export function responseSchemaOf(raw: RawDocument, operation: Operation, status: string) {
  return schemaIn(raw, follow(raw, [...placeOf(operation), 'responses', status]));
}

function schemaIn(raw: RawDocument, place: Place): Place | undefined {
  const schema = [...place, 'content', 'application/json', 'schema'];
  return at(raw, schema) === undefined ? undefined : follow(raw, schema);
}

/** The place of what a `$ref` within the document leads to. */
function follow(raw: RawDocument, place: Place, left = 20): Place {
  const { $ref } = at(raw, place) ?? {};
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || left === 0) return place;
  const keys = $ref.slice(2).split('/');
  const unescaped = keys.map((key) =>
    decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  return follow(raw, unescaped, left - 1);
}

/** The object at a place, if there is one. */
export function at(raw: RawDocument, place: Place): RawDocument | undefined {
  let node: unknown = raw;
  for (const key of place)
    node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return isObject(node) ? node : undefined;
}

/** A JSONPath to a place (RFC 9535). */
export function toPath(place: Place): string {
  const steps = place.map((key) =>
    /^[A-Za-z_]\w*$/.test(key)
      ? `.${key}`
      : `['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`,
  );
  return `$${steps.join('')}`;
}
