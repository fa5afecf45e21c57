import type { ApiDocument, Schema } from '../description/document.ts';
import { describeSent } from '../description/marks.ts';
import { membersOf, toJson } from '../json.ts';
import { exampleValue } from './example-value.ts';

/** Another value of a simple property; undefined where none is sure to fit. */
export function otherValue(
  document: ApiDocument,
  schema: Schema,
  value: unknown,
  marker: string,
): unknown {
  const { schema: plain } = describeSent(document, schema);
  const { type, enum: values, format, pattern, minimum, maximum, multipleOf } = plain;
  const types = [type].flat();
  if (Array.isArray(values)) return values.find((one) => one !== value && one !== null);
  if (types.includes('boolean')) return value !== true;
  if (types.includes('integer') || types.includes('number')) {
    if (multipleOf !== undefined) return undefined;
    const next = Number(value ?? minimum ?? 0) + 1;
    const isIn = next <= Number(maximum ?? Number.POSITIVE_INFINITY) && Number.isSafeInteger(next);
    return isIn && next >= Number(minimum ?? Number.NEGATIVE_INFINITY) ? next : undefined;
  }
  const isText = types.includes('string') && format === undefined && pattern === undefined;
  const isRoomy = Number(plain.maxLength ?? Number.POSITIVE_INFINITY) >= marker.length + 10;
  if (isText && isRoomy) return marker;
  const example = exampleValue(document, schema);
  return example !== undefined && !isMerged(example, value) ? example : undefined;
}

/** Whether a value is the same after a merge patch (RFC 7396) with another one. */
function isMerged(patch: unknown, value: unknown): boolean {
  const [members, held] = [membersOf(patch), membersOf(value)];
  if (!members || !held || Array.isArray(patch) || Array.isArray(value))
    return toJson(patch) === toJson(value);
  return Object.entries(members).every(
    ([name, member]) => Object.hasOwn(held, name) && isMerged(member, held[name]),
  );
}
