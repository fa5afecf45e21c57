import { formTypes, sequenceMarkOf } from '../../common/media-type.ts';
import { describedAt } from '../described-at.ts';
import { shownOf } from '../marks.ts';
import { type Operation, shownIn, successOf, takesListBelow } from '../model/operation.ts';
import { placementsOf } from '../model/placements.ts';
import type { Resource } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { findWrappedItem, type WrappedItem } from './item-form.ts';
import { findListForm } from './list-form.ts';
import { findList } from './list-rules.ts';
import { objectAlternative, saysNothing } from './schema-types.ts';

/** The schema of the items that an operation lists; undefined where it lists no objects. */
export function itemsOf(raw: RawDocument, operation: Operation): Schema | undefined {
  return findList(raw, operation)?.items;
}

/** The schema of the one object that an operation answers with; undefined where it does not. */
export function itemOf(raw: RawDocument, operation: Operation): Schema | undefined {
  const answered = successOf(operation);
  const success = findWrappedItem(raw, answered, shownIn(operation))?.schema ?? answered;
  const shown = [success, objectAlternative(raw, success)];
  return shown.find((one) => Object.keys(flatten(raw, one).properties).length > 0);
}

type WithBody = Pick<
  Operation,
  'path' | 'plainPath' | 'body' | 'otherBody' | 'takenAt' | 'takenAs'
> &
  Partial<Pick<Operation, 'responses' | 'shownAt'>>;

/** The schema of a whole body, as JSON, a form, XML or the list that a sequence stands for. */
export function sentSchemaOf({ body, otherBody }: WithBody): Schema | undefined {
  if (body) return body.schema;
  return otherBody?.contents.find(
    ({ mediaType, isXml }) =>
      isXml || formTypes.includes(mediaType) || sequenceMarkOf(mediaType) !== undefined,
  )?.schema;
}

/** The schema of the fields that an operation takes; undefined without any. */
export function bodySchemaOf(raw: RawDocument, operation: WithBody): Schema | undefined {
  const { takenAs } = operation;
  return takenAs?.schema ?? findWrappedBody(raw, operation)?.schema ?? sentSchemaOf(operation);
}

/**
 * The property of a body that holds the fields, such as `{"article": {...}}`, or the one that holds
 * what the success shows, or is called as there, whatever is beside it: `{"Data": {}, "Risk": {}}`.
 */
export function findWrappedBody(raw: RawDocument, operation: WithBody): WrappedItem | undefined {
  const { plainPath: path = operation.path, takenAt: at, responses = [], shownAt } = operation;
  const schema = sentSchemaOf(operation);
  const wrapped = findWrappedItem(raw, schema, { path, at });
  const answered = successOf({ responses });
  if (wrapped || !schema || !answered) return wrapped;
  const shown = findWrappedItem(raw, answered, { path, at: shownAt });
  const { pointer: [called] = [], schema: item = answered } = shown ?? {};
  const own = flatten(raw, schema).properties;
  const name = Object.keys(own).find(
    (one) => one === called || isSameItem(raw, own[one] ?? {}, item),
  );
  if (name === undefined) return undefined;
  const { properties } = flatten(raw, item);
  const countShown = (fields: object) =>
    Object.keys(fields).filter((one) => Object.hasOwn(properties, one)).length;
  const held = own[name] ?? {};
  const isAny = name === called && saysNothing(raw, held);
  return isAny || countShown(flatten(raw, held).properties) > countShown(own)
    ? { pointer: [name], schema: held }
    : undefined;
}

/** The schema of the items of which an operation takes a list; undefined where it takes none. */
export function bodyItemsOf(raw: RawDocument, operation: WithBody): Schema | undefined {
  const { takenAs } = operation;
  if (takesListBelow(operation)) return bodySchemaOf(raw, operation);
  const found = findListForm(raw, sentSchemaOf(operation), operation);
  return found?.form.pointer.length === 0 && !found.form.isMap && !found.form.within
    ? (takenAs?.schema ?? found.items)
    : undefined;
}

/** Returns the identity of a schema: its name in the document, or its properties. */
export function identityOf(raw: RawDocument, schema: Schema): string {
  return typeof schema.$ref === 'string' ? schema.$ref : propertiesIn(flatten(raw, schema));
}

/** Whether schemas describe the same items: by the same name, or with the same properties. */
export function isSameItem(raw: RawDocument, left: Schema, right: Schema): boolean {
  if (left === right || (left.$ref !== undefined && left.$ref === right.$ref)) return true;
  const { properties } = flatten(raw, right);
  const names = Object.keys(flatten(raw, left).properties);
  const isAll = names.length > 0 && names.length === Object.keys(properties).length;
  return isAll && names.every((name) => Object.hasOwn(properties, name));
}

function propertiesIn({ properties }: FlatSchema): string {
  return Object.keys(properties).toSorted().join();
}

/** The schemas of the items of a collection that its operations answer with, each once. */
export function answeredItems(raw: RawDocument, resource: Resource): Schema[] {
  const { idProperty, item, isSingle, linksTo } = resource;
  const schemas = placementsOf(resource).flatMap(({ operations: byKind }) =>
    Object.values(byKind).flatMap((one) => {
      const schema = one === byKind.list ? itemsOf(raw, one) : itemOf(raw, one);
      if (schema === undefined) return [];
      const flat = shownOf(raw, flatten(raw, schema));
      // It may answer with a note that the item is gone, such as {"id": 1, "deleted": true}.
      const isNote =
        one === byKind.delete &&
        !flat.required.every((name) => Object.hasOwn(item.properties, name));
      const isShowing = one === byKind.list || one === byKind.read;
      // What links an item may answer with the one that it belongs to.
      const hasId = !linksTo && describedAt(raw, flat, idProperty) !== undefined;
      const isItem = isSingle || isShowing || hasId;
      return isItem && !isNote ? [schema] : [];
    }),
  );
  return [...new Map(schemas.map((schema) => [schema.$ref ?? schema, schema])).values()];
}
