import { noContent, toJsonAnswer } from '../../answers/answer.ts';
import { parseInstant } from '../../clock.ts';
import { quote } from '../../json/quote.ts';
import { toSentences } from '../../json/validator.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { isName, nameProblem } from '../../sandboxes/name.ts';
import { heldBy } from '../../sandboxes/sandbox-state.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { type Snapshot, type SnapshotSummary, toSummary } from '../../sandboxes/snapshots.ts';
import type { AdminCall, AdminHandlers } from '../admin/admin.ts';
import { refuse } from '../admin/refusal.ts';
import type { ParseSnapshot, SnapshotBody } from './parse-snapshot.ts';
import { toSnapshotText } from './snapshot-text.ts';

/** A snapshot as it is listed: how many items each collection holds, the instant as ISO 8601. */
export type SnapshotView = { name: string; createdAt: string; items: Record<string, number> };

/** How many snapshots a sandbox may have. */
const maxSnapshots = 100;

export type SnapshotHandlersOptions = {
  keys: readonly ApiKey[];
  sandboxes: Pick<Sandboxes, 'ensureRoom' | 'toInitialState'>;
  parse: ParseSnapshot;
};

/** Save, restore, list, delete, export and import the snapshots of a sandbox. */
export function createSnapshotHandlers({
  keys,
  sandboxes,
  parse,
}: SnapshotHandlersOptions): AdminHandlers {
  /** Returns the snapshot in the body, or else a snapshot of the sandbox's present state. */
  const toSnapshot = async (name: string, call: AdminCall): Promise<Snapshot> => {
    const now = Date.now();
    if (call.body === undefined) return { name, createdAt: now, state: await call.sandbox.save() };
    const given = call.body as SnapshotBody;
    const { state, problems } = await parse(given);
    if (problems)
      refuse('invalid_body', `The body is not a valid Snapshot. ${toSentences(problems)}`);
    const createdAt = given.createdAt === undefined ? now : parseInstant(given.createdAt);
    return { name, createdAt, state };
  };
  return {
    async listSnapshots({ sandbox }) {
      const found = await sandbox.snapshots.list();
      const sorted = found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      return toJsonAnswer({ snapshots: sorted.map(toView) });
    },
    async getSnapshot(call) {
      const snapshot = await snapshotOf(call);
      const { settings } = await sandboxes.toInitialState(snapshot.state.options);
      return { status: 200, json: toSnapshotText(snapshot, settings, keys) };
    },
    putSnapshot: async (call) => {
      const { name = '' } = call.params;
      const { snapshots, name: ofSandbox } = call.sandbox;
      if (!isName(name)) refuse('invalid_parameter', nameProblem('snapshot', name));
      const snapshot = await toSnapshot(name, call);
      sandboxes.ensureRoom(...heldBy(snapshot.state));
      const all = await snapshots.list();
      const isNew = all.every((one) => one.name !== name);
      if (isNew && all.length >= maxSnapshots)
        refuse(
          'too_many_snapshots',
          `Sandbox "${ofSandbox}" has ${maxSnapshots} snapshots, the maximum. Delete one with DELETE /__admin/snapshots/NAME, or replace one by its name.`,
        );
      await snapshots.put(snapshot);
      return toJsonAnswer(toView(toSummary(snapshot)), isNew ? 201 : 200);
    },
    restoreSnapshot: async (call) => {
      await call.sandbox.restore((await snapshotOf(call)).state);
      return toJsonAnswer({ status: 'restored' });
    },
    deleteSnapshot: async (call) => {
      const { name = '' } = call.params;
      if (!(await call.sandbox.snapshots.delete(name))) refuseUnknown(name);
      return noContent;
    },
  };
}

async function snapshotOf({ sandbox, params: { name = '' } }: AdminCall): Promise<Snapshot> {
  return (await sandbox.snapshots.get(name)) ?? refuseUnknown(name);
}

function refuseUnknown(name: string): never {
  const known = 'GET /__admin/snapshots lists those that exist.';
  refuse('not_found', `There is no snapshot ${quote(name)} in this sandbox. ${known}`);
}

function toView({ name, createdAt, items }: SnapshotSummary): SnapshotView {
  return { name, createdAt: new Date(createdAt).toISOString(), items };
}
