import type { Resource } from '../../contracts/description/document.ts';
import { toByteText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { filterOf, memberOf, pickHidden, scopesOf } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The item as stores hold it: its id first (that of the fields unless another is given), then the
 * properties that the document describes, in its order. Fields that it does not describe are
 * dropped, unless items of the resource may have any. What it is scoped by stays in any case.
 */
export function toStoredItem(
  resource: Resource,
  fields: Fields,
  id: unknown = fields[resource.idProperty],
): StoredItem {
  const { idProperty, item, isOpen, filters } = resource;
  const isScoped = resource.scope !== undefined || resource.views !== undefined;
  const described: Record<string, unknown> = isOpen
    ? { [idProperty]: id, ...fields, [idProperty]: id }
    : isScoped
      ? { ...pickHidden(resource, fields), [idProperty]: id }
      : { [idProperty]: id };
  for (const name in item.properties)
    if (name !== idProperty && Object.hasOwn(fields, name)) described[name] = fields[name];
  const values: Record<string, string> = {};
  for (const name of filters)
    if (Object.hasOwn(described, name)) values[name] = String(described[name]);
  if (isScoped) addScopes(resource, described, values);
  return { id: String(id), json: toByteText(stringifyExact(described)), filters: values };
}

function addScopes(resource: Resource, item: Fields, values: Record<string, string>): void {
  for (const scope of scopesOf(resource)) {
    const member = memberOf(scope);
    if (Object.hasOwn(item, member)) values[filterOf(scope)] = String(item[member]);
  }
}
