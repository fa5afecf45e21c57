import { hasAt, valueAt } from '../../common/property-path.ts';
import type { Api, Operation, Resource, Scope } from '../../openapi/index.ts';
import { placementAt, placementsOf } from '../../openapi/model/placements.ts';
import { type ByteText, parseInteger } from '../json/exact-json.ts';
import { oncePer } from '../json/once-per.ts';
import type { Filters } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Where an item has the value of a scope: in the property that the document describes, or else in a
 * member of this name, in front of its id, that no answer of the API shows.
 */
export function memberOf({ property, parameter }: Scope): string {
  return property ?? `{${parameter}}`;
}

/** Under which name stores find items by a scope; no filter of the document has such a name. */
export function filterOf({ property, parameter }: Scope): string {
  return `{${property ?? parameter}}`;
}

/**
 * The scopes by which a collection is split, its own and those of its views, and as such the
 * properties besides its id by which paths name an item.
 */
export const scopesOf = oncePer((resource: Resource): readonly Scope[] => {
  const all = placementsOf(resource).flatMap(({ scope, key }) => [
    ...scope.filter(({ isOpen }) => !isOpen),
    ...(key === undefined ? [] : [{ parameter: key, property: key }]),
  ]);
  return [...new Map(all.map((one) => [filterOf(one), one])).values()];
});

/** Where an endpoint has the other origin of the page that set it; no parameter has such a name. */
export const originMember = '{/origin}';

/** The members that an item of a collection has besides its properties. */
export const hiddenMembersOf = oncePer((resource: Resource): readonly string[] => [
  ...scopesOf(resource)
    .filter(({ property }) => property === undefined)
    .map(memberOf),
  ...(resource.endpoint ? [originMember] : []),
]);

/** The hidden members of an item, which stay as they are. */
export function pickHidden(resource: Resource, item: Fields): Fields {
  if (hiddenMembersOf(resource).length === 0) return {};
  return Object.fromEntries(
    hiddenMembersOf(resource)
      .filter((name) => Object.hasOwn(item, name))
      .map((name) => [name, item[name]]),
  );
}

/** Makes what leaves hidden members out of the JSON of an item; undefined where it has none. */
export function createShow(resource: Resource): ((json: ByteText) => ByteText) | undefined {
  return hiddenMembersOf(resource).length === 0 ? undefined : withoutHidden;
}

/** The JSON of an item without the members that the API does not show. */
export function withoutHidden(json: ByteText): ByteText {
  return json.replace(hidden, '{') as ByteText;
}

/** The members at the start of an item's JSON whose names are in braces. */
const hidden = /^\{(?:"\{(?:[^"\\]|\\.)*\}":"(?:[^"\\]|\\.)*",?)+/;

/** The values of a call's scopes, as its path has them. */
export type ScopeValue = { scope: Scope; text: string };

/** Reads from an item the values of its collection's own scopes. */
export function scopeValuesOf({ scope = [] }: Resource, item: Fields): ScopeValue[] {
  return scope.map((one) => ({ scope: one, text: String(valueAt(item, memberOf(one))) }));
}

/** Reads the scopes of the calls of an operation. */
export type ReadScopes = (params: Readonly<Record<string, string>>) => readonly ScopeValue[];

/** Makes what reads the scopes of an operation; undefined where its path has none. */
export function createReadScopes(
  resource: Resource,
  operation: Pick<Operation, 'path'>,
): ReadScopes | undefined {
  const found = placementAt(resource, operation.path)?.scope ?? [];
  if (found.length === 0) return undefined;
  // Paths of one collection may name the same parameter differently.
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return (params) =>
    found.map((scope, index) => ({ scope, text: params[names[index] ?? ''] ?? '' }));
}

/** Whether items have the value of a scope. */
function isTied({ scope }: ScopeValue): boolean {
  return !scope.isOpen;
}

/** What a store finds the items of scopes by. */
export function toScopeFilters(values: readonly ScopeValue[]): Filters {
  return Object.fromEntries(
    values.filter(isTied).map(({ scope, text }) => [filterOf(scope), text]),
  );
}

/** Makes what items have at which places for scopes, of the types that the document describes. */
export function createToScopeMembers(
  document: Api,
  { item }: Resource,
): (values: readonly ScopeValue[]) => Fields {
  return (values) =>
    Object.fromEntries(
      values.filter(isTied).map(({ scope, text }) => {
        const schema =
          scope.property === undefined
            ? undefined
            : document.schemas.describedAt(item, scope.property);
        const types: unknown[] = schema ? [document.schemas.resolve(schema).type].flat() : [];
        const isNumber = types.includes('integer') || types.includes('number');
        return [memberOf(scope), (isNumber ? parseInteger(text) : undefined) ?? text];
      }),
    );
}

/**
 * Whether an item is in all of the scopes. One that was created elsewhere, and lacks what would be kept
 * beside it, may be in any.
 */
export function isInScopes(item: Fields, values: readonly ScopeValue[]): boolean {
  return values.filter(isTied).every(({ scope, text }) => {
    const member = memberOf(scope);
    if (!hasAt(item, member)) return scope.property === undefined;
    return String(valueAt(item, member)) === text;
  });
}
