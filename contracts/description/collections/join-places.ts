import type { RawDocument } from '../schema.ts';
import { type Candidate, isCollection } from './candidate.ts';
import { joinThings } from './join-things.ts';
import { asks, searches } from './operations-on.ts';
import { lastWordOf, shapeOf } from './places.ts';
import type { Resource } from './resource.ts';
import { toScopes } from './scopes.ts';
import { isSameItem } from './success.ts';
import { singular } from './words.ts';

/**
 * The collections of which several places show a part each. `/users/{userId}/posts` beside
 * `/posts/{postId}` is one collection; beside `/posts`, it shows those of one user. `/posts/drafts`
 * shows a part of `/posts` if it has a filter, and so does a search at any path that names the schema
 * of posts.
 */
export function joinPlaces(raw: RawDocument, candidates: readonly Candidate[]): Resource[] {
  const left = new Set(candidates);
  const byWord = Map.groupBy(candidates, ({ resource: { path } }) => lastWordOf(path));
  const byShape = new Map(candidates.map((one) => [shapeOf(one.resource.path), one]));
  const isSame = (one: Candidate, other: Candidate) => isSameItem(raw, one.schema, other.schema);
  for (const part of candidates.filter((one) => !hasItems(one))) {
    const { path } = part.resource;
    const above = byShape.get(shapeOf(path.slice(0, path.lastIndexOf('/'))));
    if (above && (hasItems(above) || isSearch(part)) && isSame(part, above)) {
      left.delete(part);
      if (part.isFiltered) addView(above.resource, part.resource);
      continue;
    }
    // `/silences` beside `/silence/{id}`.
    const single = [...left].find(
      (other) => hasItems(other) && isSingular(other, part) && isSame(part, other),
    );
    if (single) {
      left.delete(single);
      moveItems(part.resource, single.resource);
      continue;
    }
    const searched = findSearched(part, left);
    if (searched) {
      left.delete(part);
      addView(searched.resource, part.resource);
      continue;
    }
    const wholes = (byWord.get(lastWordOf(path)) ?? []).filter(
      (other) => hasItems(other) && left.has(other) && isNested(part, other) && isSame(part, other),
    );
    const [whole] = wholes;
    if (!whole || wholes.length > 1) continue;
    const { list, create, read } = whole.resource.operations;
    if (list || create) {
      if (!isView(raw, part.resource, whole.resource)) continue;
      left.delete(part);
      addView(whole.resource, part.resource);
    } else if (read) {
      // Where several nested lists show the same items, nothing tells which has them all.
      const rivals = (byWord.get(lastWordOf(path)) ?? []).filter(
        (other) => !hasItems(other) && isNested(other, whole) && isSame(other, whole),
      );
      if (rivals.length > 1) continue;
      left.delete(whole);
      moveItems(part.resource, whole.resource);
    }
  }
  const things = joinThings(raw, [...left]);
  return things.map(({ resource }) => resource).filter(isCollection);
}

/** Whether a path is another with its last word in the singular. */
function isSingular(
  { resource: { path: one } }: Candidate,
  { resource: { path: many } }: Candidate,
): boolean {
  const word = lastWordOf(many);
  return one !== many && one === many.slice(0, -word.length) + singular(word);
}

/** Whether a path is another with an item more before its end: `/users/{userId}/posts`, `/posts`. */
function isNested({ resource: nested }: Candidate, { resource: { path } }: Candidate): boolean {
  const segments = shapeOf(nested.path).split('/');
  if (segments.at(-2) !== '{}') return false;
  return segments.toSpliced(-3, 2).join('/') === shapeOf(path);
}

/** Whether a place has operations on one item. */
function hasItems({ resource: { operations } }: Candidate): boolean {
  const { read, replace, update, delete: remove } = operations;
  return [read, replace, update, remove].some((one) => one !== undefined);
}

/** Whether a place only asks for items, such as `/posts/search`. */
function isSearch({ resource: { operations } }: Candidate): boolean {
  const { list, ...others } = operations;
  return list !== undefined && Object.keys(others).length === 0 && asks(list);
}

/** The one collection whose items a search elsewhere shows, such as `/find`: both name their schema. */
function findSearched(part: Candidate, left: ReadonlySet<Candidate>): Candidate | undefined {
  const { $ref } = part.schema;
  const { path, operations } = part.resource;
  const isOwn = !operations.list || !searches(operations.list) || path.includes('{');
  if (isOwn || operations.create || !part.isFiltered) return undefined;
  const isWhole = (other: Candidate) =>
    other !== part &&
    $ref !== undefined &&
    other.schema.$ref === $ref &&
    !other.resource.path.includes('{') &&
    (hasItems(other) || other.resource.operations.create !== undefined);
  const [whole, ...rivals] = [...left].filter(isWhole);
  return rivals.length === 0 ? whole : undefined;
}

function addView(whole: Resource, part: Resource): void {
  const { path, operations, filters, pageSize, listForm } = part;
  const view = {
    path,
    operations,
    filters,
    scope: [],
    ...(pageSize && { pageSize }),
    ...(listForm && { listForm }),
  };
  whole.views = [...(whole.views ?? []), view];
}

/** Gives a nested collection the operations on its items, which have a path of their own. */
function moveItems(
  nested: Resource,
  { operations, idProperty, idHolder, idSchema }: Resource,
): void {
  Object.assign(nested.operations, operations);
  Object.assign(nested, { idProperty, idSchema, ...(idHolder && { idHolder }) });
}

/** Whether the items of a collection tell which of them a nested path shows. */
function isView(raw: RawDocument, { path }: Resource, whole: Resource): boolean {
  return toScopes(raw, whole, path).every(
    ({ property }, index) => property !== undefined || index < depthOf(whole.path),
  );
}

function depthOf(path: string): number {
  return path.split('{').length - 1;
}
