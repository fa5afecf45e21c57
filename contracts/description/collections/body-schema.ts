import type { Operation } from '../operation.ts';
import type { RawDocument, Schema } from '../schema.ts';
import { findWrappedItem, type WrappedItem } from './item-form.ts';
import { findListForm } from './list-form.ts';

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

type WithBody = Pick<Operation, 'path' | 'body' | 'otherBody' | 'takenAt'>;

/**
 * The schema of the fields that an operation takes, as JSON, a form or XML; undefined
 * without any.
 */
export function bodySchemaOf(raw: RawDocument, operation: WithBody): Schema | undefined {
  return findWrappedBody(raw, operation)?.schema ?? sentSchemaOf(operation);
}

/** The schema of the items of which an operation takes a list; undefined where it takes none. */
export function bodyItemsOf(raw: RawDocument, operation: WithBody): Schema | undefined {
  const found = findListForm(raw, sentSchemaOf(operation), operation);
  return found?.form.pointer.length === 0 ? found.items : undefined;
}

/** The property of a body that holds the fields, such as `{"article": {...}}`. */
export function findWrappedBody(raw: RawDocument, operation: WithBody): WrappedItem | undefined {
  const { path, takenAt: at } = operation;
  return findWrappedItem(raw, sentSchemaOf(operation), { path, at });
}

/** The schema of a whole body, as JSON, a form or XML. */
export function sentSchemaOf({ body, otherBody }: WithBody): Schema | undefined {
  if (body) return body.schema;
  return otherBody?.contents.find(({ mediaType, isXml }) => isXml || forms.includes(mediaType))
    ?.schema;
}
