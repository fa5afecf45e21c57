import type { FlatSchema, Operation, Schema } from '../description/document.ts';
import { topOf } from '../description/property-path.ts';
import type { SendableBody } from '../description/sendable-body.ts';
import type { Change, Expected } from './case.ts';

type Item = Readonly<Record<string, unknown>>;

/** A change of an item, and what it makes of it. */
export type ItemChange = {
  how: Change;
  operation: Operation;
  body?: { mediaType: string; value: unknown } & Pick<SendableBody, 'form'>;
  expected: Expected;
};

/**
 * An item as it was last seen, the values of it that the run has set, a text for a new value that no
 * item has, and the properties that an update of the kind has named before.
 */
export type Known = { item: Item; own: Item; marker: string; named?: readonly string[] };

/** The properties that a change may set: not the id, nor the object that has it. */
export function withoutId(
  properties: FlatSchema['properties'],
  idProperty: string,
): Record<string, Schema> {
  const own = topOf(idProperty);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== own));
}
