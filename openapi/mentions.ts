import { type RawDocument, resolve } from './schema.ts';

/** Tells whether a text stands anywhere in the description of an operation. */
export function mentions(
  raw: RawDocument,
  { path, method }: { path: string; method: string },
  text: string,
): boolean {
  const item = raw.paths?.[path];
  const described = item && resolve(raw, item)[method.toLowerCase()];
  return JSON.stringify(described ?? {}).includes(text);
}
