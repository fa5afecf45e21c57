import { stringifyExact } from '../../json/exact-integers.ts';

declare global {
  // As `rawJSON` in exact-integers.ts.
  interface JSON {
    isRawJSON(value: unknown): boolean;
  }
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The merge patch (RFC 7396), as JSON, that makes one item of another: what differs, with null for
 * what is gone, each number to the digit. Undefined where none does: it cannot set a null.
 */
export function toItemPatch(before: string, after: string): string | undefined {
  const [left, right] = [parseToDigit(before), parseToDigit(after)];
  if (!isObject(left) || !isObject(right)) return undefined;
  const patch = patchOf(left, right);
  return patch && stringifyExact(patch);
}

function patchOf(before: Members, after: Members): Members | undefined {
  const patch: [name: string, value: unknown][] = [];
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch.push([name, null]);
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old !== undefined && stringifyExact(old) === stringifyExact(value)) continue;
    if (value === null) return undefined;
    // An object in the place of anything else is merged into an empty one.
    const change = isObject(value) ? patchOf(isObject(old) ? old : {}, value) : value;
    if (change === undefined) return undefined;
    const isSame = isObject(old) && isObject(change) && Object.keys(change).length === 0;
    if (!isSame) patch.push([name, change]);
  }
  return Object.fromEntries(patch);
}

/** Parses JSON; a number that a double would write otherwise stays as it is written. */
function parseToDigit(text: string): unknown {
  return JSON.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}

function isObject(value: unknown): value is Members {
  const isAny = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isAny && !JSON.isRawJSON(value);
}
