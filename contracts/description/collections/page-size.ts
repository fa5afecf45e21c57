import type { Operation, Parameter } from '../operation.ts';
import { type RawDocument, resolve } from '../schema.ts';

/** How many items a list shows at once, by the query parameter `name`, as far as the document says. */
export type PageSize = { name: string; min?: number; max?: number; default?: number };

/** Common names of the parameter that bounds a list, without their separators. */
const pageSizeNames = [
  'limit',
  'pagesize',
  'perpage',
  'maxresults',
  'top',
  'first',
  'take',
  'size',
  'count',
];

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The page size of a list, by the parameter that bounds it and is no filter. */
export function pageSizeOf(
  raw: RawDocument,
  { parameters }: Operation,
  filters: readonly string[] = [],
): PageSize | undefined {
  const bounds = parameters.filter(
    ({ name, in: place, schema }) =>
      place === 'query' && !filters.includes(name) && resolve(raw, schema).type === 'integer',
  );
  const parameter = pageSizeNames
    .map((known) => bounds.find(({ name }) => plain(name) === known))
    .find((found) => found);
  return parameter && toPageSize(raw, parameter);
}

function toPageSize(raw: RawDocument, { name, schema }: Parameter): PageSize {
  const { minimum: min, maximum: max, default: size } = resolve(raw, schema);
  return {
    name,
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
    ...(typeof size === 'number' && { default: size }),
  };
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
