import type { DatabaseSync } from 'node:sqlite';
import { toByteText, toText } from '../../json/exact-json.ts';
import { parseState, type SavedState, toStateText } from '../../sandboxes/sandbox-state.ts';
import { type Snapshot, type SnapshotSummary, toSummary } from '../../sandboxes/snapshots.ts';
import type { Collections } from '../../state/store.ts';
import { type Change, Table } from '../../state/table.ts';
import { tableOf } from '../../state/tables.ts';

/** A sandbox of a file; instants in Unix milliseconds. */
export type SandboxRow = {
  id: number;
  name: string;
  createdAt: number;
  lastUsedAt: number;
  /** All but its items, as JSON. */
  state: string;
};

/** The rows of a file. Each call that writes is within a transaction. */
export type Rows = ReturnType<typeof createRows>;

/** Prepares the statements for a database. */
export function createRows(database: DatabaseSync) {
  return {
    ...createTwinRows(database),
    ...createSandboxRows(database),
    ...createItemRows(database),
    ...createSnapshotRows(database),
  };
}

function createTwinRows(database: DatabaseSync) {
  const fingerprint = database.prepare("SELECT value FROM twin WHERE name = 'fingerprint'");
  const put = database.prepare('INSERT OR REPLACE INTO twin (name, value) VALUES (?, ?)');
  return {
    /** What the items that its twin begins with depend on, as JSON; undefined in a new file. */
    fingerprint: () => fingerprint.get()?.value?.toString(),
    putFingerprint: (text: string) => void put.run('fingerprint', text),
    /** Writes, to see whether that is possible. */
    probe: () => void put.run('probe', String(Date.now())),
  };
}

function createSandboxRows(database: DatabaseSync) {
  const list = database.prepare('SELECT * FROM sandboxes');
  const put = database.prepare(
    `INSERT INTO sandboxes (id, name, created_at, last_used_at, state) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       created_at = excluded.created_at, last_used_at = excluded.last_used_at,
       state = excluded.state`,
  );
  const remove = database.prepare('DELETE FROM sandboxes WHERE id = ?');
  return {
    list: () =>
      list.all().map(
        ({ id, name, created_at, last_used_at, state }): SandboxRow => ({
          id: Number(id),
          name: String(name),
          createdAt: Number(created_at),
          lastUsedAt: Number(last_used_at),
          state: String(state),
        }),
      ),
    put: ({ id, name, createdAt, lastUsedAt, state }: SandboxRow) =>
      void put.run(id, name, createdAt, lastUsedAt, state),
    /** Removes all that is about a sandbox. */
    remove: (id: number) => void remove.run(id),
    clear: () => database.exec('DELETE FROM sandboxes'),
  };
}

function createItemRows(database: DatabaseSync) {
  const collections = database.prepare('SELECT * FROM collections WHERE sandbox = ?');
  const items = database.prepare(
    'SELECT serial, about, json FROM items WHERE sandbox = ? AND collection = ? ORDER BY serial',
  );
  const putCollection = database.prepare(
    'INSERT OR REPLACE INTO collections (sandbox, name, next, last_serial) VALUES (?, ?, ?, ?)',
  );
  const putNext = database.prepare(
    `INSERT INTO collections (sandbox, name, next, last_serial) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       next = excluded.next, last_serial = max(last_serial, excluded.last_serial)`,
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO items (sandbox, collection, serial, about, json) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare(
    'DELETE FROM items WHERE sandbox = ? AND collection = ? AND serial = ?',
  );
  const removeCollections = database.prepare('DELETE FROM collections WHERE sandbox = ?');
  const removeItems = database.prepare('DELETE FROM items WHERE sandbox = ?');
  const apply = (sandbox: number, changes: readonly Change[]) => {
    for (const change of changes) {
      const { serial, next } = change;
      const collection = JSON.stringify(change.collection);
      putNext.run(sandbox, collection, next, serial);
      if (!change.put) remove.run(sandbox, collection, serial);
      else {
        const { id, filters, json } = change.put;
        put.run(sandbox, collection, serial, JSON.stringify([id, filters]), toText(json));
      }
    }
  };
  return {
    /** Puts and removes items. */
    apply,
    /** Puts these collections in place of all. */
    putAll(sandbox: number, all: Collections) {
      removeItems.run(sandbox);
      removeCollections.run(sandbox);
      for (const [collection, contents] of Object.entries(all)) {
        const table = tableOf(contents);
        const { next, lastSerial } = table;
        putCollection.run(sandbox, JSON.stringify(collection), next, lastSerial);
        for (const { item, serial } of table.entries())
          apply(sandbox, [{ collection, next, serial, put: item }]);
      }
    },
    /** All of them. */
    collectionsOf(sandbox: number): Collections {
      const found = collections.all(sandbox).map(({ name, next, last_serial }) => {
        const table = new Table();
        for (const { serial, about, json } of items.all(sandbox, name as string)) {
          const [id, filters] = JSON.parse(String(about));
          const item = { id, filters, json: toByteText(String(json)) };
          table.put({ item, serial: Number(serial), next: Number(next) });
        }
        Object.assign(table, { next: Number(next), lastSerial: Number(last_serial) });
        return [JSON.parse(String(name)), table] as const;
      });
      return Object.fromEntries(found);
    },
  };
}

function createSnapshotRows(database: DatabaseSync) {
  const put = database.prepare(
    'INSERT OR REPLACE INTO snapshots (sandbox, name, summary, state) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM snapshots WHERE sandbox = ? AND name = ?');
  const clear = database.prepare('DELETE FROM snapshots WHERE sandbox = ?');
  const get = database.prepare('SELECT * FROM snapshots WHERE sandbox = ? AND name = ?');
  const summaries = database.prepare('SELECT summary FROM snapshots WHERE sandbox = ?');
  return {
    putSnapshot(sandbox: number, snapshot: Snapshot) {
      const summary = JSON.stringify(toSummary(snapshot));
      put.run(sandbox, snapshot.name, summary, toStateText(snapshot.state));
    },
    removeSnapshot: (sandbox: number, name: string) => remove.run(sandbox, name).changes > 0,
    clearSnapshots: (sandbox: number) => void clear.run(sandbox),
    snapshotOf(sandbox: number, name: string): Snapshot | undefined {
      const row = get.get(sandbox, name);
      if (!row) return undefined;
      const { createdAt }: SnapshotSummary = JSON.parse(String(row.summary));
      return { name, createdAt, state: parseState<SavedState>(String(row.state)) };
    },
    summariesOf: (sandbox: number): SnapshotSummary[] =>
      summaries.all(sandbox).map(({ summary }) => JSON.parse(String(summary))),
  };
}
