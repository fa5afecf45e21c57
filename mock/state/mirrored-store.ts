import { applyChange, applyDifferences } from './apply-changes.ts';
import { type Differences, findDifferencesInTurns, noSeeds } from './differences.ts';
import { idsOfItems } from './memory-collection.ts';
import type { MemoryStores } from './memory-store.ts';
import { planItems } from './plan-items.ts';
import type { Appended, ChangeLog, Newer, Whole } from './round.ts';
import { createBatches, type OpenRound, openRound } from './round.ts';
import type { AddedAll, Admit, Collections, Store } from './store.ts';

/**
 * A store that answers from memory and holds its changes in a log. Nothing is seen, and no call
 * resolves, before the log has it.
 */
export interface MirroredStore<Extra = undefined> extends Store {
  /** The version that the memory shows. */
  version(): number;
  /** Follows what others stored; what is known already is passed over. */
  follow(newer: Newer): void;
  /** Loads collections that began with other seeds, and stores something else with them. */
  begin(collections: Collections, seeds: Collections, extra?: Extra): Promise<void>;
  /** Goes on as one that began with other seeds; what it holds stays. */
  rebase(seeds: Collections): Promise<void>;
}

export type MirrorOptions<Extra> = {
  memory: MemoryStores;
  log: ChangeLog<Extra>;
  seeds: Collections;
  /** What was stored already, and its version. */
  differences?: Differences;
  version?: number;
  admit?: Admit | undefined;
  /** Whether the log has all items once any differs, as a later process may have other seeds. */
  isWhole?: boolean;
};

/** A change that waits for its round, or a whole to put in place of all. */
type Waiting<Extra> = {
  isAlone: boolean;
  compute?: (round: OpenRound) => unknown;
  whole?: () => Loading<Extra>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

type Loading<Extra> = { collections: Collections; seeds: Collections; extra?: Extra };

/** Tells those that waited what came of it. */
type Settle = () => void;

/** What came of a round: nothing where others came first, and it is to be computed again. */
type Attempt = Settle | undefined;

/** Opens a store that mirrors a log. */
export function createMirroredStore<Extra = undefined>(
  options: MirrorOptions<Extra>,
): MirroredStore<Extra> {
  const { memory: stores, log, isWhole = false } = options;
  let { seeds, version = 0 } = options;
  const memory = stores.openMemory(seeds, options.admit);
  /** The last places that were given, by the names of collections. */
  const lastPlaces = new Map<string, number>();

  const lastPlaceOf = (name: string) => lastPlaces.get(name) ?? 0;
  const isSeed = (name: string, id: string) => {
    const contents = Object.hasOwn(seeds, name) ? seeds[name] : undefined;
    return contents !== undefined && stores.placeOf(contents, id) !== undefined;
  };
  const notePlace = (name: string, place = 0) => {
    if (place > lastPlaceOf(name)) lastPlaces.set(name, place);
  };
  const notePlaces = (differences: Differences) => {
    lastPlaces.clear();
    for (const [name, { items }] of Object.entries(differences)) {
      let last = 0;
      for (const { place = 0 } of items) last = Math.max(last, place);
      notePlace(name, last);
    }
  };
  const applyWhole = (differences: Differences) => {
    notePlaces(differences);
    for (const [name, differing] of Object.entries(differences))
      applyDifferences(memory, name, differing);
  };
  const follow = (newer: Newer) => {
    if (newer.rounds === undefined) {
      if (newer.version <= version) return;
      memory.load(newer.seeds);
      ({ seeds, version } = newer);
      return applyWhole(newer.differences);
    }
    for (const round of newer.rounds) {
      if (round.version <= version) continue;
      for (const change of round.changes) {
        applyChange(memory, change, seeds === noSeeds);
        if (change.act === 'put') notePlace(change.collection, change.place);
      }
      version = round.version;
    }
  };

  /** Applies what a log has stored, or follows those that came first. */
  const conclude = (
    appended: Appended | Promise<Appended>,
    apply: (version: number) => Settle,
  ): Attempt | Promise<Attempt> => {
    const finish = (outcome: Appended) => {
      if (outcome.newer === undefined) return apply(outcome.version);
      follow(outcome.newer);
      return undefined;
    };
    return appended instanceof Promise ? appended.then(finish) : finish(appended);
  };
  const replaceAll = (loading: Loading<Extra>, settle: Settle): Attempt | Promise<Attempt> => {
    const { collections, seeds } = loading;
    // Others may come first while it is found what differs.
    const before = version;
    const found = findDifferencesInTurns(collections, seeds, stores.placeOf);
    const indexing = stores.index(collections);
    if (!(found instanceof Promise) && !indexing) return putAll(loading, found, before, settle);
    return Promise.all([found, indexing]).then(([differences]) =>
      putAll(loading, differences, before, settle),
    );
  };
  const putAll = (
    loading: Loading<Extra>,
    differences: Differences,
    before: number,
    settle: Settle,
  ): Attempt | Promise<Attempt> => {
    const { collections, ...begin } = loading;
    const isRelative = begin.seeds !== noSeeds && Object.keys(differences).length > 0;
    if (isWhole && isRelative) return replaceAll({ ...loading, seeds: noSeeds }, settle);
    const whole: Whole<Extra> = { ...begin, differences };
    return conclude(log.replace(before, whole), (stored) => {
      if (stored > version) {
        memory.load(collections);
        seeds = begin.seeds;
        version = stored;
        notePlaces(differences);
      }
      return settle;
    });
  };
  const changeAll = (batch: readonly Waiting<Extra>[]) => {
    const round = openRound({ memory, lastPlaceOf, isSeed });
    const settled = batch.map(({ compute, resolve, reject }): Settle => {
      try {
        const value = compute?.(round);
        return () => resolve(value);
      } catch (error) {
        return () => reject(error);
      }
    });
    const settle = () => {
      for (const one of settled) one();
    };
    const { changes } = round;
    if (changes.length === 0) return settle;
    return conclude(log.append(version, changes), (stored) => {
      follow({ rounds: [{ version: stored, changes }] });
      return settle;
    });
  };
  /** Has the log hold all items; after that it is the turn of those that wait. */
  const holdWhole = (): Attempt | Promise<Attempt> => {
    const held = replaceAll({ collections: memory.save(), seeds: noSeeds }, () => {});
    return held instanceof Promise ? held.then(() => undefined) : undefined;
  };
  const attempt = (batch: readonly Waiting<Extra>[]): Attempt | Promise<Attempt> => {
    const [first] = batch;
    if (!first?.whole) return isWhole && seeds !== noSeeds ? holdWhole() : changeAll(batch);
    return replaceAll(first.whole(), () => first.resolve(undefined));
  };
  const batches = createBatches<Waiting<Extra>>(async (batch) => {
    try {
      let settle: Attempt;
      while (!settle) {
        const outcome = attempt(batch);
        settle = outcome instanceof Promise ? await outcome : outcome;
      }
      settle();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  });
  const enqueue = (one: Pick<Waiting<Extra>, 'isAlone' | 'compute' | 'whole'>) =>
    new Promise<unknown>((resolve, reject) => batches.add({ ...one, resolve, reject }));
  const change = <T>(compute: (round: OpenRound) => T, isAlone = false) =>
    enqueue({ isAlone, compute }) as Promise<T>;
  const replace = (whole: () => Loading<Extra>) =>
    enqueue({ isAlone: true, whole }) as Promise<void>;

  if (options.differences) {
    applyWhole(options.differences);
    if (isWhole && hasAll(options.differences, seeds)) seeds = noSeeds;
  }
  const { get, list, listSerial, serialOf, count, save } = memory.store;
  const store: MirroredStore<Extra> = {
    version: () => version,
    follow,
    begin: (collections, next, extra) =>
      replace(() => ({ collections, seeds: next, ...(extra !== undefined && { extra }) })),
    rebase: (next) => replace(() => ({ collections: memory.save(), seeds: next })),
    load: (collections) => replace(() => ({ collections, seeds })),
    add: (name, toItem, ensure) =>
      change((round) => {
        const item = toItem(round.nextOf(name));
        ensure?.([item], round.hasOtherThan(name, [item]));
        round.add(name, item);
        return item;
      }),
    addAll: (name, items, ensure) =>
      change((round): AddedAll => {
        const { planned, taken } = planItems(items, {
          collection: name,
          next: memory.find(name)?.next ?? 1,
          isTaken: (id) => round.itemOf(name, id) !== undefined,
        });
        if (!planned) return { taken };
        const added = planned.map(({ item }) => item);
        ensure?.(added, round.hasOtherThan(name, added));
        try {
          for (const { item, number } of planned) round.put(name, item, number);
        } catch (error) {
          round.undo();
          throw error;
        }
        return { items: added };
      }, true),
    put: (name, item, { number, ifFree = false, ensure } = {}) =>
      change((round) => {
        const isTaken = round.itemOf(name, item.id) !== undefined;
        if (isTaken && ifFree) return 'taken';
        ensure?.([item], round.hasOtherThan(name, [item]));
        round.put(name, item, number);
        return isTaken ? 'replaced' : 'added';
      }),
    change: (name, id, toItem, ensure) =>
      change((round) => {
        const before = round.itemOf(name, id);
        if (!before) return undefined;
        const item = toItem(before.json);
        ensure?.([item], round.hasOtherThan(name, [item]));
        round.put(name, item);
        return item;
      }),
    remove: (name, id) =>
      change((round) => {
        if (!round.itemOf(name, id)) return false;
        round.remove(name, id);
        return true;
      }),
    removeAll: (name, filters = {}, isMeant) =>
      change((round) => {
        const held = memory.find(name);
        if (!held) return 0;
        const values = Object.entries(filters);
        const ids = idsOfItems(held, values, ({ json }) => isMeant?.(json) ?? true);
        if (values.length > 0 || isMeant) for (const id of ids) round.remove(name, id);
        else if (ids.length > 0) round.clear(name);
        return ids.length;
      }, true),
    get,
    list,
    listSerial,
    serialOf,
    count,
    save,
    async close() {
      await batches.idle();
      await memory.store.close();
    },
  };
  stores.countFor(store, memory);
  return store;
}

/** Whether differences are all that there is, whatever the seeds. */
function hasAll(differences: Differences, seeds: Collections): boolean {
  return Object.keys(seeds).every((name) => differences[name]?.isEmptied);
}
