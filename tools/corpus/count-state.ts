import { answerSourceOf } from '../../mock/documented/answer-source.ts';
import type { Operation } from '../../openapi/index.ts';

const onCollection = ['get', 'post'];
const onItem = ['get', 'put', 'patch', 'post', 'delete'];

/** How many operations the twin keeps state for. */
export type StateCounts = {
  /** Operations that read or change what the twin stores. */
  withState: number;
  /** Operations that look like those of a collection by their paths. */
  crudShaped: number;
  /** The number of those operations that read or change the twin's state. */
  crudWithState: number;
};

/** The description of the column of collection-like operations, in Markdown. */
export const columnOfCollections = `- *collections*: of the operations on a path that the document also has with one parameter behind it (\`/users\`), and on
  that longer path (\`/users/{id}\`), those with state.`;

/** Counts the operations that the twin keeps state for. */
export function countState(operations: readonly Operation[]): StateCounts {
  const shaped = findCrudShaped(operations);
  const count = (some: readonly Operation[]) =>
    some.filter((one) => answerSourceOf(one) === 'store').length;
  return {
    withState: count(operations),
    crudShaped: shaped.length,
    crudWithState: count(shaped),
  };
}

/**
 * The operations that look like those of a collection by their paths alone: a path that the
 * document also has with one parameter behind it, and that longer path.
 */
export function findCrudShaped(operations: readonly Operation[]): Operation[] {
  const paths = new Set(operations.map(({ path }) => path));
  const collections = new Set(
    [...paths].map(toCollection).filter((path) => path !== undefined && paths.has(path)),
  );
  return operations.filter(({ method, path }) => {
    const name = method.toLowerCase();
    return (
      (collections.has(path) && onCollection.includes(name)) ||
      (collections.has(toCollection(path)) && onItem.includes(name))
    );
  });
}

/** The path without the parameter that is its last segment. */
function toCollection(path: string): string | undefined {
  return /^(.+)\/\{[^}/]+\}$/.exec(path)?.[1];
}
