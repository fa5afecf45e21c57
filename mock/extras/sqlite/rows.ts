import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isObject } from '../../../common/json.ts';
import { toByteText, toText } from '../../json/exact-json.ts';
import { parseState, type SandboxState, type SavedState } from '../../sandboxes/sandbox-state.ts';
import type { SnapshotTexts } from '../../sandboxes/snapshots.ts';
import { type Collections, type StoredItem, StoreUnavailableError } from '../../state/store.ts';
import { type Change, Table } from '../../state/table.ts';
import { tableOf } from '../../state/tables.ts';
import { DamagedError } from './database.ts';

/** A sandbox of a file; instants in Unix milliseconds. */
export type SandboxRow = {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** All but its items, as JSON. */
  state: string;
};

/** The rows of a file. Each call that writes is within a transaction. */
export type Rows = ReturnType<typeof createRows>;

/** Prepares the statements for a database, each as it is first used. */
export function createRows(database: DatabaseSync) {
  const sql = createSql(database);
  return {
    /** Returns the fingerprint of the twin's initial items as JSON; undefined in a new file. */
    fingerprint: () =>
      sql.get`SELECT value FROM twin WHERE name = 'fingerprint'`?.value?.toString(),
    putFingerprint: (text: string) =>
      void sql.run`INSERT OR REPLACE INTO twin (name, value) VALUES ('fingerprint', ${text})`,
    /** Writes, to see whether that is possible. */
    probe: () =>
      void sql.run`INSERT OR REPLACE INTO twin (name, value) VALUES ('probe', ${String(Date.now())})`,
    ...createSandboxRows(sql),
    ...createItemRows(sql),
    snapshotsOf: (sandbox: number) => snapshotsOf(sql, sandbox),
  };
}

type Row = Record<string, unknown>;
type Sql = ReturnType<typeof createSql>;

/**
 * Creates the function that runs SQL templates, each a statement with parameters. Statements of
 * `createTagStore` would hold the lock of a closed file (Node 24.21).
 */
function createSql(database: DatabaseSync) {
  const statements = new WeakMap<TemplateStringsArray, StatementSync>();
  const prepare = (texts: TemplateStringsArray) => {
    let statement = statements.get(texts);
    if (!statement) statements.set(texts, (statement = database.prepare(texts.join('?'))));
    return statement;
  };
  return {
    run: (texts: TemplateStringsArray, ...values: SQLInputValue[]) => prepare(texts).run(...values),
    get: (texts: TemplateStringsArray, ...values: SQLInputValue[]) => prepare(texts).get(...values),
    all: (texts: TemplateStringsArray, ...values: SQLInputValue[]) => prepare(texts).all(...values),
  };
}

function createSandboxRows(sql: Sql) {
  return {
    list: () =>
      sql.all`SELECT * FROM sandboxes`.map(
        ({ id, name, created_at, last_used_at, state }): SandboxRow => ({
          id: Number(id),
          name: String(name),
          createdAt: Number(created_at),
          lastUsedAt: Number(last_used_at),
          state: ensureState(String(state), 'sandboxes'),
        }),
      ),
    /** Puts a sandbox, which is used now. */
    put: ({ id, name, createdAt, state }: SandboxRow) =>
      void sql.run`
        INSERT INTO sandboxes (id, name, created_at, last_used_at, state)
        VALUES (${id}, ${name}, ${createdAt}, ${Date.now()}, ${state})
        ON CONFLICT (id) DO UPDATE SET last_used_at = excluded.last_used_at, state = excluded.state`,
    /** Removes all that is about a sandbox. */
    remove: (id: number) => void sql.run`DELETE FROM sandboxes WHERE id = ${id}`,
    clear: () => void sql.run`DELETE FROM sandboxes`,
  };
}

function createItemRows(sql: Sql) {
  const putItem = (sandbox: number, collection: string, serial: number, item: StoredItem) =>
    sql.run`
      INSERT OR REPLACE INTO items (sandbox, collection, serial, about, json) VALUES (
        ${sandbox}, ${collection}, ${serial},
        ${JSON.stringify([item.id, item.filters])}, ${toText(item.json)})`;
  const apply = (sandbox: number, changes: readonly Change[]) => {
    for (const { collection: name, serial, next, put } of changes) {
      const collection = JSON.stringify(name);
      sql.run`
        INSERT INTO collections (sandbox, name, next, last_serial)
        VALUES (${sandbox}, ${collection}, ${next}, ${serial})
        ON CONFLICT DO UPDATE SET
          next = excluded.next, last_serial = max(last_serial, excluded.last_serial)`;
      if (put) putItem(sandbox, collection, serial, put);
      else
        sql.run`
          DELETE FROM items
          WHERE sandbox = ${sandbox} AND collection = ${collection} AND serial = ${serial}`;
    }
  };
  return {
    /** Puts and removes items. */
    apply,
    /** Puts these collections in place of all. */
    putAll(sandbox: number, all: Collections) {
      sql.run`DELETE FROM items WHERE sandbox = ${sandbox}`;
      sql.run`DELETE FROM collections WHERE sandbox = ${sandbox}`;
      for (const [name, contents] of Object.entries(all)) {
        const table = tableOf(contents);
        const collection = JSON.stringify(name);
        sql.run`
          INSERT INTO collections (sandbox, name, next, last_serial)
          VALUES (${sandbox}, ${collection}, ${table.next}, ${table.lastSerial})`;
        for (const { item, serial } of table.entries()) putItem(sandbox, collection, serial, item);
      }
    },
    /** All of them. */
    collectionsOf(sandbox: number): Collections {
      const all = sql.all`SELECT * FROM collections WHERE sandbox = ${sandbox}`;
      const found = all.map(({ name, next, last_serial }) => {
        const table = new Table();
        const collection: unknown = JSON.parse(String(name));
        if (typeof collection !== 'string' || !(Number(next) > 0)) throw damaged('collections');
        const items = sql.all`
          SELECT serial, about, json FROM items
          WHERE sandbox = ${sandbox} AND collection = ${name as string} ORDER BY serial`;
        for (const { serial, about, json } of items) {
          const item = parseItem(String(about), String(json));
          table.put({ item, serial: Number(serial), next: Number(next) });
        }
        Object.assign(table, { next: Number(next), lastSerial: Number(last_serial) });
        if (table.size < items.length) throw damaged('items');
        return [collection, table] as const;
      });
      const held = sql.get`SELECT count(*) AS items FROM items WHERE sandbox = ${sandbox}`;
      const read = found.reduce((sum, [, { size }]) => sum + size, 0);
      if (read !== Number(held?.items)) throw damaged('collections');
      return Object.fromEntries(found);
    },
  };
}

/** An item of its row. Throws a {@link DamagedError} where that is damaged. */
function parseItem(about: string, json: string): StoredItem {
  const [id, filters] = JSON.parse(about);
  const item = { id, filters, json: toByteText(json) };
  if (!isObject(filters) || !isItem(item)) throw damaged('items');
  return item;
}

/** The text of a state, which is looked at. Throws a {@link DamagedError} where that is damaged. */
function ensureState(text: string, table: string): string {
  const state = parseState<SandboxState & Partial<SavedState>>(text);
  const { options, clock, faults, latency, collections } = state;
  const isFit =
    isObject(options) &&
    Number.isFinite(clock.frozenAt ?? clock.offset) &&
    (table === 'snapshots'
      ? Object.values(collections as Collections).every(({ items }) => items.every(isItem))
      : Array.isArray(faults.rules) && isObject(latency.settings));
  if (!isFit) throw damaged(table);
  return text;
}

function isItem({ id, filters, json }: StoredItem): boolean {
  const texts: unknown[] = [id, json, ...Object.values(filters)];
  return texts.every((one) => typeof one === 'string') && isObject(JSON.parse(json));
}

function damaged(table: string): DamagedError {
  return new DamagedError(`a row of ${table} has another form`);
}

/** Parses rows of snapshots once the twin serves. */
function read<T>(act: () => T): T {
  try {
    return act();
  } catch {
    const problem = 'A row of snapshots is damaged, so nothing was changed.';
    throw new StoreUnavailableError(`${problem} Delete the snapshot, or restore a backup.`);
  }
}

const toState = ({ state }: Row) => ensureState(String(state), 'snapshots');

function toSummary({ summary }: Row): string {
  const { name, createdAt, items } = JSON.parse(String(summary));
  const isFit = typeof name === 'string' && Number.isFinite(createdAt) && isObject(items);
  if (!isFit) throw damaged('snapshots');
  return String(summary);
}

function snapshotsOf(sql: Sql, sandbox: number) {
  return {
    get(name) {
      const row = sql.get`SELECT * FROM snapshots WHERE sandbox = ${sandbox} AND name = ${name}`;
      return row && read(() => ({ summary: toSummary(row), state: toState(row) }));
    },
    put: (name, summary, state) =>
      void sql.run`
        INSERT OR REPLACE INTO snapshots (sandbox, name, summary, state)
        VALUES (${sandbox}, ${name}, ${summary}, ${state})`,
    delete: (name) =>
      Number(sql.run`DELETE FROM snapshots WHERE sandbox = ${sandbox} AND name = ${name}`.changes) >
      0,
    clear: () => void sql.run`DELETE FROM snapshots WHERE sandbox = ${sandbox}`,
    summaries() {
      const found = sql.all`SELECT summary FROM snapshots WHERE sandbox = ${sandbox}`;
      return read(() => found.map(toSummary));
    },
  } satisfies SnapshotTexts;
}
