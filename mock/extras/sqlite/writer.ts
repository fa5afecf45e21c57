import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../../state/store.ts';
import { toUnavailable } from './database.ts';

/**
 * Writes what is due; what it gives is called once that is committed, and not at all where the
 * commit fails.
 */
export type Flush = () => (() => void) | undefined;

/** Writes to a file in transactions, each in one go. */
export interface Writer {
  /**
   * Runs what is due, and then writes, in one transaction. It is on the disk when this returns. Throws
   * {@link StoreUnavailableError} where that fails, and then nothing of it is in the file.
   */
  commit(write: () => void): void;
  /**
   * Has something flushed with the next commit, at the end of this turn of the event loop at last.
   * Then the disk need not have it yet: an end of this process loses nothing, a power loss may.
   */
  due(flush: Flush): void;
  /** Why the last transaction failed; undefined where it did not. */
  problem(): string | undefined;
  /** Flushes what is due and writes no more: what comes later is refused, or not flushed. */
  close(): void;
}

export type WriterOptions = {
  /** The path of the file. */
  file: string;
  /** Is told why transactions fail from now on, and undefined once one succeeds again. */
  onChange?: (problem: string | undefined) => void;
};

/** Makes the writer of an open file. */
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
  const flushes = new Set<Flush>();
  let timer: NodeJS.Immediate | undefined;
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
  const run = (write: () => void, synced: boolean) => {
    // A call that a stop did not wait for may go on.
    if (isClosed)
      throw new StoreUnavailableError(
        `${file} is closed, as the twin has stopped, so nothing was changed.`,
      );
    const given = [...flushes];
    const committed: (() => void)[] = [];
    try {
      // A file that is gone can be written all the same, which would end its problem.
      const isSuspect = synced || problem !== undefined;
      if (isSuspect && !isInPlace())
        throw new StoreUnavailableError(
          `${file} was moved or deleted, so nothing was changed. Put it back, or start anew.`,
        );
      sync(synced);
      begin.run();
      // First, as it may make rows that the writes refer to.
      for (const flush of given) {
        const done = flush();
        if (done) committed.push(done);
      }
      write();
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
    for (const flush of given) flushes.delete(flush);
    for (const done of committed) done();
    report(undefined);
  };
  const flushDue = () => {
    timer = undefined;
    if (flushes.size === 0) return;
    try {
      run(() => {}, false);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      retry ??= setTimeout(() => {
        retry = undefined;
        flushDue();
      }, 100).unref();
    }
  };
  return {
    commit: (write) => run(write, true),
    due(flush) {
      if (isClosed) return;
      flushes.add(flush);
      timer ??= setImmediate(flushDue);
    },
    problem: () => problem,
    close() {
      clearImmediate(timer);
      clearTimeout(retry);
      try {
        if (flushes.size > 0) run(() => {}, true);
      } finally {
        isClosed = true;
        flushes.clear();
      }
    },
  };
}
