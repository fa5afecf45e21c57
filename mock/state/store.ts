import { once } from '../../common/once-per.ts';
import type { ByteText } from '../json/exact-json.ts';

/** A stored item: its id as in a URL, its exact JSON, and its values by filter, as text. */
export type StoredItem = { id: string; json: ByteText; filters: Readonly<Record<string, string>> };

/**
 * Holds the items of a collection in order of creation, and the number of the next item. Contents
 * never change.
 */
export type Contents = { readonly items: readonly StoredItem[]; readonly next: number };

/** Holds contents by the names of their collections. */
export type Collections = Readonly<Record<string, Contents>>;

const unmade = new WeakSet<Contents>();

/** Creates contents that are made when they are first read, which throws what `make` throws. */
export function lateContents(make: () => Contents): Contents {
  const made = once(() => {
    const value = make();
    unmade.delete(contents);
    return value;
  });
  const contents: Contents = {
    get items() {
      return made().items;
    },
    get next() {
      return made().next;
    },
  };
  unmade.add(contents);
  return contents;
}

/** Whether contents take memory; late ones take none before their first use. */
export function areMade(contents: Contents): boolean {
  return !unmade.has(contents);
}

/**
 * Items are counted up to this number, and it is given to none. So ids that stand for greater
 * numbers, which are given from outside, are never given by counting.
 */
export const endOfNumbers = 1e14;

/** There is no room for more; the message says how much there is, and what to do. */
export class OutOfRoomError extends Error {}

/**
 * Reports that the file or server of a store cannot be used; the message says why. Nothing was
 * changed, unless the reply of a server was lost. Callers see the message, so it holds no secret.
 */
export class StoreUnavailableError extends Error {}

/** The error of a collection that has no number left for one more item. */
export function outOfNumbers(collection: string): OutOfRoomError {
  return new OutOfRoomError(
    `No id is left for a new item of ${collection}: its ids are counted, and one close to ${endOfNumbers} was given. Reset the sandbox (POST /__admin/reset).`,
  );
}

/**
 * Is called before an item is added, with the bytes of memory that it will take. Where it throws,
 * nothing is added, unless the item replaces another: then it is called again with what the item takes
 * beyond the bytes that are freed.
 */
export type Admit = (bytes: number) => void;

/** Opens a store that holds these collections, and shares with no other what is added to it. */
export type OpenStore = (collections: Collections, admit?: Admit) => Store;

/** The values that items must have, by the names of filters. */
export type Filters = Readonly<Record<string, string>>;

/** Chooses items of a collection: all of them where nothing is said. */
export type ItemSelection = {
  /** Only items whose values equal all of these. */
  filters?: Filters;
  /** Only items that it holds for. */
  isMatch?: ((json: ByteText) => boolean) | undefined;
};

/** Pages items: how many are left out at first, and how many are given then. */
export type ListQuery = ItemSelection & { skip?: number; limit?: number };

/** An item's JSON beside its serial number, which grows in order of creation and is given once. */
export type SerialItem = { serial: number; json: ByteText };

/** A replaced item, and the number of its id if the id is new. */
export type ChangedItem = StoredItem & { number?: number | undefined };

/** Another item has the id that an item was to get, so nothing was changed. */
export class IdTakenError extends Error {}

/** Makes an item of the number that it gets, or of one `within` its parent. */
export type ToItem = (n: number, within?: number) => StoredItem;

/**
 * An item to add. It is made with the next number if none is given, or if the given id is taken.
 * `number` is the number of a given id, if it has one.
 */
export type NewItem =
  | { given: { item: StoredItem; number: number | undefined }; toItem?: ToItem }
  | { given?: never; toItem: ToItem };

/** The items that were added, or the first id that was taken; then none was added. */
export type AddedAll = { items: StoredItem[]; taken?: never } | { taken: string; items?: never };

/** Whether a collection has another item that matches, besides those being stored. */
export type HasOther = (isMatch: (json: ByteText) => boolean) => boolean;

/** Checks items at the moment at which they are stored; if the check throws, nothing changes. */
export type Ensure = (items: readonly StoredItem[], hasOther: HasOther) => void;

export type PutOptions = { number?: number | undefined; ifFree?: boolean; ensure?: Ensure };

/** The outcome of a put: `taken` if another item keeps the id. */
export type PutOutcome = 'added' | 'replaced' | 'taken';

/**
 * Stores the items of collections in order of creation. An unknown collection is empty.
 *
 * Several processes may share a store, so each method is one atomic step. Callers derive no number
 * or order from earlier reads. Functions that make items may run again if another process was
 * faster. A change rejects, without effect, if such a function or `admit` throws. It throws {@link
 * OutOfRoomError} without room or without a number below {@link endOfNumbers}, and {@link
 * StoreUnavailableError} if the file or server cannot be used.
 */
export interface ItemStore {
  /**
   * Adds items in their order: all of them, or none where an id that has to be as given is taken. A
   * counted one gets the next number of the collection whose id is free, which is never given twice.
   */
  addAll(collection: string, items: readonly NewItem[], ensure?: Ensure): Promise<AddedAll>;
  /**
   * Replaces the item with the same id, or appends a new one. Numbering continues above `number`,
   * if given. With `ifFree`, an existing item stays.
   */
  put(collection: string, item: StoredItem, options?: PutOptions): Promise<PutOutcome>;
  /**
   * Puts another item in the place of one, and gives it; undefined without one. The other one may have
   * another id; rejects with {@link IdTakenError} where an item has that.
   */
  change(
    collection: string,
    id: string,
    toItem: (json: ByteText) => ChangedItem,
    ensure?: Ensure,
  ): Promise<StoredItem | undefined>;
  /** Removes an item. Its number is not given again. Whether there was one. */
  remove(collection: string, id: string): Promise<boolean>;
  /** Removes the items that are meant, and gives how many there were. */
  removeAll(collection: string, meant?: ItemSelection): Promise<number>;
  /**
   * Calls `act` with a private view of the store. Once `act` resolves, all its changes are stored
   * at once; if it rejects, none are. `act` runs again if data that it read changed meanwhile.
   * Rejects with {@link StoreUnavailableError} after too many conflicts.
   */
  transact<T>(act: (store: ItemStore) => Promise<T>): Promise<T>;
  /** The JSON of an item, or undefined. */
  get(collection: string, id: string): Promise<ByteText | undefined>;
  /**
   * The JSON of items in order of creation. One that is in the place of another was created with it.
   */
  list(collection: string, query?: ListQuery): Promise<ByteText[]>;
  /**
   * Returns items with their serial numbers. An item in the place of another has the number of that
   * item. Numbers stay, for other processes and later ones too, until other contents are loaded.
   */
  listSerial(collection: string, query?: ListQuery): Promise<SerialItem[]>;
  /** How many items of a collection equal all of `filters`. */
  count(collection: string, filters?: Filters): Promise<number>;
  /** The number of the next item of a collection: all items, and those that were removed, have lower ones. */
  nextNumber(collection: string): Promise<number>;
}

/** Stores items, and saves and loads all collections at once. */
export interface Store extends ItemStore {
  transact<T>(act: (store: Store) => Promise<T>): Promise<T>;
  /** Returns the contents of all collections at this moment. */
  save(): Promise<Collections>;
  /** Holds these collections instead of what it held: at one moment, and not at all if it rejects. */
  load(collections: Collections): Promise<void>;
  close(): Promise<void>;
}

/** Adds an item with the next number of a collection, and returns it. */
export async function addCounted(
  store: Pick<ItemStore, 'addAll'>,
  collection: string,
  toItem: ToItem,
  ensure?: Ensure,
): Promise<StoredItem> {
  const { items } = await store.addAll(collection, [{ toItem }], ensure);
  return items?.[0] as StoredItem;
}
