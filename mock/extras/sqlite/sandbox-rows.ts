import type { DatabaseSync } from 'node:sqlite';
import { fromColumn, toColumn } from './text-column.ts';

/** A sandbox of a file; instants in Unix milliseconds. */
export type SandboxRow = {
  id: number;
  name: string;
  createdAt: number;
  lastUsedAt: number;
  /** Its control state as JSON. */
  control: string;
};

/** A snapshot of a sandbox, with what it is beside items as JSON. */
export type SnapshotRow = { name: string; createdAt: number; state: string };

/** The rows of sandboxes, but for their items. Each call that writes is within a transaction. */
export interface SandboxRows {
  list(): SandboxRow[];
  insert(row: SandboxRow): void;
  touch(id: number, instant: number): void;
  /** Removes all that is about a sandbox, but for the contents of its collections. */
  remove(id: number): void;
  /** Begins anew, as of an instant. */
  restart(id: number, instant: number): void;
  /** Puts the control state, which holds the state of the sequences. */
  putControl(id: number, state: string): void;
  /** Puts what calls have changed of the sequences since the control state was put. */
  putSequences(id: number, state: string): void;
  sequencesOf(id: number): string | undefined;
  /** Puts what a key has used, as JSON; undefined removes it. */
  putUsage(id: number, key: string, usage: string | undefined): void;
  clearUsage(id: number): void;
  usageOf(id: number): [key: string, usage: string][];
  putSnapshot(id: number, snapshot: SnapshotRow): void;
  removeSnapshot(id: number, name: string): void;
  snapshotsOf(id: number): SnapshotRow[];
}

/** Prepares the statements for the sandboxes of a database. */
export function createSandboxRows(database: DatabaseSync): SandboxRows {
  const prepare = (sql: string) => database.prepare(sql);
  const list = prepare(
    'SELECT id, name, created_at, last_used_at, state FROM sandboxes JOIN controls ON sandbox = id',
  );
  const insert = prepare(
    'INSERT INTO sandboxes (id, name, created_at, last_used_at) VALUES (?, ?, ?, ?)',
  );
  const touch = prepare('UPDATE sandboxes SET last_used_at = ? WHERE id = ?');
  const restart = prepare('UPDATE sandboxes SET created_at = ?, last_used_at = ? WHERE id = ?');
  const remove = prepare('DELETE FROM sandboxes WHERE id = ?');
  const putControl = prepare('INSERT OR REPLACE INTO controls (sandbox, state) VALUES (?, ?)');
  const putSequences = prepare('INSERT OR REPLACE INTO sequences (sandbox, state) VALUES (?, ?)');
  const removeSequences = prepare('DELETE FROM sequences WHERE sandbox = ?');
  const sequencesOf = prepare('SELECT state FROM sequences WHERE sandbox = ?');
  const putUsage = prepare('INSERT OR REPLACE INTO usage (sandbox, key, usage) VALUES (?, ?, ?)');
  const removeUsage = prepare('DELETE FROM usage WHERE sandbox = ? AND key = ?');
  const clearUsage = prepare('DELETE FROM usage WHERE sandbox = ?');
  const usageOf = prepare('SELECT key, usage FROM usage WHERE sandbox = ?');
  const putSnapshot = prepare(
    'INSERT OR REPLACE INTO snapshots (sandbox, name, created_at, state) VALUES (?, ?, ?, ?)',
  );
  const removeSnapshot = prepare('DELETE FROM snapshots WHERE sandbox = ? AND name = ?');
  const snapshotsOf = prepare('SELECT name, created_at, state FROM snapshots WHERE sandbox = ?');
  return {
    list: () =>
      list.all().map(({ id, name, created_at, last_used_at, state }) => ({
        id: Number(id),
        name: String(name),
        createdAt: Number(created_at),
        lastUsedAt: Number(last_used_at),
        control: String(state),
      })),
    insert({ id, name, createdAt, lastUsedAt, control }) {
      insert.run(id, name, createdAt, lastUsedAt);
      putControl.run(id, control);
    },
    touch: (id, instant) => void touch.run(instant, id),
    restart: (id, instant) => void restart.run(instant, instant, id),
    remove: (id) => void remove.run(id),
    putControl(id, state) {
      putControl.run(id, state);
      removeSequences.run(id);
    },
    putSequences: (id, state) => void putSequences.run(id, state),
    sequencesOf: (id) => sequencesOf.get(id)?.state?.toString(),
    putUsage(id, key, usage) {
      if (usage === undefined) removeUsage.run(id, toColumn(key));
      else putUsage.run(id, toColumn(key), usage);
    },
    clearUsage: (id) => void clearUsage.run(id),
    usageOf: (id) => usageOf.all(id).map(({ key, usage }) => [fromColumn(key), String(usage)]),
    putSnapshot: (id, { name, createdAt, state }) =>
      void putSnapshot.run(id, name, createdAt, state),
    removeSnapshot: (id, name) => void removeSnapshot.run(id, name),
    snapshotsOf: (id) =>
      snapshotsOf.all(id).map(({ name, created_at, state }) => ({
        name: String(name),
        createdAt: Number(created_at),
        state: String(state),
      })),
  };
}
