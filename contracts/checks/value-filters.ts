import { listedValues } from '../cases/list-cases.ts';
import type { ApiDocument, Resource } from '../description/document.ts';

/**
 * The filters of a list whose values a document lists both for the parameter and for the property of
 * its name, with the values that both have, as texts.
 */
export function valueFilters(
  document: ApiDocument,
  { filters, item, operations: { list } }: Resource,
): Map<string, readonly string[]> {
  const found = filters.map((name) => {
    const parameter = list?.parameters.find((one) => one.in === 'query' && one.name === name);
    const ofItems = new Set(listedValues(document, item.properties[name]));
    const values = listedValues(document, parameter?.schema).filter((one) => ofItems.has(one));
    return [name, values] as const;
  });
  return new Map(found.filter(([, values]) => values.length > 1));
}
