import { type RawDocument, resolve } from './schema.ts';

type Place = { path: string; method: string };

/** Returns what a document has at the place of an operation. */
export function nodeOf(raw: RawDocument, { path, method }: Place): RawDocument {
  const item = resolve(raw, raw.paths?.[path] ?? {}) ?? {};
  return item[method.toLowerCase()] ?? item.additionalOperations?.[method] ?? {};
}

/** Tells whether a text stands anywhere in the description of an operation. */
export function mentions(raw: RawDocument, place: Place, text: string): boolean {
  return JSON.stringify(nodeOf(raw, place)).includes(text);
}

/** Tells whether a document names a media type for the body of an operation itself. */
export function namesMediaType(raw: RawDocument, place: Place, mediaType: string): boolean {
  const { requestBody = {} } = nodeOf(raw, place);
  const { content = {} } = resolve(raw, requestBody) ?? {};
  return Object.keys(content).some((type) => type.toLowerCase() === mediaType);
}
