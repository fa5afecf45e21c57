import { DatabaseSync, StatementSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';

/** Watches the database that is opened next, and changes it. */
export type SpiedDatabase = {
  /**
   * How many rows and statements each transaction wrote, the commits of the last turns included.
   */
  readonly transactions: { statements: number; isSynced: boolean }[];
  /** How many rows a table has. */
  count(table: string): unknown;
  /** Has every write fail from now on, or no longer. */
  lock(isLocked: boolean): void;
  /** Has a write fail that needs more pages than there are, or no longer. */
  fill(isFull: boolean): void;
};

/** Follows the database that is opened next. */
export function spyOnDatabase(): SpiedDatabase {
  const transactions: SpiedDatabase['transactions'] = [];
  let database: DatabaseSync | undefined;
  let isSynced = true;
  const run = (sql: string) => original.call(database as DatabaseSync, sql);
  const original = DatabaseSync.prototype.exec;
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    database ??= this;
    if (this === database && sql.startsWith('PRAGMA synchronous')) isSynced = sql.endsWith('FULL');
    return original.call(this, sql);
  });
  const originalRun = StatementSync.prototype.run;
  let statements = 0;
  const statement = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...values: Parameters<StatementSync['run']>
  ) {
    const result = originalRun.apply(this, values);
    if (this.sourceSQL === 'BEGIN IMMEDIATE') statements = 0;
    else if (this.sourceSQL === 'COMMIT') transactions.push({ statements, isSynced });
    else statements += Number(result.changes);
    return result;
  });
  onTestFinished(() => {
    exec.mockRestore();
    statement.mockRestore();
  });
  return {
    transactions,
    count: (table) => database?.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count,
    lock: (isLocked) => run(`PRAGMA query_only = ${isLocked ? 1 : 0}`),
    fill(isFull) {
      const pages = database?.prepare('PRAGMA page_count').get()?.page_count;
      run(`PRAGMA max_page_count = ${isFull ? pages : 1_000_000}`);
    },
  };
}
