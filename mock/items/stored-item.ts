import type { Resource } from '../../contracts/description/document.ts';
import { hasAt, topOf, valueAt, withAt } from '../../contracts/description/property-path.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { type ByteText, parseExact, toByteText, toText } from '../json/exact-json.ts';
import { filterOf, memberOf, pickHidden, scopesOf } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';

/** The fields of an item. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an item that a store holds. */
export function fieldsOf(json: ByteText): Fields {
  return parseExact(toText(json)).value as Fields;
}

/**
 * The item as stores hold it: its id first (that of the fields unless another is given), then the
 * properties that the document describes, in its order. Fields that it does not describe are
 * dropped, unless items of the resource may have any. What it is scoped by stays in any case.
 */
export function toStoredItem(
  resource: Resource,
  fields: Fields,
  id: unknown = valueAt(fields, resource.idProperty),
): StoredItem {
  const { idProperty, idHolder, item, isOpen, filters } = resource;
  const isScoped = resource.scope !== undefined || resource.views !== undefined;
  // An object that holds the id stands where the document describes it.
  const first = idHolder ? {} : { [idProperty]: id };
  const own = idHolder ? topOf(idProperty) : idProperty;
  const described: Record<string, unknown> = isOpen
    ? withAt(fields, idProperty, id)
    : isScoped
      ? { ...pickHidden(resource, fields), ...first }
      : first;
  for (const name in item.properties)
    if (name !== own && Object.hasOwn(fields, name)) described[name] = fields[name];
    else if (name === own && idHolder) Object.assign(described, holderOf(resource, fields, id));
  const values: Record<string, string> = {};
  for (const name of filters)
    if (Object.hasOwn(described, name)) values[name] = String(described[name]);
  if (isScoped) addScopes(resource, described, values);
  return { id: String(id), json: toByteText(stringifyExact(described)), filters: values };
}

/** The object that holds the id of an item. */
function holderOf({ idProperty }: Resource, fields: Fields, id: unknown): Fields {
  const own = topOf(idProperty);
  return withAt(Object.hasOwn(fields, own) ? { [own]: fields[own] } : {}, idProperty, id);
}

function addScopes(resource: Resource, item: Fields, values: Record<string, string>): void {
  for (const scope of scopesOf(resource)) {
    const member = memberOf(scope);
    if (hasAt(item, member)) values[filterOf(scope)] = String(valueAt(item, member));
  }
}
