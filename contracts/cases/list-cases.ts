import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { boundedPageSize } from '../document/stated.ts';
import { type Case, type CaseStage, type DescribedResource, plainCase } from './case.ts';

/**
 * The survey at the start of a run, repeated later: everything that the list shows. `round`
 * distinguishes surveys of one stage.
 */
export function surveyCases(
  described: DescribedResource,
  stage: 'before' | 'refused' | 'after' | 'last',
  round?: string,
): Case[] {
  const { list } = described.resource.operations;
  if (!list) return [];
  const size = boundedPageSize(described.resource);
  const when = { stage, ...(round !== undefined && { round }) };
  const whole = { ...(size && { limit: size.max }), ...when };
  return [
    listCase(list, whole),
    ...(stage === 'before' && size ? [listCase(list, when)] : []),
    ...filterValues(described).map(([filter, value]) =>
      listCase(list, { ...whole, filters: { [filter]: value } }),
    ),
  ];
}

/** Sizes at which a deployment may cap its pages, or which show that it caps them at a smaller one. */
const likelyCaps = [37, 42, 50, 75];

/** Boundaries of the page size, filters, and both together. */
export function listCases(described: DescribedResource): Case[] {
  const { list } = described.resource.operations;
  const size = boundedPageSize(described.resource);
  if (!list || !size) return [];
  const { min, max, default: byDefault = min } = size;
  const aroundDefault = [byDefault - 1, byDefault, byDefault + 1];
  const limits = [min, min + 1, ...aroundDefault, ...likelyCaps, max - 1].filter(
    (limit) => limit >= min && limit <= max,
  );
  const filters = filterValues(described);
  return [
    ...[...new Set(limits)].map((limit) => listCase(list, { limit })),
    ...filters.flatMap(([filter, value]) => [
      ...[...new Set([min, Math.min(min + 4, max)])].map((limit) =>
        listCase(list, { limit, filters: { [filter]: value } }),
      ),
      listCase(list, { filters: { [filter]: value } }),
    ]),
  ];
}

type ListOptions = {
  limit?: number;
  filters?: Readonly<Record<string, string>>;
  stage?: CaseStage;
  /** Distinguishes cases of one stage. */
  round?: string;
};

export function listCase(
  list: Operation,
  { limit, filters = {}, stage, round }: ListOptions,
): Case {
  const query = [
    ...Object.entries(filters).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    ),
    ...(limit === undefined ? [] : [`${listRulesOf(list).pageSize?.name}=${limit}`]),
  ].join('&');
  const when = stage && ` (${stage}${round === undefined ? '' : `, ${round}`})`;
  return {
    ...plainCase(list, `${query || 'plain'}${when ?? ''}`),
    path: `${list.path}${query && `?${query}`}`,
    purpose: { kind: 'list', ...(limit !== undefined && { limit }), filters },
    ...(stage && { stage }),
    priority: 1,
  };
}

/** The values that a schema lists, as texts; those of a boolean too. */
export function listedValues({ schemas }: Pick<Api, 'schemas'>, schema: Schema = {}): string[] {
  const { type, enum: values } = schemas.objectAlternative(schema) ?? {};
  if (Array.isArray(values)) return values.map(String);
  return [type].flat().includes('boolean') ? ['true', 'false'] : [];
}

/** Each value of each filter that the document lists values for. */
export function filterValues({
  document,
  resource,
}: DescribedResource): (readonly [filter: string, value: string])[] {
  const { list } = resource.operations;
  return listRulesOf(list).filters.flatMap((filter) => {
    const parameter = list?.parameters.find(({ name }): boolean => name === filter);
    return listedValues(document, parameter?.schema).map((value) => [filter, value] as const);
  });
}

/**
 * The filters of a list whose values a document lists for the parameter, as texts: those that the
 * property of its name may have, too.
 */
export function valueFilters(
  document: Api,
  { item, operations: { list } }: Resource,
): Map<string, readonly string[]> {
  const found = listRulesOf(list).filters.map((name) => {
    const parameter = list?.parameters.find((one) => one.in === 'query' && one.name === name);
    const ofItems = listedValues(document, item.properties[name]);
    const asked = listedValues(document, parameter?.schema);
    const values = asked.filter((one) => ofItems.length === 0 || ofItems.includes(one));
    return [name, values] as const;
  });
  return new Map(found.filter(([, values]) => values.length > 1));
}
