import { createMemoryBackend } from '../../../mock/sandboxes/memory-backend.ts';
import { createMemoryStores } from '../../../mock/state/memory-store.ts';
import { testBackend } from './backend-conformance.ts';

testBackend('memory', async () => ({
  open: async () => createMemoryBackend(createMemoryStores()),
  remove: async () => {},
}));
