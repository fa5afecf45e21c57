import { hasAt, valueAt, withoutAt } from '../../../contracts/description/property-path.ts';
import type { DescribedCollection } from '../../admin/collection-handlers.ts';
import { stringifyExact } from '../../json/exact-integers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { parseJson as parse } from '../../pages/browser/exact-json.ts';
import { type FormField, toDraft, toItemJson } from './item-fields.ts';
import { toItemPatch } from './item-patch.ts';

type Item = Readonly<Record<string, unknown>>;

type Written = {
  collection: Pick<DescribedCollection, 'name' | 'idProperty'>;
  /** What is changed; undefined for a new one. */
  item?: Item | undefined;
  json: string;
  /** The fields of the form that it was written in; false for a text of JSON. */
  fields: readonly FormField[] | false;
};

/**
 * The call that stores what was written: it adds an item, patches one with what differs from what
 * was shown, or replaces it where no patch can.
 */
export function toItemOperation({ collection, item, json, fields }: Written): Operation {
  const { name, idProperty } = collection;
  const place = `data/${encodeURIComponent(name)}`;
  if (!item) return { method: 'POST', path: place, text: json };
  const id = valueAt(item, idProperty);
  const path = `${place}/${encodeURIComponent(String(id))}`;
  const after: unknown = parse(json);
  const hasId = typeof after === 'object' && after !== null && hasAt(after as Item, idProperty);
  const shown = fields
    ? toItemJson(fields, toDraft(fields, item)).json
    : stringifyExact(hasId ? item : withoutAt(item, idProperty));
  const patch = shown === undefined ? undefined : toItemPatch(shown, json);
  return patch === undefined
    ? { method: 'PUT', path, text: json }
    : { method: 'PATCH', path, text: patch };
}
