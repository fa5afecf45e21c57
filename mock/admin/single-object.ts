import type { ApiDocument, Resource } from '../../contracts/description/document.ts';
import { decodePercent } from '../http/parameters/raw-pairs.ts';
import type { GivenFields } from '../items/item-edits.ts';
import { createToScopeMembers } from '../state/scopes.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a single object with what its id says: the values of the parameters in its path, a
 * slash in front of each. One whose path has none needs no id.
 */
export function toSingle(
  document: ApiDocument,
  resource: Resource,
  { value, doubles, bytes }: GivenFields,
  id = (value as Fields)[resource.idProperty],
): GivenFields {
  const { scope = [], idProperty } = resource;
  const own = id ?? (scope.length === 0 ? '/' : undefined);
  if (own === undefined) return { value, doubles, bytes };
  const texts = String(own).split('/').slice(1);
  const members = {
    [idProperty]: own,
    ...createToScopeMembers(
      document,
      resource,
    )(scope.map((one, index) => ({ scope: one, text: decodePercent(texts[index] ?? '') ?? '' }))),
  };
  return {
    value: { ...members, ...(value as Fields) },
    doubles: { ...members, ...(doubles as Fields) },
    bytes,
  };
}
