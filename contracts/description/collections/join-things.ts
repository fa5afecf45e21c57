import { flatten, type RawDocument } from '../schema.ts';
import type { Candidate } from './candidate.ts';
import { arrayNamed } from './item-parts.ts';
import { isHinted } from './operations-on.ts';
import { lastWordOf, shapeOf } from './places.ts';
import { toPlainName } from './plain-name.ts';
import { idParameterOf, type View } from './resource.ts';
import { toScopes } from './scopes.ts';
import { singular } from './words.ts';

/**
 * Joins the places that show one thing. What `POST /user/repos` creates is read at
 * `/repos/{owner}/{repo}` and listed at `/users/{username}/repos`, as these show the same schema: one
 * place is the home of the thing, and the others are views of it.
 */
export function joinThings(raw: RawDocument, all: readonly Candidate[]): Candidate[] {
  const left = new Set(all);
  const isTold = ({ resource }: Candidate) => Object.values(resource.operations).some(isHinted);
  const candidates = all.filter((one) => !isTold(one));
  const join = (home: Candidate, part: Candidate, key?: string) => {
    left.delete(part);
    addView(home, part, key);
  };
  for (const part of candidates) {
    if (isAboutItemAbove(raw, part, left)) left.delete(part);
    const home = left.has(part) ? homeOfLookup(raw, part, left) : undefined;
    if (home) join(home.home, part, home.key);
  }
  for (const things of familiesOf(candidates.filter((one) => left.has(one)))) {
    const [home, ...parts] = things.toSorted((one, other) => rankOf(one) - rankOf(other));
    for (const part of parts) if (home && !isMembership(raw, part, home)) join(home, part);
  }
  for (const part of candidates) {
    const home = left.has(part) && isListAlone(part) ? homeOfList(part, left) : undefined;
    if (home) join(home, part);
  }
  return [...left];
}

/** What tells the things that a place shows from others: their names in the document. */
function isSame(one: Candidate, other: Candidate): boolean {
  return one !== other && !one.shows.isDisjointFrom(other.shows);
}

/**
 * The families of places with the same last word that show the same, of which one creates what
 * another shows: `/users/{id}/playlists` and `/playlists/{id}`.
 */
function familiesOf(candidates: readonly Candidate[]): Candidate[][] {
  const byWord = Map.groupBy(candidates, ({ resource: { path } }) => singular(lastWordOf(path)));
  return [...byWord.values()].flatMap((group) => {
    const families: Candidate[][] = [];
    for (const one of group) {
      const isOf = (family: Candidate[]) =>
        family.some((other) => isSame(one, other) && (!isWhole(one) || !isWhole(other)));
      const joined = families.filter(isOf);
      for (const family of joined) families.splice(families.indexOf(family), 1);
      families.push([...joined.flat(), one]);
    }
    return families.filter((family) => family.length > 1 && family.some(isCreated));
  });
}

function isCreated({ resource: { operations } }: Candidate): boolean {
  return (operations.create ?? operations.createMany) !== undefined;
}

function hasItems({ resource: { operations } }: Candidate): boolean {
  const { read, replace, update, delete: remove } = operations;
  return [read, replace, update, remove].some((one) => one !== undefined);
}

/** Whether a place needs no other: what it creates can be named there. */
function isWhole(candidate: Candidate): boolean {
  return isCreated(candidate) && hasItems(candidate);
}

/**
 * Whether a place below an item is about that one: a POST answers with it, or the last word names an
 * array that it has, and nothing there is created and named.
 */
function isAboutItemAbove(
  raw: RawDocument,
  part: Candidate,
  left: ReadonlySet<Candidate>,
): boolean {
  const { path, operations } = part.resource;
  const above = shapeOf(path).split('/').slice(0, -2).join('/');
  const isAbove = (one: Candidate) => shapeOf(one.resource.path) === above && hasItems(one);
  const isCreateAlone = Object.keys(operations).length === 1 && isCreated(part);
  const isOwn = isWhole(part) || operations.read || operations.update;
  const isOfArray = ({ resource }: Candidate) =>
    !isOwn && arrayNamed(raw, resource, lastWordOf(path)) !== undefined;
  return [...left].some(
    (one) => isAbove(one) && ((isCreateAlone && isSame(one, part)) || isOfArray(one)),
  );
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

/** What stands before each parameter of a path, without the names of others. */
function prefixesOf(path: string): string[] {
  return shapeOf(path)
    .split('{}')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('{}'));
}

function isListAlone({ resource: { operations } }: Candidate): boolean {
  return operations.list !== undefined && Object.keys(operations).length === 1;
}

/** The home of a thing is where it is created and named, and below as few others as can be. */
function rankOf(candidate: Candidate): number {
  const { path } = candidate.resource;
  const depth = path.split('{').length;
  return (isCreated(candidate) ? 0 : 100) + (hasItems(candidate) ? 0 : 10) + depth;
}

/** The one thing whose items a list shows, of several the one whose path begins most alike. */
function homeOfList(part: Candidate, left: ReadonlySet<Candidate>): Candidate | undefined {
  const homes = [...left].filter(
    (one) => isSame(one, part) && (isCreated(one) || one.resource.operations.read),
  );
  const commonOf = ({ resource: { path } }: Candidate) => commonLength(path, part.resource.path);
  const [best, next] = homes.toSorted((one, other) => commonOf(other) - commonOf(one));
  return best && (!next || commonOf(best) > commonOf(next)) ? best : undefined;
}

function commonLength(one: string, other: string): number {
  const [left, right] = [one, other].map((path) => shapeOf(path).split('/'));
  const differs = left?.findIndex((segment, index) => segment !== right?.[index]) ?? 0;
  return differs < 0 ? (left?.length ?? 0) : differs;
}

/**
 * The collection whose items a path below it names by another property: `/releases/tags/{tag}` by
 * `tag_name`, `/users/email/{email}` by `email`.
 */
function homeOfLookup(
  raw: RawDocument,
  part: Candidate,
  left: ReadonlySet<Candidate>,
): { home: Candidate; key: string } | undefined {
  const { path, operations, item } = part.resource;
  const { read } = operations;
  if (!read || operations.list || isCreated(part)) return undefined;
  const above = shapeOf(path.slice(0, path.lastIndexOf('/')));
  const home = [...left].find((one) => shapeOf(one.resource.path) === above && isSame(one, part));
  if (!home) return undefined;
  const word = lastWordOf(path).replace(/^by[_-]?/, '');
  const words = [idParameterOf(read) ?? '', singular(word)].map(toPlainName);
  const wanted = words.flatMap((one) => [one, `${one}name`]);
  const key = Object.keys(item.properties).find(
    (name) =>
      wanted.includes(toPlainName(name)) &&
      Object.keys(flatten(raw, item.properties[name]).properties).length === 0,
  );
  return key === undefined ? undefined : { home, key };
}

function addView({ resource: home }: Candidate, part: Candidate, key?: string): void {
  const { path, operations, filters, idProperty, item, shownIds, views = [] } = part.resource;
  const { pageSize, listForm } = part.resource;
  const view: View = { path, operations, filters, scope: [] };
  const named = key ?? idProperty;
  if (named !== home.idProperty && hasItems(part)) view.key = named;
  if (pageSize) view.pageSize = pageSize;
  if (listForm) view.listForm = listForm;
  home.views = [...(home.views ?? []), view, ...views];
  if (shownIds && !view.key) home.shownIds = [...new Set([...(home.shownIds ?? []), ...shownIds])];
  home.item = {
    properties: { ...item.properties, ...home.item.properties },
    required: home.item.required,
  };
}
