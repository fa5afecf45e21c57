import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Operation,
  type Resource,
  type Schema,
} from '../description/document.ts';
import { findOpenLists, withOpenLists } from '../description/open-lists.ts';
import { partsOf, withAll } from '../description/property-path.ts';
import { membersOf, toJson } from '../json.ts';
import { readOutcome } from '../traffic/read-outcome.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { toPathBelow } from '../traffic/to-call.ts';
import { idOf } from '../transcript/ids.ts';
import { findOperation } from '../transcript/recognize.ts';
import { createHeldItems, findParents, type HeldItems } from './held-items.ts';

type Item = Record<string, unknown>;

/** Items by the names of their collections, each as JSON, integers exact. */
export type CollectedItems = Map<string, string[]>;

/** What was seen beside the items. */
export type Totals = {
  /** How many calls there were to each other origin. */
  elsewhere: Map<string, number>;
  /** How many items do not fit the document, and what is wrong with the first. */
  unfit: number;
  firstProblem?: string;
};

/** Collects the items that responses of a deployment show. */
export interface ItemCollector {
  add(exchange: RecordedExchange): Promise<void>;
  items(): CollectedItems;
  readonly totals: Totals;
}

type CollectOptions = {
  document: ApiDocument;
  /** The base URL of the deployment, without a slash at its end. */
  baseUrl: string;
  /** Changes an item of a collection before it is retained. */
  change: (item: Item, collection: string) => Item;
};

/**
 * Collects items from lists, reads and creates that succeeded, also in an object. Of an item that was seen several
 * times, the latest state is retained, with the fields that the document describes.
 */
export function createItemCollector({ document, baseUrl, change }: CollectOptions): ItemCollector {
  const openNames = findOpenLists(document).map(({ name }) => name);
  const opened = withOpenLists(document, openNames);
  const heldBy = createHeldItems(opened);
  const found = new Map<string, Map<string, { json: string; seenAt: number }>>();
  const totals: Totals = { elsewhere: new Map(), unfit: 0 };

  const retain = (item: Item, { resource, operation, held, seenAt, path, place }: Source) => {
    const { name, idProperty, isOpen } = resource;
    const known = isOpen ? item : (prune(document, held.schema, item) as Item);
    const id = idOf(known, idProperty);
    const [problem] = held.findProblems(known);
    const parents = findParents(document, resource, operation, { path, item: known });
    if (id === undefined || problem || !parents) {
      totals.unfit += 1;
      const missing = parents ? ` has no "${idProperty}"` : ' does not show what it is below';
      const at = `${operation.method} ${path}, ${place || 'the item'}`;
      totals.firstProblem ??= at + (problem ? `: ${problem.problem}` : missing);
      return;
    }
    const items = found.get(name) ?? new Map();
    found.set(name, items);
    const key = [...Object.values(parents), id].join('/');
    if ((items.get(key)?.seenAt ?? -Infinity) > seenAt) return;
    items.set(key, { json: toJson(withParents(change(known, name), parents)), seenAt });
  };

  return {
    async add(exchange) {
      const url = new URL(exchange.request.url);
      const path = toPathBelow(baseUrl, url);
      if (path === undefined) {
        totals.elsewhere.set(url.origin, (totals.elsewhere.get(url.origin) ?? 0) + 1);
        return;
      }
      const { operation } = findOperation(opened, { method: exchange.request.method, path });
      const resource = findResource(opened, operation);
      if (!operation || !resource) return;
      const { response } = await readOutcome(exchange);
      if (!response || response.status < 200 || response.status > 299) return;
      const held = heldBy(operation, response.status);
      const seen = { resource, operation, held, seenAt: exchange.endedAt, path };
      for (const { item, place } of held.itemsIn(response.json)) retain(item, { ...seen, place });
    },
    items: () =>
      new Map(
        Array.from(found, ([name, items]) => [
          name,
          Array.from(items.values(), ({ json }) => json),
        ]),
      ),
    totals,
  };
}

/** Where an item was seen: the path of the call below the base URL, and the place in its answer. */
type Source = {
  resource: Resource;
  operation: Operation;
  held: HeldItems;
  seenAt: number;
  path: string;
  place: string;
};

/** A value without the members that its schema does not describe, where it describes some. */
function prune(document: ApiDocument, node: Schema, value: unknown): unknown {
  const { schema, properties } = describeSchema(document, node);
  if (Array.isArray(value))
    return value.map((item) => prune(document, (schema.items ?? {}) as Schema, item));
  const members = membersOf(value);
  if (!members || Object.keys(properties).length === 0) return value;
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, inner]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return property ? [[name, prune(document, property, inner)]] : [];
    }),
  );
}

/** An item with the members that say what it is below; those that are no part of it come first. */
function withParents(item: Item, parents: Item): Item {
  const own = Object.entries(parents).filter(([name]) => partsOf(name) === undefined);
  return withAll({ ...Object.fromEntries(own), ...item }, parents);
}
