import { toToken } from '../../common/json-pointer.ts';
import type { Api, Operation, Schema } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { statedSuccesses } from './stated.ts';

/** A count in the answer of a list: of all its items (`total`), or of those on the page (`count`). */
export type DescribedCount = { role: 'total' | 'count'; path: readonly string[] };

/** Words by which a description says that a number counts items; other totals are sums. */
const ofAll = /\b(number|count|total)\b/i;
const ofPage = /\b(number|count)\b.*\b(page|returned|response|results?)\b/i;
const ofThisPage = /\b(this|current) (page|response)\b|\breturned\b/i;
const ofSome = /\b(about|approximate\w*|at most|capped|estimate\w*|roughly|up to)\b/i;
const ofSums = /\b(price|amount|sum|cost|value|(of|total) pages)\b/i;

/** The counts of a list that the document describes in words of its own. */
export function describedCounts(document: Api, operation: Operation): DescribedCount[] {
  const [success] = statedSuccesses(operation);
  return listRulesOf(operation).form.fields.flatMap(({ role, path }): DescribedCount[] => {
    if (role !== 'total' && role !== 'count') return [];
    const words = descriptionAt(document, success?.schema ?? {}, path);
    const isOfAll = ofAll.test(words) && !ofThisPage.test(words);
    const isMeant = role === 'total' ? isOfAll : ofPage.test(words);
    if (ofSums.test(words) || ofSome.test(words)) return [];
    return isMeant ? [{ role, path }] : [];
  });
}

/** Finds where a document describes the first count of a list, as a JSON pointer. */
export function findDescribedCount(document: Api): string | undefined {
  for (const operation of document.operations) {
    const [count] = describedCounts(document, operation);
    if (!count) continue;
    return `#/paths/${toToken(operation.path)}/${operation.method.toLowerCase()}/responses`;
  }
  return undefined;
}

function descriptionAt(document: Api, schema: Schema, path: readonly string[]): string {
  let inner = schema;
  for (const name of path) {
    const { properties } = document.schemas.resolve(inner);
    inner = (properties as Record<string, Schema> | undefined)?.[name] ?? {};
  }
  return String(inner.description ?? document.schemas.resolve(inner).description ?? '');
}
