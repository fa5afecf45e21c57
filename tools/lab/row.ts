import type { Mutate } from './deployment.ts';
import type { Rewrite } from './rewriting-proxy.ts';
import type { SettingName } from './settings.ts';
import type { Settings } from './shop.ts';
import type { Deliver } from './webhook-shop.ts';

/** One deployment of the lab. */
export type Row = {
  id: string;
  family: string;
  /**
   * The clause of the interface that is broken; for a conformant row, the clause that is silent.
   */
  clause: string;
  about: string;
  settings?: Partial<Settings>;
  mutate?: Mutate;
  /** Stands before the twin instead of before nothing. */
  rewrite?: Rewrite[];
  /** How a shop sends webhooks that stands there in place of a Pet Store. */
  webhook?: Deliver;
  /** The keys of the command line, in place of the default ones. */
  keys?: string[];
  prefix?: string;
  /** Changes the deployment's address for the command; without it, the address stays. */
  given?: (url: string) => string;
  /**
   * The required one-line message of the command, if the deployment cannot be judged at its address
   * (exit code 2).
   */
  says?: RegExp;
  /** Milliseconds between the deployment's clock and ours. */
  clockOffset?: number;
  /**
   * The checks that may report drift of a broken deployment, where what others would say is wrong.
   */
  only?: string[];
  /** Why no answer of a fair deployment differs from the true one. */
  looksTrue?: string;
  /** The settings that the row cannot be judged in, each with the reason. */
  impossibleIn?: Partial<Record<SettingName, string>>;
};

/** A row without its family, with a clause of its own where it has another than most of these. */
export type Entry = Omit<Row, 'family' | 'clause'> & { clause?: string };

/** Entries by their ids. */
export type Entries = Readonly<Record<string, Omit<Entry, 'id'>>>;

/** Returns the entries that each of these items makes, by their ids. */
export function byId<Item>(
  items: readonly Item[],
  toEntries: (item: Item) => Entry | readonly Entry[],
): Entries {
  return Object.fromEntries(items.flatMap(toEntries).map(({ id, ...entry }) => [id, entry]));
}

/** Returns the rows of a family, most of which are about one clause. */
export function family(name: string, clause: string, entries: Entries): Row[] {
  return Object.entries(entries).map(([id, entry]) => ({ id, clause, ...entry, family: name }));
}
