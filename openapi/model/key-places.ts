import type { Requirement, Security, SecurityScheme } from './security.ts';

/** The place of a key in a request: a header, a query parameter, a cookie, or Authorization. */
export type KeyPlace = (
  | { in: 'header' | 'query' | 'cookie'; name: string }
  /** The scheme as it is written, such as Bearer; Basic has the key as its password. */
  | { in: 'authorization'; scheme: string }
) & {
  /** The name of the scheme in the document. */
  schemeName?: string;
};

/**
 * Returns the places of the key in a call of an operation, by the first way in that a key opens;
 * none if the operation lets everybody in.
 */
export function keyPlacesOf({ waysIn }: Security): KeyPlace[] {
  if (waysIn.some((way) => !way.some(isKeyed))) return [];
  const way = waysIn.find((one) => one.every(isKeyed)) ?? waysIn[0] ?? [];
  const places = new Map<string, KeyPlace>();
  for (const { scheme } of way) {
    const place = toKeyPlace(scheme);
    // A request has one field of a name, and one Authorization.
    const at = place && 'name' in place ? `${place.in} ${place.name}` : place?.in;
    if (place && at !== undefined) places.set(at, { ...place, schemeName: scheme.name });
  }
  return [...places.values()];
}

/** Whether an operation lets nobody in without a key. */
export function asksForKey(operation: Security | undefined): boolean {
  return operation !== undefined && keyPlacesOf(operation).length > 0;
}

/** Returns the place of the key of a scheme; undefined if the scheme has none. */
export function toKeyPlace(scheme: SecurityScheme): KeyPlace | undefined {
  switch (scheme.type) {
    case 'apiKey':
      return { in: scheme.in, name: scheme.parameter };
    case 'http':
      return { in: 'authorization', scheme: toSchemeName(scheme.scheme) };
    case 'oauth2':
    case 'openIdConnect':
      return { in: 'authorization', scheme: 'Bearer' };
    default:
      return undefined;
  }
}

/** The names of the headers and the query parameters that hold keys. */
export type KeyNames = { headers: string[]; parameters: string[] };

/** The names of all fields of their own in which operations take keys. */
export function keyNamesOf(operations: readonly Security[]): KeyNames {
  const places = operations
    .flatMap(({ waysIn }) => waysIn.flat())
    .flatMap(({ scheme }) => toKeyPlace(scheme) ?? []);
  const namesIn = (where: 'header' | 'query') => [
    ...new Set(places.flatMap((place) => (place.in === where ? [place.name] : []))),
  ];
  return { headers: namesIn('header'), parameters: namesIn('query') };
}

/** A scheme of HTTP as it is written. */
export function toSchemeName(scheme: string): string {
  return scheme === 'dpop' ? 'DPoP' : scheme.slice(0, 1).toUpperCase() + scheme.slice(1);
}

function isKeyed({ scheme }: Requirement): boolean {
  return toKeyPlace(scheme) !== undefined;
}
