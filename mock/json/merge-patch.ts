import { isObject } from '../../common/json.ts';

/** What a merge patch makes of a value (RFC 7396 §2); neither is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const fields = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch))
    if (value === null) fields.delete(name);
    else fields.set(name, mergePatch(fields.get(name), value));
  return Object.fromEntries(fields);
}
