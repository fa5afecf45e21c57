import { oncePer } from '../../common/once-per.ts';
import { parametersIn } from '../../common/path-template.ts';
import { hasAt, valueAt } from '../../common/property-path.ts';
import type { Api, Operation, Resource, Scope } from '../../openapi/index.ts';
import { placementAt, placementsOf } from '../../openapi/model/placements.ts';
import { type ByteText, parseInteger, parseNumber, toIdText } from '../json/exact-json.ts';
import type { Filters } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the member of an item that holds the value of a scope: the described property, or a
 * hidden member. Hidden members stand in front of the id, and no answer shows them.
 */
export function memberOf({ property, parameter }: Scope): string {
  return property ?? `{${parameter}}`;
}

/**
 * Returns the name by which stores filter items by a scope; no filter of the document has this
 * name.
 */
export function filterOf({ property, parameter }: Scope): string {
  return `{${property ?? parameter}}`;
}

/**
 * Returns the scopes of a collection and its views, and the properties besides its id by which
 * paths name an item.
 */
export const scopesOf = oncePer((resource: Resource): readonly Scope[] => {
  const all = placementsOf(resource).flatMap(({ scope, key }) => [
    ...scope.filter(({ isOpen }) => !isOpen),
    ...(key === undefined ? [] : [{ parameter: key, property: key }]),
  ]);
  return [...new Map(all.map((one) => [filterOf(one), one])).values()];
});

/** Holds the other origin of the page that set an endpoint; no parameter has this name. */
export const originMember = '{/origin}';

/** Holds who created an item, if rules ask for it. */
export const creatorMember = '{/creator}';

/** The members that an item of a collection has besides its properties. */
export const hiddenMembersOf = oncePer((resource: Resource): readonly string[] => [
  ...scopesOf(resource)
    .filter(({ property }) => property === undefined)
    .map(memberOf),
  ...(resource.endpoint ? [originMember] : []),
  ...(resource.knowsCreator ? [creatorMember] : []),
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

/**
 * Creates a filter that removes hidden members from an item's JSON; undefined if there are none.
 */
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
  return scope.map((one) => ({ scope: one, text: toIdText(valueAt(item, memberOf(one))) }));
}

/** Reads the scopes of the calls of an operation. */
export type ReadScopes = (params: Readonly<Record<string, string>>) => readonly ScopeValue[];

/** Creates a reader of the scopes in an operation's path; undefined if there are none. */
export function createReadScopes(
  resource: Resource,
  operation: Pick<Operation, 'path'>,
): ReadScopes | undefined {
  const found = placementAt(resource, operation.path)?.scope ?? [];
  if (found.length === 0) return undefined;
  // Paths of one collection may name the same parameter differently.
  const names = parametersIn(operation.path);
  return (params) =>
    found.map((scope, index) => ({ scope, text: params[names[index] ?? ''] ?? '' }));
}

/** Whether items hold the value of a scope. */
function isTied({ scope }: ScopeValue): boolean {
  return !scope.isOpen;
}

/** Returns the filters by which stores find the items of scopes. */
export function toScopeFilters(values: readonly ScopeValue[]): Filters {
  return Object.fromEntries(
    values.filter(isTied).map(({ scope, text }) => [filterOf(scope), text]),
  );
}

/**
 * Creates the conversion of scopes to the members that hold them, of the types that the document
 * describes.
 */
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
        const parse = types.includes('number')
          ? parseNumber
          : types.includes('integer')
            ? parseInteger
            : undefined;
        return [memberOf(scope), parse?.(text) ?? text];
      }),
    );
}

/**
 * Whether an item is in all of the scopes. An item from elsewhere that lacks a hidden member may be
 * in any scope.
 */
export function isInScopes(item: Fields, values: readonly ScopeValue[]): boolean {
  return values.filter(isTied).every(({ scope, text }) => {
    const member = memberOf(scope);
    if (!hasAt(item, member)) return scope.property === undefined;
    return toIdText(valueAt(item, member)) === text;
  });
}
