import { noContent, toJsonAnswer } from '../../answers/answer.ts';
import { parseInstant } from '../../clock.ts';
import { quote } from '../../json/quote.ts';
import { toSentences } from '../../json/validator.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { isName, nameProblem } from '../../sandboxes/name.ts';
import type { Snapshot } from '../../sandboxes/sandbox-state.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import type { AdminCall, AdminHandlers } from '../admin/admin.ts';
import { refuse } from '../admin/refusal.ts';
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
  /** What a body says, or else what the sandbox holds now. */
  const toSnapshot = async (name: string, call: AdminCall): Promise<Snapshot> => {
    const now = Date.now();
    if (call.body === undefined) return { name, createdAt: now, state: await call.sandbox.save() };
    const given = call.body as SnapshotBody;
    const { state, problems } = await parse(given, call.doubles);
    if (problems)
      refuse('invalid_body', `The body is not a valid Snapshot. ${toSentences(problems)}`);
    const createdAt = given.createdAt === undefined ? now : parseInstant(given.createdAt);
    return { name, createdAt, state };
  };
  return {
    listSnapshots: ({ sandbox }) =>
      toJsonAnswer({ snapshots: sandbox.snapshots.list().map(toView) }),
    getSnapshot: (call) => ({ status: 200, json: toSnapshotText(snapshotOf(call), keys) }),
    putSnapshot: async (call) => {
      const { name = '' } = call.params;
      const { snapshots, name: ofSandbox } = call.sandbox;
      if (!isName(name)) refuse('invalid_parameter', nameProblem('snapshot', name));
      const snapshot = await toSnapshot(name, call);
      sandboxes.ensureRoom(snapshot.state.collections, snapshot.state.initialState.seeds);
      const isNew = snapshots.get(name) === undefined;
      if (!snapshots.put(snapshot))
        refuse(
          'too_many_snapshots',
          `Sandbox "${ofSandbox}" has ${snapshots.max} snapshots, the maximum. Delete one with DELETE /__admin/snapshots/NAME, or replace one by its name.`,
        );
      return toJsonAnswer(toView(snapshot), isNew ? 201 : 200);
    },
    restoreSnapshot: async (call) => {
      await call.sandbox.restore(snapshotOf(call).state);
      return toJsonAnswer({ status: 'restored' });
    },
    deleteSnapshot: (call) => {
      call.sandbox.snapshots.delete(snapshotOf(call).name);
      return noContent;
    },
  };
}

function snapshotOf({ sandbox, params: { name = '' } }: AdminCall): Snapshot {
  const known = 'GET /__admin/snapshots lists those that exist.';
  return (
    sandbox.snapshots.get(name) ??
    refuse('not_found', `There is no snapshot ${quote(name)} in this sandbox. ${known}`)
  );
}

function toView({ name, createdAt, state }: Snapshot): SnapshotView {
  const counts = Object.entries(state.collections).map(([collection, { items }]) => [
    collection,
    items.length,
  ]);
  return { name, createdAt: new Date(createdAt).toISOString(), items: Object.fromEntries(counts) };
}
