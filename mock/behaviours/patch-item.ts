import {
  type ApiDocument,
  describeSchema,
  type FlatSchema,
} from '../../contracts/description/document.ts';
import { isObject } from '../../contracts/description/schema.ts';
import { fits } from '../json/validator.ts';
import type { Call } from './behaviour.ts';

/** What the merge patch (RFC 7396) in a body makes of an item. */
export type PatchItem = (item: unknown, call: Pick<Call, 'body' | 'source'>) => unknown;

/**
 * Makes what patches items. It keeps nulls that an item may have: all that are sent as plain JSON,
 * where null is a value like others, and those of a merge patch without which the item would lack
 * what it requires.
 */
export function createPatchItem(document: ApiDocument, item: FlatSchema): PatchItem {
  const merge = (
    target: unknown,
    patch: unknown,
    { properties, required }: FlatSchema,
    isMerge: boolean,
  ): unknown => {
    if (!isObject(patch)) return patch;
    const fields = new Map(Object.entries(isObject(target) ? target : {}));
    for (const [name, value] of Object.entries(patch)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const mayKeep = schema && (!isMerge || required.includes(name));
      if (value === null && !(mayKeep && fits(document, schema, null))) fields.delete(name);
      else if (isObject(value))
        fields.set(
          name,
          merge(fields.get(name), value, describeSchema(document, schema ?? {}), isMerge),
        );
      else fields.set(name, value);
    }
    return Object.fromEntries(fields);
  };
  return (target, { body = {}, source }) => {
    const isMerge = /^[^;]*merge-patch\+json/i.test(source.headers['content-type'] ?? '');
    return merge(target, body, item, isMerge);
  };
}
