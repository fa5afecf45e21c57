import type { Transaction } from 'dredd';
import { type ApiDocument, findResource, type Operation } from '../description/document.ts';

/**
 * Ids of items that the target has, as their JSON text holds them, by the path of their collection
 * without a slash.
 */
export type KnownIds = {
  isCollection(name: string): boolean;
  /** An item that this run created, or any that it was shown. */
  any(name: string): string | undefined;
  created(name: string): string | undefined;
  /** All that this run created, e.g. `pets/121`. */
  all(): string[];
};

/** Remembers the ids in the answers that `learn` is given. */
export function createKnownIds({ resources }: ApiDocument): KnownIds & {
  learn(operation: Operation, transaction: Transaction): void;
} {
  const listed = new Map<string, string>();
  const created = new Map<string, string[]>();
  return {
    isCollection: (name) => resources.some((resource) => resource.name === name),
    any: (name) => created.get(name)?.at(-1) ?? listed.get(name),
    created: (name) => created.get(name)?.at(-1),
    all: () => [...created].flatMap(([name, ids]) => ids.map((id) => `${name}/${id}`)),
    learn(operation, { real, fullPath }) {
      const { kind, method, path } = operation;
      if (!real || real.statusCode >= 300 || real.statusCode < 200) return;
      if (method === 'DELETE') {
        const owner = resources.find(
          (resource) => path.replace(/\/\{[^{}]+\}$/, '') === resource.path,
        );
        const removed = decodeURIComponent(fullPath.split('/').at(-1) ?? '');
        if (owner)
          created.set(
            owner.name,
            (created.get(owner.name) ?? []).filter((id) => id !== removed),
          );
        return;
      }
      const resource = findResource({ resources }, operation);
      if (!resource || kind === undefined) return;
      const body = parseWithNumbersAsText(real.body ?? '');
      const id = idOf(kind === 'list' && Array.isArray(body) ? body[0] : body, resource.idProperty);
      if (id === undefined) return;
      if (kind === 'create')
        created.set(resource.name, [...(created.get(resource.name) ?? []), id]);
      else listed.set(resource.name, id);
    },
  };
}

function idOf(item: unknown, property: string): string | undefined {
  const id =
    typeof item === 'object' && item !== null
      ? (item as Record<string, unknown>)[property]
      : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** An id beyond 2^53 must not be rounded. */
function parseWithNumbersAsText(text: string): unknown {
  type Reviver = (key: string, value: unknown, context: { source: string }) => unknown;
  const reviver: Reviver = (_, value, { source }) => (typeof value === 'number' ? source : value);
  try {
    return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}
