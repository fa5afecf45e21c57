import { once } from '../../common/once-per.ts';
import type { ListRules, Resource, ValueForm } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { type ByteText, toComparable } from '../json/exact-json.ts';
import type { Filters } from '../state/store.ts';
import { fieldsOf } from './stored-item.ts';

/** Filters by which a store can find each item, and others; the values of both are comparable. */
export type SplitFilters = { filters: Filters; others: Filters };

/** The names of the filters that a store has an index of. */
export type IndexedNames = Pick<ReadonlySet<string>, 'has'>;

/** Splits the filters that a query gives, by which of them a store has an index of. */
export function splitFilters(
  { filters: names, forms }: Pick<ListRules, 'filters' | 'forms'>,
  indexed: IndexedNames,
  query: Readonly<Record<string, string>>,
): SplitFilters {
  const filters: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const name of names)
    if (query[name] !== undefined)
      (indexed.has(name) ? filters : others)[name] = toComparable(query[name], forms[name]);
  return { filters, others };
}

/** Creates a test whether an item's JSON equals all filters; undefined without filters. */
export function createIsEqual(
  filters: Filters,
  { forms }: Pick<ListRules, 'forms'>,
): ((json: ByteText) => boolean) | undefined {
  const values = Object.entries(filters);
  if (values.length === 0) return undefined;
  return (json) => {
    const item = fieldsOf(json);
    return values.every(
      ([name, value]) =>
        Object.hasOwn(item, name) && toComparable(item[name], forms[name]) === value,
    );
  };
}

type ValueForms = ReadonlyMap<string, ValueForm | undefined>;

/**
 * The filters by which a store can find each item of a collection, with the forms of their values:
 * those that all documents so far had, with values of the same form. By others, items made before
 * are not found.
 */
export class IndexedFilters {
  readonly #byName: Map<string, () => ValueForms>;

  /** Looks at the rules of a list at its first use; those of the documents before at once. */
  constructor(resources: readonly Resource[], before?: IndexedFilters) {
    this.#byName = new Map(
      [...(before ? before.#byName : [])].map(([name, toForms]) => {
        const forms = toForms();
        return [name, () => forms];
      }),
    );
    for (const { name, operations } of resources) {
      const known = before?.get(name);
      this.#byName.set(
        name,
        once(() => {
          const { filters, forms } = listRulesOf(operations.list);
          const isSame = (one: string) =>
            !known || (known.has(one) && known.get(one) === forms[one]);
          return new Map(filters.filter(isSame).map((one) => [one, forms[one]]));
        }),
      );
    }
  }

  get(name: string): ValueForms | undefined {
    return this.#byName.get(name)?.();
  }
}
