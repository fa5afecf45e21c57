import { isObject } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { isOnCollection, rowOf } from '../../openapi/model/kinds.ts';
import { itemPathsOf, placementsOf } from '../../openapi/model/placements.ts';
import type { Replayed } from '../fidelity/replay.ts';
import { valuesIn } from '../transcript/place.ts';
import { sentBodyOf } from './sent-body.ts';

/** The fields of an item. */
export type Item = Readonly<Record<string, unknown>>;

/** A recorded call with what was known of the items of its path at that time. */
export type Observation = {
  /** Names the call: the recording and its place there. */
  call: string;
  replayed: Replayed;
  operation: Operation;
  resource: Resource | undefined;
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  /** The item that it is about as it was shown last, and the one above it. */
  before: Item | undefined;
  parent: Item | undefined;
  /** The objects at paths of one word that were shown so far, such as that of `/user`, by their names. */
  singles: Readonly<Record<string, Item>>;
  /** The items of its collection that were there. */
  others: readonly Item[];
  /** The item as the answer shows it or, where it shows none, as the next read does. */
  after?: Item;
  /** The members in which the item of the twin differs from it. */
  differing?: readonly string[];
  /** The same where it was shown before. */
  differingBefore?: readonly string[];
};

/** The recording of a call. */
export function fileOf(call: string): string {
  return call.slice(0, call.lastIndexOf(' '));
}

/** Turns the replayed calls of a recording into observations, in their order. */
export function observe(file: string, all: readonly Replayed[], document: Api): Observation[] {
  const world = new World(document);
  return all.flatMap((replayed) => {
    const { operation } = replayed;
    return operation ? world.observe(file, replayed, operation) : [];
  });
}

/** The items that a recording showed so far, by their paths. */
class World {
  readonly #document: Api;
  readonly #items = new Map<string, Item>();
  readonly #differing = new Map<string, readonly string[]>();
  #singles: Readonly<Record<string, Item>> = {};
  /** The last change of an item that no answer has shown yet. */
  readonly #unseen = new Map<string, Observation>();

  constructor(document: Api) {
    this.#document = document;
  }

  observe(file: string, replayed: Replayed, operation: Operation): Observation {
    const { path, request, response } = replayed;
    const params = paramsOf(operation.path, path);
    const resource =
      findResource(this.#document, operation) ??
      collectionsOf(this.#document).find(({ name }) => name === operation.actsOn);
    const onCollection = isOnCollection(operation.kind);
    const itemPaths = itemPathsOf(operation.path).map((one) => fill(one, params));
    const ownPath = onCollection ? undefined : itemPaths.at(-1);
    const observation: Observation = {
      call: `${file} ${replayed.number}`,
      ...{ replayed, operation, resource, path: params },
      query: Object.fromEntries(new URL(request.url).searchParams),
      body: sentBodyOf(request),
      before: ownPath === undefined ? undefined : this.#items.get(ownPath),
      differingBefore: this.#differing.get(ownPath ?? '') ?? [],
      parent: this.#items.get(itemPaths.at(onCollection ? -1 : -2) ?? ''),
      singles: this.#singles,
      others: this.#itemsOf(resource, itemPaths),
    };
    if (response.status >= 300) return observation;
    const isWrite = !['GET', 'HEAD'].includes(operation.method);
    const shown = itemsIn(response.json, operation);
    const [only] = operation.kind === 'list' ? [] : shown;
    if (only)
      Object.assign(observation, { after: only, differing: differingIn(replayed, operation) });
    const [, single] = /^\/(\w+)$/.exec(operation.path) ?? [];
    if (single !== undefined && operation.kind === undefined && only)
      this.#singles = { ...this.#singles, [single]: only };
    if (operation.kind === 'delete' && ownPath !== undefined) this.#items.delete(ownPath);
    else if (isWrite && !only && ownPath !== undefined) this.#unseen.set(ownPath, observation);
    for (const [index, item] of shown.entries())
      for (const place of this.#placesOf(item, { resource, params, ownPath })) {
        this.#items.set(place, item);
        const differing = differingIn(replayed, operation, index);
        this.#differing.set(place, differing);
        if (!isWrite) this.#show(place, item, differing);
        else if (only) this.#unseen.delete(place);
      }
    return observation;
  }

  /** The items of a collection that are below the same parent, if it has one. */
  #itemsOf(resource: Resource | undefined, itemPaths: readonly string[]): Item[] {
    if (!resource) return [];
    const above = (resource.scope ?? []).length > 0 ? `${itemPaths[0]}/` : '';
    const word = lastWordOf(resource.path);
    const isOne = (path: string) => path.startsWith(above) && path.split('/').at(-2) === word;
    return [...this.#items].flatMap(([path, item]) => (isOne(path) ? [item] : []));
  }

  /** Gives what is shown of an item to the change that nothing has shown yet. */
  #show(place: string, item: Item, differing: readonly string[]) {
    const change = this.#unseen.get(place);
    this.#unseen.delete(place);
    if (change) Object.assign(change, { after: item, differing });
  }

  /** The paths at which an item is found. */
  #placesOf(
    item: Item,
    {
      resource,
      params,
      ownPath,
    }: {
      resource: Resource | undefined;
      params: Observation['path'];
      ownPath: string | undefined;
    },
  ): string[] {
    if (!resource) return ownPath === undefined ? [] : [ownPath];
    const places = placementsOf(resource).flatMap(({ path, scope, key = resource.idProperty }) => {
      const id = valueAt(item, key);
      const values = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ''], index) => {
        const { property } = scope[index] ?? {};
        return [name, property === undefined ? params[name] : valueAt(item, property)] as const;
      });
      const isKnown = isPlain(id) && values.every(([, value]) => isPlain(value));
      return isKnown ? [`${fill(path, Object.fromEntries(values))}/${id}`] : [];
    });
    return [...new Set([...places, ...(ownPath === undefined ? [] : [ownPath])])];
  }
}

/** Names the members in which an item of an answer differs, without those in lists of its own. */
function differingIn(
  { differences, response, twin }: Replayed,
  { itemsAt = [], kind }: Operation,
  index = 0,
): string[] {
  if (response.status >= 300 || (twin?.status ?? 500) >= 300) return [];
  const held = [...itemsAt, ...(kind === 'list' ? [String(index)] : [])];
  const start = [...held.map((one) => `/${one}`), '/'].join('');
  return differences
    .filter(({ kind: one, at }) => memberKinds.has(one) && at.startsWith(start))
    .map(({ at }) => at.slice(start.length).split('/'))
    .filter((keys) => keys.every((key) => /^[\w$@-]+$/.test(key) && !/^\d+$/.test(key)))
    .map((keys) => keys.join('.'));
}

const memberKinds = new Set(['missing member', 'extra member', 'type', 'form', 'value']);

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

/** The items in an answer: those of a list, or one. */
export function itemsIn(json: unknown, operation: Operation): Item[] {
  const held = valueIn(json, operation.itemsAt ?? []);
  const isOfItem = operation.kind !== undefined || operation.actsOn !== undefined;
  const all = Array.isArray(held) ? held : isOfItem || isObject(held) ? [held] : [];
  return rowOf(operation.kind).onCollection || !Array.isArray(held) ? all.filter(isObject) : [];
}

function fill(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** The values of the parameters of a path, by their names. */
function paramsOf(template: string, path: string): Record<string, string> {
  const values = valuesIn(template, path);
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
