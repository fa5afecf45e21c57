import type { Operation } from './model/operation.ts';
import { type RawDocument, resolve } from './schema.ts';

/** Returns the summary and the description of an operation. */
export function proseOf(raw: RawDocument, { path, method }: Operation): string {
  const item = resolve(raw, raw.paths?.[path] ?? {});
  const { summary = '', description = '' } = resolve(raw, item?.[method.toLowerCase()] ?? {});
  return `${summary}\n${description}`;
}
