import { isObject } from '../../../common/json.ts';
import type { Schema, Schemas } from '../../../openapi/index.ts';
import { mergePatch } from '../../json/merge-patch.ts';

/**
 * Converts a strategic patch to a merge patch (RFC 7396). Lists with a merge key in their schema
 * are merged by item. Directives (`$...`) that order lists or keep fields are ignored, except
 * `$patch: delete` of an item.
 */
export function toMergePatch(
  schemas: Schemas,
  schema: Schema | undefined,
  { current, patch }: { current: unknown; patch: unknown },
): unknown {
  if (!isObject(patch)) return patch;
  const { properties } = schemas.flatten(schema);
  const old = isObject(current) ? current : {};
  const given = Object.entries(patch).filter(([name]) => !name.startsWith('$'));
  return Object.fromEntries(
    given.map(([name, value]) => {
      const part = { current: old[name], patch: value };
      const inner = properties[name];
      return [name, mergeList(schemas, inner, part) ?? toMergePatch(schemas, inner, part)];
    }),
  );
}

/** The list that a patch of it makes; undefined where the patch takes its place. */
function mergeList(
  schemas: Schemas,
  schema: Schema | undefined,
  { current, patch }: { current: unknown; patch: unknown },
): unknown[] | undefined {
  const key = schema?.['x-kubernetes-patch-merge-key'];
  if (typeof key !== 'string' || !Array.isArray(patch) || !patch.every(isObject)) return undefined;
  const merged: unknown[] = Array.isArray(current) ? [...current] : [];
  for (const one of patch) {
    const found = merged.findIndex((old) => isObject(old) && old[key] === one[key]);
    if (one.$patch === 'delete') {
      if (found >= 0) merged.splice(found, 1);
      continue;
    }
    const old = found < 0 ? {} : merged[found];
    const inner = toMergePatch(schemas, schema?.items as Schema, { current: old, patch: one });
    merged.splice(found < 0 ? merged.length : found, 1, mergePatch(old, inner));
  }
  return merged;
}
