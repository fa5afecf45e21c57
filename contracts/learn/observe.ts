import { isObject, isSame } from '../../common/json.ts';
import { lastWordOf, parametersIn } from '../../common/path-template.ts';
import { hasAt, valueAt, valueIn, withAt } from '../../common/property-path.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findSubject } from '../../openapi/model/api.ts';
import { isOnCollection, rowOf } from '../../openapi/model/kinds.ts';
import { itemPathsOf, placementsOf } from '../../openapi/model/placements.ts';
import { deletesAll } from '../../openapi/model/resource.ts';
import { maxListed } from '../data/collect-items.ts';
import { headerOf } from '../fidelity/compare-answers.ts';
import type { Replay } from '../fidelity/replay.ts';
import { nounOf } from '../fidelity/value-form.ts';
import { sentBodyOf } from '../traffic/sent-body.ts';
import { toPathBelow } from '../traffic/to-call.ts';
import { valuesIn } from '../transcript/place.ts';
import { differingIn, showsSeveral } from './differing-in.ts';

/** The fields of an item. */
export type Item = Readonly<Record<string, unknown>>;

/** A recorded call with what was known of the items of its path at that time. */
export type Observation = {
  /** Names the call: the recording and its place there. */
  call: string;
  replayed: Replay;
  operation: Operation;
  resource: Resource | undefined;
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  /** The item that it is about as it was shown last, and the one above it. */
  before: Item | undefined;
  parent: Item | undefined;
  /** The objects at paths such as `/user` and `/users/me` that were shown so far, by their names. */
  singles: Item;
  /** The credentials of the call as one text; empty without any. */
  credentials: string;
  /** Whether the item of the path was created with them; `null` if the recording does not show it. */
  isCreator: boolean | null;
  /** The items of its collection that were there, and how many were there in all before a new one. */
  others: readonly Item[];
  serial: number;
  /** The item whose secret the caller sent, and where it has that. */
  caller?: { item: Item; path: string; member: string } | undefined;
  /** The deletions before it in the recording. */
  deleted: readonly Observation[];
  /** The items in the answer, and those of the collection that a list does not show. */
  shown: readonly ShownItem[];
  unshown: readonly Item[];
  /** The answer of the next read of what it deleted. */
  later?: Observation;
  /** The item as the answer shows it or, where it shows none, as the next read does. */
  after?: Item;
  /** The members in which the item of the twin differs from it. */
  differing?: readonly string[];
  /** The item in the answer of a change, what differs there, and the item as it was read next. */
  answer?: Item;
  answerDiffering?: readonly string[];
  read?: Item;
  /** The same where it was shown before. */
  differingBefore?: readonly string[];
};

/** An item in an answer. */
export type ShownItem = {
  item: Item;
  /** The paths at which it is found, the first of which tells it from others. */
  places: readonly string[];
  differing: readonly string[];
  /** The item as another operation showed it, if nothing changed it since. */
  elsewhere: Item | undefined;
  /** The item as it was shown before, and the members in which that of the twin differed. */
  known: Pick<KnownItem, 'item' | 'differing'> | undefined;
  /** How many items refer to it, by what tells these, as JSON. */
  counts: ReadonlyMap<string, number>;
};

/** An item that was shown. */
type KnownItem = {
  item: Item;
  resource: Resource | undefined;
  differing: readonly string[];
  /** Whether the recording created it, and with which credentials. */
  isNew: boolean;
  creator: string | undefined;
  /** How operations showed it since anything was changed last. */
  views: Map<Operation, Item>;
  /** How many changes there were before. */
  changes: number;
};

/** Whether a call succeeded, as its answer says. */
export function isSuccess({ replayed: { outcome } }: Observation): boolean {
  return outcome === 'success';
}

/** The recording of a call. */
export function fileOf(call: string): string {
  return call.slice(0, call.lastIndexOf(' '));
}

/** Turns the replayed calls of a recording into observations, in their order. */
export function observe(file: string, all: readonly Replay[], document: Api): Observation[] {
  const world = new World(document, all);
  return all.flatMap((replayed) => {
    const { operation } = replayed;
    return operation ? world.observe(file, replayed, operation) : [];
  });
}

/** The items that a recording showed so far, by their paths. */
class World {
  readonly #document: Api;
  readonly #items = new Map<string, KnownItem>();
  /** The places of all items of a collection that were there. */
  readonly #ever = new Map<Resource, Set<string>>();
  readonly #deleted: Observation[] = [];
  /** The items that have a secret, and the name of its member. */
  readonly #secrets = new Map<string, { place: string; path: string; member: string }>();
  /** The single objects that callers were shown, by their credentials. */
  readonly #singles = new Map<string, Observation['singles']>();
  #changes = 0;
  /** The last change of an item that no answer has shown yet. */
  readonly #unseen = new Map<string, Observation>();
  /** The names of members that differ somewhere. */
  readonly #differing: ReadonlySet<string>;

  constructor(document: Api, all: readonly Replay[]) {
    this.#document = document;
    const places = all.flatMap(({ differences }) => differences.map(({ at }) => at));
    this.#differing = new Set(places.map((at) => at.slice(at.lastIndexOf('/') + 1)));
  }

  observe(file: string, replayed: Replay, operation: Operation): Observation {
    const { path, request, response, outcome } = replayed;
    const params = paramsOf(operation.path, path);
    const resource = findSubject(this.#document, operation);
    const onCollection = isOnCollection(operation.kind);
    const itemPaths = itemPathsOf(operation.path).map((one) => fill(one, params));
    const ownPath = resource?.isSingle ? path : onCollection ? undefined : itemPaths.at(-1);
    const own = this.#items.get(ownPath ?? '');
    const caller = replayed.secrets.map((one) => this.#secrets.get(one)).find(Boolean);
    const callerItem = this.#items.get(caller?.place ?? '')?.item;
    const known = this.#itemsOf(resource, itemPaths);
    const credentials = replayed.secrets.join(' ');
    const observation: Observation = {
      call: `${file} ${replayed.number}`,
      ...{ replayed, operation, resource, path: params },
      query: Object.fromEntries(new URL(request.url).searchParams),
      body: sentBodyOf(request),
      before: own?.item,
      differingBefore: own?.differing ?? [],
      parent: this.#items.get(itemPaths.at(onCollection ? -1 : -2) ?? '')?.item,
      isCreator: own?.creator === undefined ? null : own.creator === credentials,
      ...{ credentials, singles: this.#singles.get(credentials) ?? {} },
      others: known.map(({ item }) => item),
      serial: 1 + ((resource && this.#ever.get(resource)?.size) ?? 0),
      caller: caller && callerItem && { ...caller, item: callerItem },
      deleted: operation.kind === 'list' ? [...this.#deleted] : [],
      ...{ shown: [], unshown: [] },
    };
    const gone = this.#deleted.find(({ replayed: one }) => one.path === path);
    if (gone && operation.method === 'GET' && own === undefined) gone.later ??= observation;
    if (outcome !== 'success') return observation;
    const isWrite = !['GET', 'HEAD'].includes(operation.method);
    const items = itemsIn(response.json, operation).filter(
      // An action may say no more than that it was done.
      (one) => operation.actsOn === undefined || hasAt(one, resource?.idProperty ?? ''),
    );
    const byItem = differingIn(replayed, operation);
    const [only] = showsSeveral(operation) ? [] : items;
    if (only) {
      const differing = byItem.get('') ?? [];
      Object.assign(observation, { after: only, differing });
      if (isWrite) Object.assign(observation, { answer: only, answerDiffering: differing });
    }
    const isSingle = /^\/\w+([/.]\w+)?$/.test(operation.path) && operation.method === 'GET';
    if (isSingle && operation.kind === undefined && only) {
      const name = operation.path.slice(1).replaceAll('/', '.');
      this.#singles.set(credentials, withAt(observation.singles, name, response.json));
    }
    if (isWrite) {
      this.#changes += 1;
      for (const place of this.#unseen.keys())
        if (this.#items.get(place) === own) this.#unseen.delete(place);
    }
    const changes = this.#changes;
    const located = response.status === 201 ? headerOf(response, 'location') : undefined;
    // An answer without the new item may say where it is.
    const address = located === undefined ? null : URL.parse(located, request.url);
    const place = address ? toPathBelow(replayed.base, address) : ownPath;
    const isAt = ({ kind, at }: Replay['differences'][number]) =>
      `${kind} ${at}` === 'header location';
    if (address && !only && resource && replayed.differences.some(isAt))
      Object.assign(observation, { differing: [resource.idProperty] });
    const isShownByMock = replayed.twinOutcome === 'success';
    if (operation.method === 'DELETE') this.#deleted.push(observation);
    if (deletesAll(operation)) this.#forget(path);
    if (operation.kind === 'delete' && ownPath !== undefined) this.#forget(ownPath);
    else if (isWrite && !only && place !== undefined) this.#unseen.set(place, observation);
    const shown = items.map((item, index): ShownItem => {
      const places = this.#placesOf(item, { resource, params, ownPath });
      const differing = byItem.get(showsSeveral(operation) ? String(index) : '') ?? [];
      const old = this.#knownAt(places);
      const views = old?.changes === changes ? old.views : new Map<Operation, Item>();
      const [, elsewhere] = [...views].findLast(([one]) => one !== operation) ?? [];
      views.set(operation, item);
      const adds = rowOf(operation.kind).adds === true;
      const isNew = old?.isNew ?? adds;
      const isMade = isWrite && (adds || response.status === 201);
      const creator = old ? old.creator : isMade ? credentials : undefined;
      const before = old && { item: old.item, differing: old.differing };
      if (operation.kind !== 'delete' && operation.kind !== 'deleteMany')
        // Changes and lists may show less of an item than there is.
        this.#note(
          {
            item: isWrite || operation.kind === 'list' ? { ...old?.item, ...item } : item,
            ...{ resource, isNew, creator, views, changes },
            // What the mock does not show differs as it did before.
            differing: isShownByMock ? differing : (old?.differing ?? []),
          },
          places,
          operation.kind === 'list',
        );
      if (!isWrite) for (const place of places) this.#show(place, item, differing);
      else if (only) for (const place of places) this.#unseen.set(place, observation);
      return { item, places, differing, elsewhere, known: before, counts: none };
    });
    const listed = new Set(shown.map(({ places }) => this.#knownAt(places)));
    const unshown = known.filter((one) => !listed.has(one));
    const created = [...this.#items].filter(([, { isNew }]) => isNew);
    const byPlace = Map.groupBy(created, ([, one]) => one);
    return Object.assign(observation, {
      shown: shown.map((one) => ({ ...one, counts: this.#countsOf(one, resource, byPlace) })),
      unshown: operation.kind === 'list' ? unshown.map(({ item }) => item) : [],
    });
  }

  /** Notes an item; of a collection that lists show more of than a mock begins with, no other one. */
  #note(now: KnownItem, places: readonly string[], isListed: boolean) {
    const { item, resource } = now;
    const [first = ''] = places;
    const old = this.#knownAt(places);
    const ever = ((resource && this.#ever.get(resource)) ?? new Set<string>()).add(first);
    if (resource) this.#ever.set(resource, ever);
    if (!old && isListed && ever.size > maxListed) return;
    const known = Object.assign(old ?? now, now);
    for (const place of places) this.#items.set(place, known);
    if (!resource) return;
    for (const [member, value] of Object.entries(item))
      if (typeof value === 'string' && isSecretName(member))
        this.#secrets.set(value, { place: first, path: resource.path, member });
  }

  #knownAt(places: readonly string[]): KnownItem | undefined {
    return places.map((place) => this.#items.get(place)).find(Boolean);
  }

  /** Takes out an item and those below it, or those of a collection. */
  #forget(ownPath: string) {
    const known = this.#items.get(ownPath);
    for (const [place, one] of this.#items)
      if (one === known || place.startsWith(`${ownPath}/`)) this.#items.delete(place);
  }

  /** The items of a collection that are below the same parent, if it has one. */
  #itemsOf(resource: Resource | undefined, itemPaths: readonly string[]): KnownItem[] {
    if (!resource) return [];
    const above = (resource.scope ?? []).length > 0 ? `${itemPaths[0]}/` : '';
    const isOne = ([place, known]: [string, KnownItem]) =>
      place.startsWith(above) && known.resource === resource;
    return [...new Set([...this.#items].filter(isOne).map(([, known]) => known))];
  }

  /** Counts the items that the recording created and that refer to an item, by what tells them. */
  #countsOf(
    { item, places }: ShownItem,
    resource: Resource | undefined,
    created: ReadonlyMap<KnownItem, readonly (readonly [place: string, known: KnownItem])[]>,
  ): ReadonlyMap<string, number> {
    const mayCount = Object.entries(item).some(
      ([name, value]) => typeof value === 'number' && this.#differing.has(name),
    );
    if (!resource || !mayCount || created.size === 0) return none;
    const counts = new Map<string, number>();
    const id = valueAt(item, resource.idProperty);
    const noun = nounOf({ name: lastWordOf(resource.path), owner: '' });
    for (const [known, entries] of created) {
      if (!known.resource || known.resource === resource) continue;
      const isBelow = entries.some(([at]) => places.some((place) => at.startsWith(`${place}/`)));
      const names = Object.entries(known.item).flatMap(([name, value]) => {
        if (nounOf({ name, owner: '' }) !== noun) return [];
        if (isObject(value))
          return isSame(valueAt(value, resource.idProperty), id)
            ? [`${name}.${resource.idProperty}`]
            : [];
        return isSame(value, id) ? [name] : [];
      });
      const { path: of, item: described } = known.resource;
      const states = Object.entries(known.item).flatMap(([name, value]) => {
        const { enum: values, type } = described.properties[name] ?? {};
        return values !== undefined || type === 'boolean' ? [{ when: { [name]: value } }] : [];
      });
      for (const by of [...(isBelow ? [{}] : []), ...names.map((one) => ({ by: one }))])
        for (const state of [{}, ...states]) {
          const key = JSON.stringify({ of, ...by, ...state });
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
    }
    return counts;
  }

  /** Gives what is shown of an item to the change that nothing, or less of it, has shown yet. */
  #show(place: string, item: Item, differing: readonly string[]) {
    const change = this.#unseen.get(place);
    this.#unseen.delete(place);
    if (!change) return;
    const { after: shown = {}, differing: known = [] } = change;
    const isLacking = (path: string) => !Object.hasOwn(shown, path.split('.')[0] ?? '');
    const after = { ...item, ...shown };
    Object.assign(change, { after, read: item });
    Object.assign(change, { differing: [...known, ...differing.filter(isLacking)] });
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
    if (!resource || resource.isSingle) return ownPath === undefined ? [] : [ownPath];
    const { idProperty, alias } = resource;
    const places = placementsOf(resource).flatMap(({ path, scope, key = idProperty }) => {
      const ids = (key === alias ? [idProperty, key] : [key]).map((one) => valueAt(item, one));
      const values = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ''], index) => {
        const { property } = scope[index] ?? {};
        return [name, property === undefined ? params[name] : valueAt(item, property)] as const;
      });
      const above = fill(path, Object.fromEntries(values));
      const isKnown = values.every(([, value]) => isPlain(value));
      return isKnown ? ids.filter(isPlain).map((id) => `${above}/${id}`) : [];
    });
    return [...new Set([...places, ...(ownPath === undefined ? [] : [ownPath])])];
  }
}

const none: ReadonlyMap<string, number> = new Map();

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
  const names = parametersIn(template);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
