import { isObject } from '../../common/json.ts';

/** Applies a merge patch (RFC 7396 §2) to a value; returns a new value. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const fields = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch))
    if (value === null) fields.delete(name);
    else fields.set(name, mergePatch(fields.get(name), value));
  return Object.fromEntries(fields);
}
