import { isObject, leavesIn, membersOf, toJson } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { shapeOf, unescaped } from '../../common/path-template.ts';
import { hasAt, partsOf, topOf, valueIn, withAll } from '../../common/property-path.ts';
import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
import { findResource, withOpenLists } from '../../openapi/model/api.ts';
import { describes } from '../../openapi/model/describes.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { createFindParent, itemPathsOf, placementsOf } from '../../openapi/model/placements.ts';
import { exampleValue } from '../cases/example-value.ts';
import { createToOutcome } from '../fidelity/outcome.ts';
import { type RecordedExchange, readOutcome } from '../traffic/read-outcome.ts';
import { sentBodyOf } from '../traffic/sent-body.ts';
import { toPathBelow } from '../traffic/to-call.ts';
import { type ReceivedResponse, valuesOf } from '../transcript/exchange.ts';
import { idOf } from '../transcript/items.ts';
import { valuesIn } from '../transcript/place.ts';
import { findOperation } from '../transcript/recognize.ts';
import { compileAnswer } from '../transcript/schema/validator.ts';

type Item = Readonly<Record<string, unknown>>;

/** Items by the names of their collections, each as JSON, integers exact. */
export type CollectedItems = Map<string, string[]>;

/** Collects the items that responses of a deployment show. */
export interface ItemCollector {
  add(exchange: RecordedExchange): Promise<void>;
  items(): CollectedItems;
  /**
   * Counts of what was left out: calls to other origins, and items that do not fit the document.
   */
  readonly totals: {
    elsewhere: number;
    origins: Set<string>;
    unfit: number;
    firstProblem?: string;
  };
}

/** The most items of a collection, as it was before a recording, that lists alone show. */
export const maxListed = 1000;

type CollectOptions = {
  document: Api;
  /** The base URL of the deployment, without a slash at its end. */
  baseUrl: string;
  /** Whether items are collected as they were before the recording, without those that it creates. */
  isInitial?: boolean;
};

/**
 * Collects items from lists, reads and creates that succeeded, also in an object. Of an item that was
 * seen several times, the latest state is retained, with the properties that the document describes.
 */
export function createItemCollector({
  document,
  baseUrl,
  isInitial = false,
}: CollectOptions): ItemCollector {
  const openNames = document.schemas.findOpenLists(document.operations).map(({ name }) => name);
  const opened = withOpenLists(document, openNames);
  const schemaOf = oncePer(({ item }: Resource): Schema => ({ type: 'object', ...item }));
  const toOutcome = createToOutcome(document);
  const found = new Map<string, Map<string, { json: string; seenAt: number }>>();
  const created = new Set<string>();
  /** The collections whose lists begin with the newest item. */
  const newestFirst = new Set<string>();
  /** Items that paths alone name, and all texts that were sent or shown before. */
  const named = new Map<string, Map<string, string>>();
  const texts = new Set<string>();
  /** Texts in bodies that create items, by the collections. */
  const sent = new Set<string>();
  const findParent = createFindParent(document.resources);
  const totals: ItemCollector['totals'] = { elsewhere: 0, origins: new Set(), unfit: 0 };

  const problemOf = (resource: Resource, known: Item): string | undefined => {
    const { idProperty } = resource;
    if (idOf(known, idProperty) === undefined) return `it has no "${idProperty}"`;
    return compileAnswer(document, schemaOf(resource))(known)[0]?.problem;
  };
  const fitting = createFitting(document);
  /** Returns what fits the document of an item, with an example of what it requires besides. */
  const completed = (described: Item, { item, idProperty }: Resource): Item => {
    const fit = fitting(described, item.properties);
    const isLacking = (name: string) => name !== topOf(idProperty) && !Object.hasOwn(fit, name);
    const lacking = item.required.filter(isLacking);
    const added = lacking.map((name) => {
      const schema = item.properties[name] ?? {};
      return [name, exampleValue(document, schema, name)];
    });
    return { ...fit, ...Object.fromEntries(added) };
  };
  const retain = (item: Item, { resource, operation, seenAt, path, isCreate }: Source) => {
    const { name, idProperty } = resource;
    const items = found.get(name) ?? new Map();
    if (isInitial && operation.kind === 'list' && items.size >= maxListed) return;
    const described = describedOf(item, resource);
    const known = isInitial ? completed(described, resource) : described;
    const parents = parentsOf(document, { resource, operation, path, item: known });
    const problem = problemOf(resource, known) ?? (parents ? undefined : 'its parent is unknown');
    if (!parents || problem !== undefined) {
      totals.unfit += 1;
      totals.firstProblem ??= `${operation.method} ${path}, ${problem}`;
      return;
    }
    found.set(name, items);
    const key = [...Object.values(parents), idOf(known, idProperty)].join('/');
    const isMade = isCreate || sent.has(`${name} ${idOf(known, idProperty)}`);
    if (isInitial && (isMade || items.has(key) || created.has(`${name} ${key}`)))
      return void created.add(`${name} ${key}`);
    if ((items.get(key)?.seenAt ?? -Infinity) > seenAt) return;
    items.set(key, { json: toJson(withParents(known, parents)), seenAt });
  };

  /** Notes the items that the path of a call names, which were there as it succeeded. */
  const noteNamed = (operation: Operation, path: string) => {
    const values = valuesIn(operation.path, path);
    for (const [index, itemPath] of itemPathsOf(operation.path).entries()) {
      const resource = findParent(itemPath);
      const id = values[index];
      const isOther = resource && placementsOf(resource).some(({ key }) => key !== undefined);
      if (!resource || isOther || id === undefined || texts.has(id)) continue;
      const { name, idProperty } = resource;
      const item = { [idProperty]: resource.idSchema.type === 'string' ? id : Number(id) };
      const at = { ...operation, path: itemPath };
      const parents = parentsOf(document, { resource, operation: at, path, item });
      if (!parents || problemOf(resource, item) !== undefined) continue;
      const items = named.get(name) ?? new Map();
      named.set(name, items);
      items.set([...Object.values(parents), id].join('/'), toJson(withParents(item, parents)));
    }
  };
  const noteTexts = (value: unknown) => {
    for (const one of textsIn(value)) texts.add(one);
  };

  return {
    async add(exchange) {
      const url = new URL(exchange.request.url);
      const path = toPathBelow(baseUrl, url);
      if (path === undefined) {
        totals.elsewhere += 1;
        totals.origins.add(url.origin);
        return;
      }
      const { operation } = findOperation(opened, { method: exchange.request.method, path });
      const resource = findResource(opened, operation);
      if (!operation || (!resource && !isInitial)) return;
      const { response } = await readOutcome(exchange);
      if (!response || toOutcome(response, operation) !== 'success') return;
      const isCreate = response.status === 201 || rowOf(operation.kind).adds === true;
      if (isInitial) {
        const body = sentBodyOf(exchange.request);
        noteNamed(operation, path);
        noteTexts([body, response.json]);
        if (resource && isCreate)
          for (const one of [...textsIn(body), locatedId(response) ?? []].flat())
            sent.add(`${resource.name} ${one}`);
      }
      if (!resource) return;
      const held = valueIn(response.json, operation.itemsAt ?? []);
      const isMap = operation.kind === 'list' && isObject(held);
      const shown = isMap ? Object.values(held) : [held].flat();
      if (listRulesOf(operation).isNewestFirst) newestFirst.add(resource.name);
      for (const item of shown.map(membersOf))
        if (item && !Array.isArray(item))
          retain(item, { resource, operation, seenAt: exchange.endedAt, path, isCreate });
    },
    items() {
      const shown = Array.from(found, ([name, items]): [string, string[]] => {
        const own = Array.from(items.values(), ({ json }) => json);
        // Items are in the order of their creation, those of further pages too.
        return [name, newestFirst.has(name) ? own.toReversed() : own];
      });
      const all = new Map(shown);
      for (const [name, items] of named)
        for (const [key, json] of items)
          if (!found.get(name)?.has(key) && !created.has(`${name} ${key}`))
            all.set(name, [...(all.get(name) ?? []), json]);
      return all;
    },
    totals,
  };
}

/** The id of a new item that the address in an answer alone shows. */
function locatedId({ headers }: ReceivedResponse): string | undefined {
  const [address] = valuesOf(headers, 'Location');
  return (
    address &&
    unescaped(
      address
        .replace(/[?#].*$/, '')
        .split('/')
        .at(-1) ?? '',
    )
  );
}

/** The texts of a value of JSON, at any depth. */
export function textsIn(value: unknown): string[] {
  return leavesIn(value).flatMap(([leaf]) => (typeof leaf === 'string' ? [leaf] : []));
}

/** Creates the removal of members that do not fit the document: of an object, only those in it. */
function createFitting(document: Api) {
  const isFit = (value: unknown, schema: Schema) =>
    compileAnswer(document, schema)(value).length === 0;
  return function fitting(item: Item, properties: Resource['item']['properties']): Item {
    const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!schema || isFit(value, schema)) return [[name, value]];
      if (!isObject(value)) return [];
      const inner = fitting(value, document.schemas.describeSchema(schema).properties);
      return isFit(inner, schema) ? [[name, inner]] : [];
    });
    return Object.fromEntries(entries);
  };
}

/** The call that showed an item: `path` is below the base URL. */
type Source = {
  resource: Resource;
  operation: Operation;
  seenAt: number;
  path: string;
  isCreate: boolean;
};

/** An item without the properties that the document does not describe. */
function describedOf(item: Item, { isOpen, item: described }: Resource): Item {
  if (isOpen) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => describes(described, name)));
}

/**
 * The members of an item that say what it is below, as `--data` has them: properties, or members
 * named after parameters. Undefined where the call does not show it.
 */
function parentsOf(
  { schemas }: Api,
  { resource, operation, path, item }: Omit<Source, 'seenAt' | 'isCreate'> & { item: Item },
): Item | undefined {
  const { scope = [], path: collection, item: described } = resource;
  const isBelow = shapeOf(operation.path).startsWith(shapeOf(collection));
  const texts = isBelow ? valuesIn(operation.path, path) : [];
  const members: Record<string, unknown> = {};
  for (const [index, { parameter, property }] of scope.entries()) {
    if (property !== undefined && hasAt(item, property)) continue;
    const text = texts[index];
    if (text === undefined) return undefined;
    const schema = property === undefined ? {} : (schemas.describedAt(described, property) ?? {});
    const isNumber = schemas.resolve(schema).type === 'integer';
    members[property ?? `{${parameter}}`] = isNumber ? Number(text) : text;
  }
  return members;
}

/** Returns an item with its parents' ids; parents that are no property of the item come first. */
function withParents(item: Item, parents: Item): Item {
  const own = Object.entries(parents).filter(([name]) => partsOf(name) === undefined);
  return withAll({ ...Object.fromEntries(own), ...item }, parents);
}

/** A file for `--data`, with an item on each line: JSON, which is YAML too. */
export function toDataText(items: CollectedItems): string {
  const lists = [...items].map(
    ([name, list]) => `  ${JSON.stringify(name)}: [\n    ${list.join(',\n    ')}\n  ]`,
  );
  return `{\n${lists.join(',\n')}\n}\n`;
}
