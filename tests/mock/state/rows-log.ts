import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CollectionDifferences, Differences } from '../../../mock/state/differences.ts';
import type { Appended, Change, ChangeLog, Newer, Round } from '../../../mock/state/round.ts';
import { type Collections, StoreUnavailableError } from '../../../mock/state/store.ts';

type Row = { id: string; text?: string; place?: number };
type Rows = { next: number; isEmptied?: true; rows: Map<string, Row> };

/** A log with what a test sees of it, and may do to it. */
export type RowsLog = ChangeLog & {
  readonly version: number;
  readonly seeds: Collections;
  /** What it holds now. */
  differences(): Differences;
  /** What it was last given in place of all. */
  readonly written: Differences;
  /** What came after a version. */
  since(version: number): Newer;
  /** How often it was asked to store. */
  readonly asked: number;
  /** Has it fail from now on, or no longer. */
  fail(isFailing: boolean): void;
};

/**
 * Holds changes as a database would: a row for each id, as text. Where it `waits`, it answers a turn
 * of the event loop later, as a server does.
 */
export function createRowsLog(begin: Collections, { waits = false } = {}): RowsLog {
  let seeds = begin;
  let version = 0;
  let replacedAt = 0;
  let asked = 0;
  let isFailing = false;
  let written: Differences = {};
  let tables = new Map<string, Rows>();
  let rounds: Round[] = [];

  const tableOf = (name: string): Rows => {
    let table = tables.get(name);
    if (!table) tables.set(name, (table = { next: 1, rows: new Map() }));
    return table;
  };
  const apply = (change: Change) => {
    const table = tableOf(change.collection);
    table.next = change.next;
    const { rows } = table;
    if (change.act === 'clear') {
      table.isEmptied = true;
      rows.clear();
    } else if (change.act === 'put') {
      const { item, place = rows.get(item.id)?.place } = change;
      const text = JSON.stringify(item);
      rows.set(item.id, { id: item.id, text, ...(place !== undefined && { place }) });
    } else if (change.isSeed) rows.set(change.id, { id: change.id });
    else rows.delete(change.id);
  };
  const toDifferences = ({ next, isEmptied, rows }: Rows): CollectionDifferences => ({
    next,
    ...(isEmptied && { isEmptied }),
    items: [...rows.values()].map(({ text, ...row }) => ({
      ...row,
      ...(text !== undefined && { item: JSON.parse(text) }),
    })),
  });
  const differences = () =>
    Object.fromEntries([...tables].map(([name, rows]) => [name, toDifferences(rows)]));
  const since = (known: number): Newer =>
    known < replacedAt
      ? { version, seeds, differences: differences() }
      : { rounds: rounds.filter((round) => round.version > known) };
  const answer = (known: number, store: () => void): Appended | Promise<Appended> => {
    asked += 1;
    if (isFailing) throw new StoreUnavailableError('The disk is full.');
    if (waits) return nextTurn().then(() => storeAt(known, store));
    return storeAt(known, store);
  };
  const storeAt = (known: number, store: () => void): Appended => {
    if (isFailing) throw new StoreUnavailableError('The server is gone.');
    if (known !== version) return { newer: since(known) };
    version += 1;
    store();
    return { version };
  };
  return {
    get version() {
      return version;
    },
    get seeds() {
      return seeds;
    },
    get asked() {
      return asked;
    },
    get written() {
      return written;
    },
    differences,
    since,
    fail: (failing) => void (isFailing = failing),
    append: (known, changes) =>
      answer(known, () => {
        for (const change of changes) apply(change);
        rounds.push({ version, changes: JSON.parse(JSON.stringify(changes)) });
      }),
    replace: (known, whole) =>
      answer(known, () => {
        ({ seeds, differences: written } = whole);
        replacedAt = version;
        rounds = [];
        tables = new Map(
          Object.entries(whole.differences).map(([name, { items, ...table }]) => [
            name,
            {
              ...table,
              rows: new Map(
                items.map(({ item, ...row }) => [
                  row.id,
                  { ...row, ...(item && { text: JSON.stringify(item) }) },
                ]),
              ),
            },
          ]),
        );
      }),
  };
}
