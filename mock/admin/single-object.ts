import type { ApiDocument, Resource } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { decodePercent } from '../http/parameters/read-written.ts';
import { type GivenFields, ItemError } from '../items/item-edits.ts';
import { describeValue } from '../json/problems.ts';
import { createToScopeMembers } from '../state/scopes.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a single object with what its id says: the values of the parameters in its path, a
 * slash in front of each. One whose path has none needs no id. Throws {@link ItemError} where the
 * fields say something else.
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
  const values = scope.map((one, index) => {
    const text = decodePercent(texts[index] ?? '');
    if (text === undefined) throw notEncoded(idProperty, String(own));
    return { scope: one, text };
  });
  const members = createToScopeMembers(document, resource)(values);
  ensureAsInId(value as Fields, members, String(own));
  const all = { [idProperty]: own, ...members };
  return {
    value: { ...all, ...(value as Fields) },
    doubles: { ...all, ...(doubles as Fields) },
    bytes,
  };
}

function notEncoded(name: string, id: string): ItemError {
  const problem = `"${name}" must have values in percent-encoding, but is ${describeValue(id)}.`;
  return new ItemError([{ pointer: `/${toToken(name)}`, problem }]);
}

function ensureAsInId(given: Fields, members: Fields, id: string): void {
  const problems = Object.entries(members).flatMap(([name, wanted]) => {
    const got = Object.hasOwn(given, name) ? given[name] : wanted;
    if (String(got) === String(wanted)) return [];
    const expected = `"${name}" must be ${describeValue(wanted)}, as in the id ${id}`;
    return [
      { pointer: `/${toToken(name)}`, problem: `${expected}, but is ${describeValue(got)}.` },
    ];
  });
  if (problems.length > 0) throw new ItemError(problems);
}
