import { objectAlternative } from '../../contracts/description/collections/schema-types.ts';
import type { ApiDocument, Resource, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import { type ByteText, toByteText } from '../json/exact-json.ts';
import { fieldsOf } from './stored-item.ts';

/** Leaves out of the JSON of an item what an answer must not have. */
export type OmitUnshown = (json: ByteText) => ByteText;

/**
 * Makes what leaves out of an item what an answer must not have: its schema allows no property but
 * its own, and items have others. Undefined where items may be shown as they are.
 */
export function createOmitUnshown(
  document: ApiDocument,
  { item, isOpen }: Resource,
  schema: Schema,
): OmitUnshown | undefined {
  const isClosed = objectAlternative(document.raw, schema)?.additionalProperties === false;
  if (!isClosed || isOpen) return undefined;
  const { properties } = describeShown(document, schema);
  const isShown = (name: string) => Object.hasOwn(properties, name);
  if (Object.keys(item.properties).every(isShown)) return undefined;
  return (json) => {
    const fields = fieldsOf(json);
    const shown = Object.entries(fields).filter(([name]) => isShown(name));
    return toByteText(stringifyExact(Object.fromEntries(shown)));
  };
}
