import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { singular, toPlainName } from '../../common/words.ts';
import { addsItems, isOnCollection, type Kind } from '../model/kinds.ts';
import type { Operation } from '../model/operation.ts';
import { operationsOf, placementsOf } from '../model/placements.ts';
import { idParameterOf, type Resource, type View } from '../model/resource.ts';
import { flatten, type RawDocument } from '../schema.ts';
import { arrayNamed } from './actions.ts';
import { type Candidate, isCollection } from './candidate.ts';
import { markLinks } from './links.ts';
import { addMakes } from './makes.ts';
import { isHinted } from './operations-on.ts';
import { addOtherViews, homeOfList } from './other-views.ts';
import { agrees } from './schema-types.ts';
import { parentPropertyOf, toScopes } from './scopes.ts';
import { isSameItem } from './success.ts';

/** The places that are no views of others, while rules look at them. */
type FreePlaces = {
  raw: RawDocument;
  all: () => Candidate[];
  /** Returns the places without a hint. */
  free: () => Candidate[];
  /** Returns the places whose paths have a shape. */
  at: (shape: string) => Candidate[];
};

/** The part of a place in another one: it is a view, has its items alone, or is about no items. */
type PlaceClaim = { as: 'none' } | { as: 'view' | 'items'; home: Candidate; key?: string };

type Claim = { part: Candidate } & PlaceClaim;

/** A way in which a place is about the items of another. */
type PlaceRule = {
  name: string;
  claims: (left: FreePlaces) => Iterable<Claim>;
  /** An operation beside those of `/pets`, and the resource that it works on. */
  example: string;
};

/** Creates the claims of a rule that looks at each free place by itself. */
const claimsOfEach = (find: (part: Candidate, left: FreePlaces) => PlaceClaim | undefined) =>
  function* (left: FreePlaces): Iterable<Claim> {
    for (const part of left.free()) {
      const found = find(part, left);
      if (found) yield { part, ...found };
    }
  };

/** Returns a view of a place; undefined where there are several, or none. */
function viewOf([home, ...others]: readonly Candidate[]): PlaceClaim | undefined {
  return home && others.length === 0 ? { as: 'view', home } : undefined;
}

/** Rules for places, in their order; what one of them claims is no place for later ones. */
export const placeRules: readonly PlaceRule[] = [
  {
    name: 'is about the item above it',
    claims: claimsOfEach((part, left) =>
      isAboutItemAbove(left, part) ? { as: 'none' } : undefined,
    ),
    example: 'POST /pets/{id}/toys Pet -> 201 Pet => none',
  },
  {
    name: 'names items by another property',
    claims: claimsOfEach((part, { raw, at }) => homeOfLookup(raw, part, at)),
    example: 'GET /pets/names/{name} -> 200 Pet => pets',
  },
  {
    name: 'has the last word of a place with the same items, one of which creates them',
    *claims({ raw, free }) {
      for (const family of familiesOf(raw, free())) {
        const ranked = family.toSorted((one, other) => rankOf(one) - rankOf(other));
        const [home, ...parts] = ranked as [Candidate, ...Candidate[]];
        for (const part of parts)
          if (isItemsOf(part, home)) yield { part, as: 'items', home };
          else if (!isMembership(raw, part, home)) yield { part, as: 'view', home };
      }
    },
    example: 'POST /owners/{id}/pets Pet -> 201 Pet => pets',
  },
  {
    name: 'lists and creates what one other place does, by the name of that or below it or its items',
    claims: claimsOfEach((part, { raw, all, at }) => {
      const { path } = part.resource;
      const above = new Set(at(shapeOf(path.slice(0, path.lastIndexOf('/')))));
      const isNamed = (one: Candidate) =>
        above.has(one) ||
        (/\}\/[^/{}]+$/.test(path) && (endsAlike(part, one) || isBelow(raw, part, one)));
      const isHome = (one: Candidate) => isSame(one, part) && isWhole(one) && isNamed(one);
      return isSublist(part) ? viewOf(all().filter(isHome)) : undefined;
    }),
    example: 'POST /pets/{id}/subpets Pet -> 201 Pet, GET /pets/{id}/subpets -> 200 [Pet] => pets',
  },
  {
    name: 'only creates what one other place, above it or anywhere, reads and does not create',
    claims: claimsOfEach((part, { all, at }) => {
      const { path } = part.resource;
      const isHome = (one: Candidate) =>
        isSame(one, part) && hasItems(one) && !addsItems(one.resource.operations);
      const above = at(shapeOf(path.slice(0, path.lastIndexOf('/')))).filter(isHome);
      // What only answers with an item, such as `/pets/restore`, may have found it.
      const isSaid = above.length > 0 && /^(new|create|add)$/i.test(lastWordOf(path));
      if (!isCreateAlone(part) || !(isSaid || isMade(part))) return undefined;
      return viewOf(above.length === 0 ? all().filter(isHome) : above);
    }),
    example: 'POST /leases Short -> 202 Shop, GET /shops/{id} -> 200 Shop => shops',
  },
  {
    name: 'lists what another place has',
    claims: claimsOfEach((part, { all }) => {
      const { shows, resource } = part;
      const home = isListAlone(part) && homeOfList(all(), { path: resource.path, shows, part });
      return home ? { as: 'view', home } : undefined;
    }),
    example: 'GET /starred -> 200 [Pet] => pets',
  },
  {
    name: 'lists by the name of another place what that has, by the item above it',
    claims: claimsOfEach((part, { raw, all }) => {
      const isHome = (one: Candidate) => one !== part && isListOf(raw, part, one);
      return isListAlone(part) ? viewOf(all().filter(isHome)) : undefined;
    }),
    example: 'GET /owners/{ownerId}/pets -> 200 [Short] => pets',
  },
];

/**
 * The things of a document. Places that show one schema are about one thing, which is stored once:
 * what `POST /user/repos` creates is read at `/repos/{owner}/{repo}` and listed at
 * `/users/{username}/repos`. One place is the home of a thing, and the others are views of it.
 */
export function toThings(
  raw: RawDocument,
  candidates: readonly Candidate[],
  operations: readonly Operation[],
  { isStated = false }: { isStated?: boolean } = {},
): Resource[] {
  const left = new Set(candidates);
  const byShape = Map.groupBy(candidates, ({ resource }) => shapeOf(resource.path));
  const places: FreePlaces = {
    raw,
    all: () => [...left],
    free: () => [...left].filter((one) => !isTold(one) && !one.resource.linksTo),
    at: (shape) => byShape.get(shape)?.filter((one) => left.has(one)) ?? [],
  };
  if (!isStated)
    for (const part of findLinks(places, operations))
      for (const related of listsOfLinked(places, part)) {
        left.delete(related);
        addView(part, related);
      }
  const ranked = [...left].toSorted((one, other) => rankOf(one) - rankOf(other));
  addMakes(raw, ranked, operations);
  for (const { claims } of placeRules)
    for (const claim of claims(places)) {
      left.delete(claim.part);
      if (claim.as === 'view') addView(claim.home, claim.part, claim.key);
      if (claim.as === 'items') addItems(claim.home.resource, claim.part.resource);
    }
  addOtherViews(raw, [...left], operations);
  return [...left].map(({ resource }) => resource).filter(isCollection);
}

/** Finds the places that link items of others; the home of these has the best rank. */
function findLinks(left: FreePlaces, operations: readonly Operation[]): Candidate[] {
  const { raw, all, free } = left;
  const byShape = Map.groupBy(operations, ({ path }) => shapeOf(path));
  const homes = all().filter((one) => isCreated(one) || one.resource.operations.read);
  const calledAs = ({ resource: { path, idProperty } }: Candidate) =>
    `${toPlainName(lastWordOf(path))} ${idProperty}`;
  const byName = Map.groupBy(homes, calledAs);
  const byShown = Map.groupBy(
    homes.flatMap((home) => [...home.shows].map((shown) => ({ shown, home }))),
    ({ shown }) => shown,
  );
  return free().filter((part) => {
    if (!part.resource.operations.list || isAboutItemAbove(left, part)) return false;
    const shown = [part, ...listsOfLinked(left, part)].flatMap(({ shows }) => [...shows]);
    const alike = new Set(byName.get(calledAs(part)));
    for (const one of shown) for (const { home } of byShown.get(one) ?? []) alike.add(home);
    const [home] = homes
      .filter((one) => one !== part && alike.has(one))
      .filter((one) => !one.resource.linksTo && rankOf(one) < rankOf(part))
      .toSorted((one, other) => rankOf(one) - rankOf(other));
    return home && markLinks(raw, { part, home }, (shape) => byShape.get(shape) ?? []);
  });
}

/**
 * The lists of what is linked at a place with one word more: `/users/{id}/teams` has what
 * `/users/{id}/relationships/teams` links (JSON:API 1.1, Related Resource Links).
 */
function listsOfLinked({ at }: FreePlaces, { resource: { path } }: Candidate): Candidate[] {
  const [, above, word] = /^(.*)\/[^/{}]+(\/[^/{}]+)$/.exec(shapeOf(path)) ?? [];
  return above?.endsWith('}') ? at(`${above}${word}`).filter(isListAlone) : [];
}

/** Whether the document says what is done at a place. */
function isTold({ resource }: Candidate): boolean {
  return operationsOf(resource).some(isHinted);
}

function isSame(one: Candidate, other: Candidate): boolean {
  return one !== other && !one.shows.isDisjointFrom(other.shows);
}

function isCreated({ resource }: Candidate): boolean {
  return placementsOf(resource).some(({ operations }) => addsItems(operations));
}

function hasItems({ resource: { operations } }: Candidate): boolean {
  return Object.keys(operations).some((kind) => !isOnCollection(kind as Kind));
}

/** Whether a place needs no other: what it creates can be named there. */
function isWhole(candidate: Candidate): boolean {
  return isCreated(candidate) && hasItems(candidate);
}

function isCreateAlone(one: Candidate): boolean {
  return isCreated(one) && Object.keys(one.resource.operations).length === 1;
}

/** Whether what a place creates is said to be made, at once or later. */
function isMade({ resource: { operations } }: Candidate): boolean {
  return operations.create?.responses.some(({ status }) => /^20[12]$/.test(status)) === true;
}

function isListAlone({ resource: { operations } }: Candidate): boolean {
  return operations.list !== undefined && Object.keys(operations).length === 1;
}

/** Whether the name of a place ends with that of another: `subtasks` with `tasks`. */
function endsAlike(part: Candidate, home: Candidate): boolean {
  const [own = '', other = ''] = [part, home].map(({ resource: { path } }) =>
    toPlainName(lastWordOf(path)),
  );
  return own.endsWith(other);
}

/** Whether a place is below the items of another, each of which names the one above it. */
function isBelow(raw: RawDocument, part: Candidate, { resource: home }: Candidate): boolean {
  const above = shapeOf(part.resource.path).split('/').slice(0, -1).join('/');
  return above === `${shapeOf(home.path)}/{}` && parentPropertyOf(raw, home) !== undefined;
}

/** Whether a place only lists and creates. */
function isSublist(candidate: Candidate): boolean {
  const { list } = candidate.resource.operations;
  return isCreated(candidate) && !hasItems(candidate) && list !== undefined;
}

/**
 * The families of places with the same last word that show the same, of which one creates what
 * another shows: `/users/{id}/playlists` and `/playlists/{id}`.
 */
function familiesOf(raw: RawDocument, candidates: readonly Candidate[]): Candidate[][] {
  const byWord = Map.groupBy(candidates, ({ resource: { path } }) => singular(lastWordOf(path)));
  return [...byWord.values()].flatMap((group) => {
    const families: Candidate[][] = [];
    for (const one of group) {
      const joins = (other: Candidate) =>
        (isSame(one, other) || isSameItem(raw, one.schema, other.schema)) &&
        !(isWhole(one) && isWhole(other));
      const joined = families.filter((family) => family.some(joins));
      for (const family of joined) families.splice(families.indexOf(family), 1);
      families.push([...joined.flat(), one]);
    }
    return families.filter((family) => family.length > 1 && family.some(isCreated));
  });
}

/** Whether a place has the operations on items that the home of a thing lacks, and no others. */
function isItemsOf(part: Candidate, home: Candidate): boolean {
  const { path, idProperty, operations } = part.resource;
  const isNamedAlike = idProperty === home.resource.idProperty && !path.endsWith('}');
  return isNamedAlike && !hasItems(home) && !isCreated(part) && !operations.list;
}

/** Adds the operations on items, of which the paths say what form ids have. */
function addItems(home: Resource, { operations, idSchema, shownIds }: Resource): void {
  Object.assign(home.operations, operations);
  if (home.idSchema.type !== idSchema.type) return;
  home.idSchema = { ...home.idSchema, ...idSchema };
  if (shownIds) home.shownIds = shownIds;
}

/**
 * Ranks the candidate for a resource's own path: it creates and names items, below as few parents
 * as possible.
 */
function rankOf(candidate: Candidate): number {
  const depth = candidate.resource.path.split('{').length;
  return (isCreated(candidate) ? 0 : 100) + (hasItems(candidate) ? 0 : 10) + depth;
}

/**
 * Whether a place below an item is about that one: a POST answers with it, or the last word names an
 * array that it has, and nothing there is created and named, there or at a path for that alone.
 */
function isAboutItemAbove({ raw, all, at }: FreePlaces, part: Candidate): boolean {
  const { path, operations } = part.resource;
  const above = shapeOf(path).split('/').slice(0, -2).join('/');
  const isNamedBy = (one: Candidate) =>
    isSame(one, part) && hasItems(one) && !isCreated(one) && endsAlike(part, one);
  const isOwn =
    isWhole(part) ||
    operations.read ||
    operations.update ||
    (isCreated(part) && all().some(isNamedBy));
  return at(above).some((one) => {
    if (!hasItems(one)) return false;
    const isOfArray = !isOwn && arrayNamed(raw, one.resource, lastWordOf(path)) !== undefined;
    return isOfArray || (isCreateAlone(part) && isSame(one, part));
  });
}

/**
 * Whether a place says which things belong to another, and makes none: `DELETE
 * /issues/{number}/labels/{id}` takes a label from an issue, and the label stays.
 */
function isMembership(raw: RawDocument, part: Candidate, home: Candidate): boolean {
  const { path, operations } = part.resource;
  const { delete: remove, replace, update } = operations;
  if (isCreated(part) || path.endsWith('}') || !(remove ?? replace ?? update)) return false;
  const outer = new Set(prefixesOf(home.resource.path));
  const scopes = toScopes(raw, home.resource, path);
  return prefixesOf(path).some(
    (prefix, index) => !outer.has(prefix) && scopes[index]?.property === undefined,
  );
}

/** Returns the text before each parameter of a path, without the names of parameters. */
function prefixesOf(path: string): string[] {
  const parts = shapeOf(path).split('{}');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('{}'));
}

/**
 * The collection whose items a path below it names by another property: `/releases/tags/{tag}` by
 * `tag_name`, `/users/email/{email}` by `email`.
 */
function homeOfLookup(
  raw: RawDocument,
  part: Candidate,
  at: FreePlaces['at'],
): PlaceClaim | undefined {
  const { path, operations, item } = part.resource;
  const { read } = operations;
  if (!read || operations.list || isCreated(part)) return undefined;
  const above = shapeOf(path.slice(0, path.lastIndexOf('/')));
  const home = at(above).find((one) => isSame(one, part));
  if (!home) return undefined;
  const word = lastWordOf(path);
  const words = [idParameterOf(read) ?? '', singular(word)].map(toPlainName);
  const wanted = words.flatMap((one) => [one, `${one}name`]);
  const key = Object.keys(item.properties).find(
    (name) =>
      wanted.includes(toPlainName(name)) &&
      Object.keys(flatten(raw, item.properties[name]).properties).length === 0,
  );
  return key === undefined ? undefined : { as: 'view', home, key };
}

/**
 * Whether a list below an item shows items of another place, though with fewer properties: it is called
 * as that, whose items have all of these and name the item above.
 */
function isListOf(raw: RawDocument, { resource: part }: Candidate, home: Candidate): boolean {
  const { path, item, idProperty, operations } = home.resource;
  const names = Object.keys(part.item.properties);
  return (
    lastWordOf(part.path) === lastWordOf(path) &&
    idProperty === part.idProperty &&
    (isCreated(home) || operations.read !== undefined) &&
    names.every((name) => Object.hasOwn(item.properties, name)) &&
    agrees(raw, part.item, item) &&
    toScopes(raw, home.resource, part.path).some(({ property }) => property !== undefined)
  );
}

function addView({ resource: home }: Candidate, part: Candidate, key?: string): void {
  const { path, operations, idProperty, item, shownIds, views = [] } = part.resource;
  const view: View = { path, operations, scope: [] };
  const named = key ?? idProperty;
  if (named !== home.idProperty && hasItems(part)) view.key = named;
  home.views = [...(home.views ?? []), view, ...views];
  if (shownIds && !view.key) home.shownIds = [...new Set([...(home.shownIds ?? []), ...shownIds])];
  home.item = {
    properties: { ...item.properties, ...home.item.properties },
    required: home.item.required,
  };
}
