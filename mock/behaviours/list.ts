import type { ApiDocument, Resource, Schema } from '../../contracts/document.ts';
import { resolveSchema } from '../../contracts/document.ts';
import type { Behaviour } from './behaviour.ts';

/** Lists items in order of creation: those that equal every filter given, at most as many as the page size. */
export function createListBehaviour(resource: Resource, document: ApiDocument): Behaviour {
  const { filters: filterNames, pageSize } = resource;
  const largest = pageSize === undefined ? Number.POSITIVE_INFINITY : defaultPageSize(document, resource, pageSize);
  return async ({ store, query }) => {
    const filters: Record<string, string> = {};
    for (const name of filterNames) if (query[name] !== undefined) filters[name] = query[name];
    const limit = pageSize !== undefined && query[pageSize] !== undefined ? Number(query[pageSize]) : largest;
    const items = await store.list(resource.name, { filters, limit });
    return { status: 200, json: `[${items.join(',')}]` };
  };
}

function defaultPageSize(document: ApiDocument, resource: Resource, pageSize: string): number {
  const parameter = resource.operations.list?.parameters.find(({ name }) => name === pageSize);
  const { default: usual, maximum }: Schema = resolveSchema(document, parameter?.schema ?? {});
  return Number(usual ?? maximum ?? Number.POSITIVE_INFINITY);
}
