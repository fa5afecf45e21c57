import type { ApiDocument, Resource, Schema } from '../../contracts/description/document.ts';
import { createParseQuery, type ParseQuery, type QueryParameter } from '../http/parse-query.ts';
import type { CompileSchema } from '../json/validator.ts';

/** Query parameters of the admin itself, which hide filters of these names. */
const paging = ['skip', 'limit'];

const anyText: Schema = {};

/** The filters of a collection that the admin API takes. */
export function adminFiltersOf({ filters }: Resource): string[] {
  return filters.filter((name) => !paging.includes(name));
}

/** Makes the readers of the filters of a collection, as the list of the API reads them. */
export function createParseFilters(
  resource: Resource,
  { document, compileSchema }: { document: ApiDocument; compileSchema: CompileSchema },
): { parsePage: ParseQuery; parseFilters: ParseQuery } {
  const names = adminFiltersOf(resource);
  const filters = (resource.operations.list?.parameters ?? []).filter(
    ({ name, in: place }) => place === 'query' && names.includes(name),
  );
  const own = paging.map((name) => ({ name, in: 'query' as const, schema: anyText }));
  const toParse = (parameters: readonly Omit<QueryParameter, 'required'>[]) => {
    const optional = parameters.map((one) => ({ ...one, required: false }));
    return createParseQuery(document, { parameters: optional }, compileSchema, {
      refusesOthers: true,
    });
  };
  return { parsePage: toParse([...filters, ...own]), parseFilters: toParse(filters) };
}
