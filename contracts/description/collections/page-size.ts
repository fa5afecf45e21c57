import { defined } from '../defined.ts';
import type { Operation, Parameter } from '../operation.ts';
import type { RawDocument } from '../schema.ts';
import { toPlainName } from './plain-name.ts';
import { isNumber, objectAlternative } from './schema-types.ts';

/** How many items a list shows at once, by the query parameter `name`, as far as the document says. */
export type PageSize = { name: string; min?: number; max?: number; default?: number };

/** Common names of the parameter that bounds a list, without their separators. */
const pageSizeNames = (
  'limit pagesize perpage maxresults top first take size count pagelimit itemsperpage ' +
  'resultsperpage maxitems maxpagesize pagelen rows'
).split(' ');

/** The page size of a list, by the parameter that bounds it and is no filter. */
export function pageSizeOf(
  raw: RawDocument,
  { parameters }: Operation,
  filters: readonly string[] = [],
): PageSize | undefined {
  const bounds = parameters.filter(
    ({ name, in: place, schema }) =>
      place === 'query' && !filters.includes(name) && isNumber(objectAlternative(raw, schema)),
  );
  const parameter = pageSizeNames
    .map((known) => bounds.find(({ name }) => toPlainName(name) === known))
    .find((found) => found);
  return parameter && toPageSize(raw, parameter);
}

function toPageSize(raw: RawDocument, { name, schema }: Parameter): PageSize {
  const { minimum: min, maximum: max, default: size } = objectAlternative(raw, schema) ?? {};
  const ifNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return defined({ name, min: ifNumber(min), max: ifNumber(max), default: ifNumber(size) });
}

/** The page size of a list, where the document gives both of its bounds. */
export function boundedPageSize({
  pageSize,
}: {
  pageSize?: PageSize;
}): (PageSize & { min: number; max: number }) | undefined {
  const { min, max } = pageSize ?? {};
  return pageSize && min !== undefined && max !== undefined ? { ...pageSize, min, max } : undefined;
}
