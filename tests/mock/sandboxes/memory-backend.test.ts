import { createMemoryBackend } from '../../../mock/sandboxes/open-sandboxes.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { testTasks } from '../extras/tasks/tasks-conformance.ts';
import { testJournal } from '../journal/journal-conformance.ts';
import { testBackend } from './backend-conformance.ts';
import { testEviction } from './eviction-conformance.ts';

const createStore = async () => ({
  open: async () => createMemoryBackend(openMemoryStore),
  remove: async () => {},
});

testBackend('memory', createStore);
testEviction('memory', createStore, { runs: 30 });
testJournal('memory', createStore);
testTasks('memory', createStore);
