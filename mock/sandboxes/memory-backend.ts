import type { Stores } from '../state/store.ts';
import type { Backend } from './backend.ts';

/** Holds all state in the memory of this process alone. */
export function createMemoryBackend({ open, bytesOf }: Stores): Backend {
  return {
    bytesOf,
    open({ initialState, admit, limiter, faults, latency, snapshots }) {
      const store = open(initialState().seeds, admit);
      return {
        store,
        limiter,
        faults,
        latency,
        snapshots,
        change: run,
        replace: ({ state }) => store.load(state.collections),
        close: store.close,
      };
    },
    close: async () => {},
  };
}

function run<T>(act: () => T): T {
  return act();
}
