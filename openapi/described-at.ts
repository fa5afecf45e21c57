import { partsOf } from '../common/property-path.ts';
import { shownOf } from './marks.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from './schema.ts';

/** The schema of what items have at a path (see property-path.ts); undefined where they have none. */
export function describedAt(
  raw: RawDocument,
  { properties }: Pick<FlatSchema, 'properties'>,
  path: string,
): Schema | undefined {
  const { outer, inner } = partsOf(path) ?? { outer: path };
  const own = Object.hasOwn(properties, outer) ? properties[outer] : undefined;
  if (inner === undefined) return own;
  const held = shownOf(raw, flatten(raw, own)).properties;
  return Object.hasOwn(held, inner) ? held[inner] : undefined;
}

/** Whether items must have something at a path. */
export function requiresAt(
  raw: RawDocument,
  { properties, required }: FlatSchema,
  path: string,
): boolean {
  const { outer, inner } = partsOf(path) ?? { outer: path };
  const isNeeded = required.includes(outer);
  if (inner === undefined || !isNeeded) return isNeeded;
  return flatten(raw, properties[outer]).required.includes(inner);
}
