import type { ByteText } from '../json/byte-text.ts';

/**
 * An item as it is kept: its id as written in a URL, its exact JSON, and its values by filter, as
 * text.
 */
export type StoredItem = { id: string; json: ByteText; filters: Readonly<Record<string, string>> };

/**
 * What a collection holds, in order of creation, and the number of its next item. Nobody changes it
 * once it was made.
 */
export type Contents = { readonly items: readonly StoredItem[]; readonly next: number };

/**
 * Items in memory. A list that several stores and contents have is there once; it may be added to,
 * and nothing else.
 */
export type ItemList = readonly StoredItem[];

/** What a store holds, by the name of the collection. */
export type Collections = Readonly<Record<string, Contents>>;

/** Is called with each item before it is added; where it throws, nothing is added. */
export type Admit = (item: StoredItem) => void;

/** Opens a store that holds these collections. */
export type OpenStore = (collections: Collections, admit?: Admit) => Store;

/**
 * Keeps the items of collections in order of creation. Every adapter passes the one
 * store-conformance suite. A collection that was not named when the store was opened or loaded
 * holds nothing.
 */
export interface Store {
  /**
   * Adds an item. `toItem` is given the next number of the collection, counted up and never given
   * twice; if it throws, or what admits items, nothing is stored.
   */
  add(collection: string, toItem: (n: number) => StoredItem): Promise<StoredItem>;
  /** The JSON of an item, or undefined. */
  get(collection: string, id: string): Promise<ByteText | undefined>;
  /**
   * The JSON of the first `limit` items whose values equal all of `filters`, in order of creation.
   */
  list(
    collection: string,
    query: { filters: Readonly<Record<string, string>>; limit: number },
  ): Promise<ByteText[]>;
  /** How many items a collection holds. */
  count(collection: string): Promise<number>;
  /** What all collections hold at this moment. */
  save(): Promise<Collections>;
  /**
   * Holds these collections instead of what it held: at one moment, and not at all if it rejects.
   */
  load(collections: Collections): Promise<void>;
  /**
   * The lists that are in memory for what it holds, or for other collections, such as saved ones;
   * those included that they share with others.
   */
  lists(collections?: Collections): ItemList[];
  close(): Promise<void>;
}
