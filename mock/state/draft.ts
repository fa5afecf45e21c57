import {
  type Admit,
  endOfNumbers,
  type HasOther,
  type NewItem,
  outOfNumbers,
  type StoredItem,
} from './store.ts';
import { bytesOfItem, type Change, type FilterValues, isEqual } from './table.ts';
import type { Tables } from './tables.ts';

/** What was changed of a collection: by ids, undefined for what was removed. */
type Changed = {
  next: number;
  lastSerial: number;
  items: Map<string, DraftEntry | undefined>;
};

type DraftEntry = { readonly item: StoredItem; readonly serial: number };

/** Changes that are computed one after another over what tables hold, and that nothing sees yet. */
export class Draft {
  readonly changes: Change[] = [];
  readonly #tables: Tables;
  readonly #admit: Admit | undefined;
  readonly #changed = new Map<string, Changed>();
  /** Collections, and items of them, that others changed since it began. */
  readonly #outdated = new Set<string>();

  constructor(tables: Tables, admit?: Admit) {
    this.#tables = tables;
    this.#admit = admit;
  }

  itemOf(name: string, id: string): StoredItem | undefined {
    return this.#entryOf(name, id)?.item;
  }

  /** All items of a collection that equal filters. */
  itemsOf(name: string, filters: FilterValues): StoredItem[] {
    const items: StoredItem[] = [];
    this.visit(name, filters, ({ item }) => items.push(item) > 0);
    return items;
  }

  /** Calls `act` with those that equal all filters, in order, until it gives false. */
  visit(name: string, filters: FilterValues, act: (entry: DraftEntry) => boolean): void {
    const changed = this.#changed.get(name)?.items ?? new Map<string, DraftEntry | undefined>();
    const own = [...changed.values()]
      .filter((entry) => entry && isEqual(entry.item, filters))
      .toSorted((left, right) => (right?.serial ?? 0) - (left?.serial ?? 0)) as DraftEntry[];
    /** Goes on with those that are changed up to a serial number. */
    const visitOwn = (end: number) => {
      while ((own.at(-1)?.serial ?? end) < end) if (!act(own.pop() as DraftEntry)) return false;
      return true;
    };
    let goesOn = true;
    this.#tables.find(name)?.visit(filters, (entry) => {
      if (!changed.has(entry.item.id)) goesOn = visitOwn(entry.serial) && act(entry);
      return goesOn;
    });
    if (goesOn) visitOwn(Number.POSITIVE_INFINITY);
  }

  /** What tells whether a collection has another item than these. */
  hasOtherThan(name: string, items: readonly StoredItem[]): HasOther {
    const ids = new Set(items.map(({ id }) => id));
    const others = this.itemsOf(name, []).filter(({ id }) => !ids.has(id));
    return (isMeant) => others.some(({ json }) => isMeant(json));
  }

  /** The number of the next item. Throws OutOfRoomError where none is left. */
  nextOf(name: string): number {
    const { next } = this.#changedOf(name);
    if (next >= endOfNumbers) throw outOfNumbers(name);
    return next;
  }

  /** Puts an item in the place of the one with its id, or behind all others; counts on above `number`. */
  put(name: string, item: StoredItem, number = 0): void {
    this.#ensureRoom(name, bytesOfItem(item) - bytesOf(this.itemOf(name, item.id)));
    this.#put(name, item, number);
  }

  /**
   * Chooses the ids of several new items, lets `ensure` see them and puts them, or gives the first
   * id that is taken and has to be as given.
   */
  putAll(
    name: string,
    items: readonly NewItem[],
    ensure: (planned: StoredItem[]) => void,
  ): { items: StoredItem[]; taken?: never } | { taken: string; items?: never } {
    const planned = new Map<string, { item: StoredItem; number: number | undefined }>();
    let { next } = this.#changedOf(name);
    for (const { given, toItem } of items) {
      const isFree = given && !planned.has(given.item.id) && !this.itemOf(name, given.item.id);
      if (given && !isFree && !toItem) return { taken: given.item.id };
      if (given && isFree) {
        planned.set(given.item.id, given);
        next = countOn(next, given.number);
      } else if (toItem) {
        if (next >= endOfNumbers) throw outOfNumbers(name);
        const item = toItem(next);
        planned.set(item.id, { item, number: next });
        next += 1;
      }
    }
    const all = [...planned.values()];
    const added = all.map(({ item }) => item);
    ensure(added);
    this.#ensureRoom(
      name,
      added.reduce((bytes, item) => bytes + bytesOfItem(item), 0),
    );
    for (const { item, number } of all) this.#put(name, item, number);
    return { items: added };
  }

  remove(name: string, id: string): void {
    const serial = this.#entryOf(name, id)?.serial ?? 0;
    const changed = this.#changedOf(name);
    changed.items.set(id, undefined);
    this.changes.push({ collection: name, serial, next: changed.next, remove: id });
  }

  /** Whether it changes an item of a collection, or any of them without an id. */
  hasChanged(name: string, id?: string): boolean {
    const items = this.#changed.get(name)?.items;
    return id === undefined ? Boolean(items?.size) : Boolean(items?.has(id));
  }

  /** Goes on showing an item as it is, which is about to be changed in the tables. */
  retain(name: string, id: string): void {
    const { items } = this.#changedOf(name);
    if (!items.has(id)) items.set(id, this.#tables.find(name)?.entryOf(id));
    this.#outdated.add(name).add(toKey(name, id));
  }

  /** Whether tables hold an item of a collection, or any of them without an id, otherwise by now. */
  isOutdated(name: string, id?: string): boolean {
    return this.#outdated.has(id === undefined ? name : toKey(name, id));
  }

  /** Makes changes that were computed elsewhere, over items that are the same here. */
  repeat(changes: readonly Change[]): void {
    const bytes = changes.reduce((sum, { collection: name, put, remove }) => {
      const before = bytesOf(this.itemOf(name, put ? put.id : remove));
      return sum + (put ? bytesOfItem(put) : 0) - before;
    }, 0);
    if (bytes > 0) this.#admit?.(bytes);
    for (const { collection, next, put, remove } of changes)
      if (put) this.#put(collection, put, next - 1);
      else this.remove(collection, remove);
  }

  #put(name: string, item: StoredItem, number: number | undefined): void {
    const changed = this.#changedOf(name);
    changed.next = countOn(changed.next, number);
    const serial = this.#entryOf(name, item.id)?.serial ?? ++changed.lastSerial;
    // Its caller may change the one that it gave.
    const own = { ...item, filters: { ...item.filters } };
    changed.items.set(own.id, { item: own, serial });
    this.changes.push({ collection: name, serial, next: changed.next, put: own });
  }

  #ensureRoom(name: string, bytes: number): void {
    const wanted = bytes + this.#tables.bytesToOwn(name);
    if (wanted > 0) this.#admit?.(wanted);
  }

  #entryOf(name: string, id: string) {
    const changed = this.#changed.get(name)?.items;
    return changed?.has(id) ? changed.get(id) : this.#tables.find(name)?.entryOf(id);
  }

  #changedOf(name: string): Changed {
    let changed = this.#changed.get(name);
    if (!changed) {
      const { next = 1, lastSerial = 0 } = this.#tables.find(name) ?? {};
      this.#changed.set(name, (changed = { next, lastSerial, items: new Map() }));
    }
    return changed;
  }
}

/** A change that waits for the step that stores it. */
export type Waiting = {
  compute: (draft: Draft) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

/** Computes what waits, and gives what tells so. */
export function computeWaiting({ compute, resolve, reject }: Waiting, draft: Draft): () => void {
  try {
    const value = compute(draft) as never;
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}

function toKey(name: string, id: string): string {
  return JSON.stringify([name, id]);
}

function bytesOf(item: StoredItem | undefined): number {
  return item ? bytesOfItem(item) : 0;
}

/** The next number after one that was given; those from the end of numbers on do not count. */
function countOn(next: number, given = 0): number {
  return given < endOfNumbers ? Math.max(next, given + 1) : next;
}
