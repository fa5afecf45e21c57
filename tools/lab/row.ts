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

/** A row without its family. */
export type Entry = Omit<Row, 'family'>;

/** Rows of one family. */
export function family(name: string, entries: Entry[]): Row[] {
  return entries.map((entry) => ({ ...entry, family: name }));
}
