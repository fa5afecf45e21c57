import type { Kind, Operation, Resource } from '../../openapi/index.ts';
import { isOnCollection } from '../../openapi/model/kinds.ts';
import { withId } from '../cases/read-cases.ts';
import { toSegment, withoutQuery } from '../transcript/ids.ts';

/** A parameter of a path, and the path as far as it goes. */
export type PathParameter = { name: string; path: string };

/** The parameters of a template, with a path of its form as far as each goes, from a depth on. */
export function parametersIn(
  template: string,
  segments: readonly string[],
  depth = 0,
): PathParameter[] {
  return template.split('/').flatMap((part, index): PathParameter[] => {
    const name = /\{([^{}]+)\}/.exec(part)?.[1];
    const path = segments.slice(0, index + 1).join('/');
    return name === undefined || index < depth ? [] : [{ name, path }];
  });
}

/** The paths that name an item, as far as its operations and the path of its create tell. */
export function itemPathsOf({ operations }: Resource, collection: string, id: string): string[] {
  const segment = toSegment(id);
  if (segment === undefined) return [];
  const described = Object.entries(operations).flatMap(([kind, one]) =>
    isOnCollection(kind as Kind) ? [] : [pathOnItem(one, collection, segment)],
  );
  return [...described, `${collection}/${segment}`].map(withoutQuery);
}

/** The path of an operation on an item, whose collection is at a path. */
export function pathOnItem(operation: Operation, collection: string, segment: string): string {
  const above = withoutQuery(collection).split('/');
  const isOpen = (part: string) => /^\{[^{}]*\}$/.test(part);
  return withId(operation, segment)
    .split('/')
    .map((part, index) => (isOpen(part) ? (above[index] ?? part) : part))
    .join('/');
}
