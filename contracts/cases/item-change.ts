import type {
  ApiDocument,
  FlatSchema,
  Operation,
  Resource,
  Schema,
} from '../description/document.ts';
import { topOf } from '../description/property-path.ts';
import type { SendableBody } from '../description/sendable-body.ts';
import { toJson } from '../json.ts';
import type { Change, Expected } from './case.ts';
import { type Held, otherValue } from './fresh-value.ts';
import { namedIn } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

/** A change of an item, and what it makes of it. */
export type ItemChange = {
  how: Change;
  operation: Operation;
  body?: { mediaType: string; value: unknown } & Pick<SendableBody, 'form'>;
  expected: Expected;
};

/**
 * An item as it was last seen, the values of it that the run has set, texts for new values that no
 * item has, and the properties that an update of the kind has named before.
 */
export type Known = Pick<Held, 'marker' | 'fresh'> & {
  item: Item;
  own: Item;
  named?: readonly string[];
};

/** Another value for a property of a known item, which names no other; undefined where none fits. */
export function otherOf(
  document: ApiDocument,
  resource: Resource,
  { item, own, marker, fresh }: Known,
  { name, schema = {} }: { name: string; schema: Schema | undefined },
): unknown {
  const value = item[name];
  const isOwn = name in own && toJson(own[name]) === toJson(value);
  const other = otherValue(document, schema, { name, value, isOwn, marker, fresh });
  const named = namedIn(document, resource, { schema, name, value: other });
  return named.length > 0 ? undefined : other;
}

/** The properties that a change may set: not the id, nor the object that has it. */
export function withoutId(
  properties: FlatSchema['properties'],
  idProperty: string,
): Record<string, Schema> {
  const own = topOf(idProperty);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== own));
}
