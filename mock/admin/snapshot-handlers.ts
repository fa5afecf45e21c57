import { type Answer, noContent, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { parseInstant } from '../clock.ts';
import { quote } from '../json/quote.ts';
import { toSentences } from '../json/validator.ts';
import type { ApiKey } from '../limits/plans.ts';
import { isName, nameProblem } from '../sandboxes/sandbox-options.ts';
import type { Snapshot } from '../sandboxes/sandbox-state.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { AdminHandlers } from './admin.ts';
import type { ParseSnapshot, SnapshotBody } from './parse-snapshot.ts';
import { toSnapshotText } from './snapshot-text.ts';

/** A snapshot as it is listed: how many items each collection holds, the instant as ISO 8601. */
export type SnapshotView = { name: string; createdAt: string; items: Record<string, number> };

export type SnapshotHandlersOptions = {
  keys: readonly ApiKey[];
  sandboxes: Pick<Sandboxes, 'ensureRoom'>;
  parse: ParseSnapshot;
};

/** Save, restore, list, delete, export and import the snapshots of a sandbox. */
export function createSnapshotHandlers({
  keys,
  sandboxes,
  parse,
}: SnapshotHandlersOptions): AdminHandlers {
  return {
    listSnapshots: ({ sandbox }) =>
      toJsonAnswer({ snapshots: sandbox.snapshots.list().map(toView) }),
    getSnapshot: ({ sandbox, params: { name = '' } }) => {
      const snapshot = sandbox.snapshots.get(name);
      return snapshot ? { status: 200, json: toSnapshotText(snapshot, keys) } : notFound(name);
    },
    putSnapshot: async ({ sandbox, params: { name = '' }, body, doubles }) => {
      const { snapshots } = sandbox;
      if (!isName(name)) return toErrorAnswer('invalid_parameter', nameProblem('snapshot', name));
      let snapshot: Snapshot;
      if (body === undefined)
        snapshot = { name, createdAt: Date.now(), state: await sandbox.save() };
      else {
        const given = body as SnapshotBody;
        const { state, problems } = await parse(given, doubles);
        if (problems)
          return toErrorAnswer(
            'invalid_body',
            `The body is not a valid Snapshot. ${toSentences(problems)}`,
          );
        snapshot = {
          name,
          createdAt: given.createdAt === undefined ? Date.now() : parseInstant(given.createdAt),
          state,
        };
      }
      try {
        sandboxes.ensureRoom(snapshot.state.collections, snapshot.state.initialState.seeds);
      } catch (error) {
        return toOutOfRoomAnswer(error);
      }
      const isNew = snapshots.get(name) === undefined;
      return snapshots.put(snapshot)
        ? toJsonAnswer(toView(snapshot), isNew ? 201 : 200)
        : toErrorAnswer(
            'too_many_snapshots',
            `Sandbox "${sandbox.name}" has ${snapshots.max} snapshots, the maximum. Delete one with DELETE /__admin/snapshots/NAME, or replace one by its name.`,
          );
    },
    restoreSnapshot: async ({ sandbox, params: { name = '' } }) => {
      const snapshot = sandbox.snapshots.get(name);
      if (!snapshot) return notFound(name);
      await sandbox.restore(snapshot.state);
      return toJsonAnswer({ status: 'restored' });
    },
    deleteSnapshot: ({ sandbox, params: { name = '' } }) =>
      sandbox.snapshots.delete(name) ? noContent : notFound(name),
  };
}

function toView({ name, createdAt, state }: Snapshot): SnapshotView {
  const counts = Object.entries(state.collections).map(([collection, { items }]) => [
    collection,
    items.length,
  ]);
  return { name, createdAt: new Date(createdAt).toISOString(), items: Object.fromEntries(counts) };
}

function notFound(name: string): Answer {
  const message = `There is no snapshot ${quote(name)} in this sandbox. GET /__admin/snapshots lists those that exist.`;
  return toErrorAnswer('not_found', message);
}
