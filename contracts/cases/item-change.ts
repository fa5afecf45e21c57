import { parseJson, toJson } from '../../common/json.ts';
import { shapeOf } from '../../common/path-template.ts';
import { topOf } from '../../common/property-path.ts';
import type { Api, FlatSchema, Operation, Resource, Schema } from '../../openapi/index.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import type { SendableBody } from '../document/sendable-body.ts';
import type { Change, ExpectedEffect } from './case.ts';
import { freshText, type HeldValue, otherValue } from './fresh-value.ts';
import { namedIn, withOwnItems } from './references.ts';

type Item = Readonly<Record<string, unknown>>;

/** A change of an item, and what it makes of it. */
export type ItemChange = {
  how: Change;
  operation: Operation;
  body?: { mediaType: string; value: unknown } & Pick<SendableBody, 'form'>;
  expected: ExpectedEffect;
};

/**
 * An item as it was last seen, the values of it that the run has set, texts for new values that no
 * item has, and the properties that an update of the kind has named before.
 */
export type ItemFacts = Pick<HeldValue, 'marker' | 'fresh'> & {
  item: Item;
  own: Item;
  named?: readonly string[];
};

/** Another value for a property of a known item, which names no other; undefined where none fits. */
export function otherOf(
  document: Api,
  resource: Resource,
  { item, own, marker, fresh }: ItemFacts,
  { name, schema = {} }: { name: string; schema: Schema | undefined },
): unknown {
  const value = item[name];
  const isOwn = name in own && toJson(own[name]) === toJson(value);
  const other = otherValue(document, schema, { name, value, isOwn, marker, fresh });
  const field = { schema, name, value: other };
  if (namedIn(document, resource, field).length > 0) return undefined;
  return typeof other === 'object'
    ? withFresh(withOwnItems(document, resource, field), fresh)
    : other;
}

/** A list or an object with `fresh` in its free texts; undefined where it holds a number or a time. */
function withFresh(value: unknown, fresh: string): unknown {
  let count = 0;
  // What differs in two items of a list stays different.
  const toOther = () => {
    const digit = (count++).toString(16).at(-1);
    return `${fresh.slice(0, 6)}${digit}${fresh.slice(7)}`;
  };
  const text = toJson(value).replaceAll(freshText, toOther);
  return /\{\{(?:number\}|instant\}|RUN\}|varied\.)/.test(text) ? undefined : parseJson(text);
}

/** The properties that a change may set: not the id, nor the object that has it. */
export function withoutId(
  properties: FlatSchema['properties'],
  idProperty: string,
): Record<string, Schema> {
  const own = topOf(idProperty);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== own));
}

/** The id of an item, if it is changed at the path of its collection, which names no item. */
export function idInBody({ idProperty, path }: Resource, operation: Operation, item: Item): Item {
  const own = topOf(idProperty);
  const isOnCollection =
    idParameterOf(operation) === undefined && shapeOf(operation.path) === shapeOf(path);
  return isOnCollection ? { [own]: item[own] } : {};
}
