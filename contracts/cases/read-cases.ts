import type { Operation } from '../../openapi/index.ts';
import type { Case, DescribedResource } from './case.ts';

/** Reads of listed items, and of ids that no item has. */
export function readCases({ resource }: DescribedResource): Case[] {
  const { read } = resource.operations;
  if (!read) return [];
  const { name } = resource;
  return [
    ...['first', 'middle', 'last'].map((which) => ({
      ...readCase(read, `{{id.${name}.${which}}}`, { kind: 'read', id: which }, 1),
      id: `${read.id}/the ${which} listed`,
    })),
    ...['near', 'far', 'farther'].map((which) => ({
      ...readCase(read, `{{unknown.${name}.${which}}}`, { kind: 'unknown-id' }, 1),
      id: `${read.id}/an unknown id, ${which}`,
    })),
  ];
}

/** Reads of the items that the run created. */
export function readCreatedCases(
  { resource }: DescribedResource,
  creates: readonly Case[],
): Case[] {
  const { read } = resource.operations;
  if (!read) return [];
  return creates
    .filter(
      ({ operation, purpose }) =>
        purpose.kind === 'create' && operation === resource.operations.create,
    )
    .map((create) => ({
      ...readCase(read, `{{created.${create.id}}}`, { kind: 'read', id: create.id }, 1),
      id: `${read.id}/of ${create.id}`,
    }));
}

/** The path of an operation on an item with the item's id; what is above it stays open. */
export function withId({ path }: { path: string }, id: string): string {
  return path.replace(/\{[^{}]+\}(?=[^/{}]*\/?$)/, () => id);
}

export function readCase(
  read: Operation,
  id: string,
  purpose: Case['purpose'],
  priority: Case['priority'],
): Case {
  return { ...plainCase(read, id), path: withId(read, id), purpose, priority };
}

/** A call of an operation with a valid key, without parameters; of an item, the first listed. */
export function plainCase(operation: Operation, name: string): Case {
  return {
    id: `${operation.id}/${name}`,
    operation,
    method: operation.method,
    path: operation.resource
      ? withId(operation, `{{id.${operation.resource}.first|1}}`)
      : operation.path,
    credential: 'valid',
    purpose: { kind: 'call' },
    priority: 2,
    writes: false,
  };
}
