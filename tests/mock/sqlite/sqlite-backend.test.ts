import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteBackend } from '../../../mock/sqlite/open-sqlite-backend.ts';
import { testBackend } from '../sandboxes/backend-conformance.ts';

const createStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-backend-'));
  return {
    open: (options: Parameters<typeof openSqliteBackend>[1]) =>
      openSqliteBackend(`sqlite:${join(folder, 'twin.db')}`, options),
    remove: () => rm(folder, { recursive: true }),
  };
};

testBackend('SQLite', createStore, { survives: true, runs: 60 });
