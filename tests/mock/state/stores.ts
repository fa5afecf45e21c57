import type { openMemoryStore } from '../../../mock/state/memory-store.ts';
import type { bytesOf } from '../../../mock/state/tables.ts';

/** An adapter of the port of stores. */
export type Stores = { open: typeof openMemoryStore; bytesOf: typeof bytesOf };
