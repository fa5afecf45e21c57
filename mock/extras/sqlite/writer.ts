import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../../state/store.ts';
import { toUnavailable } from './database.ts';

/** Writes to a file in transactions, each in one go. */
export interface Writer {
  /**
   * Runs pending writes and then this one in one transaction, which is on disk on return. If it
   * fails, throws {@link StoreUnavailableError} and the file has none of it.
   */
  commit<T>(write: () => T): T;
  /**
   * Writes as well, but the disk need not have it yet: an end of this process loses nothing, a power
   * loss may. Where that fails, it is tried again, also with the next commit.
   */
  due(write: () => void): void;
  /** Returns the failure of the last transaction; undefined if it succeeded. */
  problem(): string | undefined;
  /** Writes pending changes and stops; later ones are refused or not written. */
  close(): void;
}

export type WriterOptions = {
  /** The path of the file. */
  file: string;
  /** Is told why transactions fail from now on, and undefined once one succeeds again. */
  onChange?: (problem: string | undefined) => void;
};

/** Creates the writer of an open file. */
export function createWriter(
  database: DatabaseSync,
  { file, onChange = () => {} }: WriterOptions,
): Writer {
  const { ino, dev } = statSync(file);
  const isInPlace = () => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.ino === ino && found.dev === dev;
  };
  const [begin, end] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
  const waiting = new Set<() => void>();
  let retry: NodeJS.Timeout | undefined;
  let problem: string | undefined;
  let isSynced = true;
  let isClosed = false;

  const report = (next: string | undefined) => {
    if (problem === next) return;
    problem = next;
    onChange(next);
  };
  const sync = (wanted: boolean) => {
    if (isSynced === wanted) return;
    database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    isSynced = wanted;
  };
  const run = <T>(write: () => T, synced: boolean): T => {
    // A call that a stop did not wait for may go on.
    if (isClosed)
      throw new StoreUnavailableError(
        `${file} is closed, as the mock has stopped, so nothing was changed.`,
      );
    let result: T;
    try {
      // A file that is gone can be written all the same, which would end its problem.
      const isSuspect = synced || problem !== undefined;
      if (isSuspect && !isInPlace())
        throw new StoreUnavailableError(
          `${file} was moved or deleted, so nothing was changed. Put it back, or start with a new file.`,
        );
      sync(synced);
      begin.run();
      // First, as it may make rows that the writes refer to.
      for (const one of waiting) one();
      result = write();
      end.run();
    } catch (error) {
      // SQLite rolls back by itself where a disk is full.
      if (database.isTransaction) database.exec('ROLLBACK');
      const unavailable =
        error instanceof StoreUnavailableError ? error : toUnavailable(error, file);
      if (!unavailable) throw error;
      report(unavailable.message);
      throw unavailable;
    }
    waiting.clear();
    report(undefined);
    return result;
  };
  const writeDue = () => {
    if (waiting.size === 0) return;
    try {
      run(() => {}, false);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      retry ??= setTimeout(() => {
        retry = undefined;
        writeDue();
      }, 100).unref();
    }
  };
  return {
    commit: (write) => run(write, true),
    due(write) {
      if (isClosed) return;
      waiting.add(write);
      writeDue();
    },
    problem: () => problem,
    close() {
      clearTimeout(retry);
      try {
        if (waiting.size > 0) run(() => {}, true);
      } finally {
        isClosed = true;
        waiting.clear();
      }
    },
  };
}
