import { heldSchemaOf } from '../content.ts';
import type { Operation } from '../operation.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { isSuccess } from '../success.ts';
import { findWrappedItem } from './item-form.ts';
import { findList } from './list-rules.ts';
import { objectAlternative } from './schema-types.ts';

/** What an operation answers its success with, as a schema. */
export function successOf({ responses }: Operation): Schema | undefined {
  const success = responses.find(isSuccess);
  return success && heldSchemaOf(success);
}

/** The schema of the items that an operation lists; undefined where it lists no objects. */
export function itemsOf(raw: RawDocument, operation: Operation): Schema | undefined {
  return findList(raw, operation)?.items;
}

/** The schema of the one object that an operation answers with; undefined where it does not. */
export function itemOf(raw: RawDocument, operation: Operation): Schema | undefined {
  const answered = successOf(operation);
  const success = findWrappedItem(raw, answered, shownIn(operation))?.schema ?? answered;
  if (isObject(raw, success)) return success;
  const alternative = success && objectAlternative(raw, success);
  return isObject(raw, alternative) ? alternative : undefined;
}

/** How the items of an operation are found in its answers. */
export function shownIn({ path, shownAt: at }: Operation) {
  return { path, at };
}

function isObject(raw: RawDocument, schema: Schema | undefined): boolean {
  return Object.keys(flatten(raw, schema).properties).length > 0;
}

/** What tells a schema from those of other things: its name in the document, or its properties. */
export function identityOf(raw: RawDocument, schema: Schema): string {
  return typeof schema.$ref === 'string' ? schema.$ref : namesOf(flatten(raw, schema));
}

/** Whether schemas describe the same items: by the same name, or with the same properties. */
export function isSameItem(raw: RawDocument, left: Schema, right: Schema): boolean {
  if (left === right || (left.$ref !== undefined && left.$ref === right.$ref)) return true;
  const [one, other] = [flatten(raw, left), flatten(raw, right)].map(namesOf);
  return one !== '' && one === other;
}

function namesOf({ properties }: FlatSchema): string {
  return Object.keys(properties).toSorted().join();
}
