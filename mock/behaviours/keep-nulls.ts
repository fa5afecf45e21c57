import {
  type ApiDocument,
  describeSchema,
  type FlatSchema,
} from '../../contracts/description/document.ts';
import { isObject } from '../../contracts/description/schema.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Call } from './behaviour.ts';

/** Makes `null` what a patch sets to it and a merge patch (RFC 7396) has removed. */
export type KeepNulls = (patched: unknown, call: Pick<Call, 'body' | 'source'>) => unknown;

/**
 * Makes what keeps nulls that an item may have: all that are sent as plain JSON, where null is a
 * value like others, and those of a merge patch without which the item would lack what it requires.
 */
export function createKeepNulls(
  document: ApiDocument,
  item: FlatSchema,
  compileSchema: CompileSchema,
): KeepNulls {
  const keep = (
    patched: unknown,
    patch: unknown,
    { properties, required }: FlatSchema,
    isMerge: boolean,
  ): unknown => {
    if (!isObject(patch) || !isObject(patched)) return patched;
    const kept: Record<string, unknown> = { ...patched };
    for (const [name, value] of Object.entries(patch)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) continue;
      if (isObject(value))
        kept[name] = keep(kept[name], value, describeSchema(document, schema), isMerge);
      const isKept = value === null && (!isMerge || required.includes(name));
      if (isKept && !compileSchema(schema, 'writeOnly')(null)) kept[name] = null;
    }
    return kept;
  };
  return (patched, { body, source }) => {
    const isMerge = /^[^;]*merge-patch\+json/i.test(source.headers['content-type'] ?? '');
    return keep(patched, body, item, isMerge);
  };
}
