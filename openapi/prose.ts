import type { Operation } from './model/operation.ts';
import { type RawDocument, resolve } from './schema.ts';

/** What the document says of an operation in words: its summary and its description. */
export function proseOf(raw: RawDocument, { path, method }: Operation): string {
  const item = resolve(raw, raw.paths?.[path] ?? {});
  const { summary = '', description = '' } = resolve(raw, item?.[method.toLowerCase()] ?? {});
  return `${summary}\n${description}`;
}
