import type { Extra } from '../extra.ts';

/** Snapshots: the operations of the admin that store and restore the state. */
export const snapshots: Extra = ({ served, settings, tools: { sandboxes } }) => ({
  groups: {
    async snapshots() {
      const { createParseSnapshot, createSnapshotHandlers } = await import('./late.ts');
      const { toInitialState } = sandboxes;
      const parse = createParseSnapshot({ ...served, ...settings, toInitialState });
      return createSnapshotHandlers({ keys: served.keys, sandboxes, parse });
    },
  },
});
