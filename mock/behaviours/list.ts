import type { Resource } from '../../contracts/description/document.ts';
import { createIsEqual, splitFilters } from '../items/find-items.ts';
import type { OmitUnshown } from '../items/omit-unshown.ts';
import type { ByteText } from '../json/byte-text.ts';
import type { Behaviour } from './behaviour.ts';

/**
 * Lists items in order of creation: those that equal every filter given, at most as many as the
 * page size. What is not among the `indexed` filters is looked for in each item; `omit` leaves out
 * what answers must not have.
 */
export function createListBehaviour(
  resource: Resource,
  indexed: ReadonlySet<string> = new Set(resource.filters),
  omit?: OmitUnshown,
): Behaviour {
  const { pageSize } = resource;
  const sizeName = pageSize?.name;
  const defaultSize = pageSize?.default ?? pageSize?.max ?? Number.POSITIVE_INFINITY;
  const join = (items: readonly ByteText[]) => (omit ? items.map(omit) : items).join(',');
  return async ({ store, query }) => {
    const { filters, others } = splitFilters(resource, indexed, query);
    const limit =
      sizeName !== undefined && query[sizeName] !== undefined
        ? Number(query[sizeName])
        : defaultSize;
    const isMeant = createIsEqual(others);
    const found = await store.list(resource.name, {
      filters,
      limit: isMeant ? Number.POSITIVE_INFINITY : limit,
    });
    const items = isMeant
      ? found.values().filter(isMeant).take(Math.max(0, limit)).toArray()
      : found;
    return { status: 200, json: `[${join(items)}]` as ByteText };
  };
}
