import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteBackend } from '../../../../mock/extras/sqlite/open-sqlite-backend.ts';
import type { BackendOptions } from '../../../../mock/sandboxes/backend.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { testJournal } from '../../journal/journal-conformance.ts';
import { testBackend } from '../../sandboxes/backend-conformance.ts';
import { testEviction } from '../../sandboxes/eviction-conformance.ts';
import { testTasks } from '../tasks/tasks-conformance.ts';

const createStore = async () => {
  const folder = makeFolder();
  return {
    open: (options: BackendOptions) =>
      openSqliteBackend(`sqlite:${join(folder, 'twin.db')}`, options),
    remove: () => rm(folder, { recursive: true }),
  };
};

testBackend('SQLite', () => createStore(), { survives: true, runs: 60 });
testEviction('SQLite', () => createStore(), { survives: true, runs: 20 });
testJournal('SQLite', () => createStore(), { runs: 20 });
testTasks('SQLite', () => createStore(), { survives: true });
