import { saveControl } from '../../sandboxes/control-state.ts';
import { hashItems } from '../../sandboxes/fingerprint.ts';
import type { MemoryParts, Replacement } from '../../sandboxes/sandbox-backend.ts';
import type { InitialState } from '../../sandboxes/sandbox-state.ts';
import { type Differences, findDifferences } from '../../state/differences.ts';
import type { MemoryStores } from '../../state/memory-store.ts';
import type { MirroredStore } from '../../state/mirrored-store.ts';
import type { Whole } from '../../state/round.ts';
import type { Connection } from './connection.ts';
import { toItemFields } from './item-fields.ts';
import type { SandboxKeys } from './keys.ts';
import { type SandboxControl, toControlCommands } from './sandbox-control.ts';
import { toControlText } from './shared-control.ts';
import type { SharedSnapshots } from './shared-snapshots.ts';
import type { Command, SharedState } from './shared-state.ts';
import { makeTag } from './tag.ts';
import { toPlans, toUsageFields } from './usage.ts';

/** What the items that are held are relative to, with the hash of these seeds. */
export type Origin = { initialState: InitialState; tag: string };

/** Puts whole states in place of all that a sandbox holds, for whoever holds its lock. */
export interface SandboxReplacement {
  replace(replacement: Replacement, token: string): Promise<void>;
  /** Replaces items and seeds alone; what is set by hand stays. */
  replaceItems(whole: Whole<undefined>, token: string): Promise<void>;
  /** Follows a change of the items that it begins with; what it holds stays. */
  rebase(initialState: InitialState, token: string): Promise<void>;
}

export type SandboxReplacementOptions = {
  connection: Connection;
  keys: SandboxKeys;
  memory: MemoryStores;
  state: SharedState;
  mirror: MirroredStore<undefined>;
  control: SandboxControl;
  snapshots: SharedSnapshots;
  origin: Origin;
  /** Is called before the sandbox is brought back to its start; what it gives, once it was. */
  onRestart: () => Promise<() => Promise<void>>;
};

/** A state to put in place of another. */
type WholeState = Omit<Replacement, 'state'> &
  Pick<Replacement['state'], 'initialState' | 'limits'> &
  Pick<Whole<undefined>, 'differences'> & { keepsFaults: boolean };

/** Replaces what a sandbox that processes share holds. */
export function createSandboxReplacement(
  parts: MemoryParts,
  options: SandboxReplacementOptions,
): SandboxReplacement {
  const { connection, keys, memory, state, mirror, control, snapshots, origin } = options;

  /** Replaces all, at one moment. */
  const replaceAll = async (whole: WholeState, token: string) => {
    const { initialState, differences, limits, keepsFaults, keepsSnapshots } = whole;
    const { seeds } = initialState;
    const seedsTag = hashItems(seeds);
    const staged = await stageItems(connection, keys, differences, token);
    const now = control.toStored();
    const kept = now.shared;
    const text = toControlText({
      control: { ...whole.control, ...(keepsFaults && { faults: kept.control.faults }) },
      marks: keepsFaults ? kept.marks : {},
      plans: toPlans(limits),
      snapshots: keepsSnapshots ? kept.snapshots : {},
    });
    const usage = toUsageFields(limits);
    const next = { epoch: makeTag(), control: makeTag(), version: 0, tip: '' };
    const { clock } = whole.control;
    await state.commit(
      token,
      [
        // What can fail comes first, as a script is not undone; then removal, as a server that is full
        // allows it alone.
        ...(staged.length > 0 ? staged : [['DEL', keys.items] as Command]),
        ['DEL', keys.log],
        ['DEL', keys.usage],
        ...(keepsFaults ? [] : [['DEL', keys.faults] as Command]),
        ...(keepsSnapshots ? now.commands : [['DEL', keys.snapshots] as Command]),
        ...toControlCommands(keys, { text, tag: next.control, clock }),
        ['HSET', keys.head, 'epoch', next.epoch, 'seeds', seedsTag],
        ['HSET', keys.head, 'version', '0', 'tip', '', 'base', '0', 'bytes', '0'],
        ...Object.entries(usage).map((field): Command => ['HSET', keys.usage, ...field]),
      ],
      next,
      () => {
        mirror.follow({ version: mirror.version() + 1, seeds, differences });
        parts.begin(initialState);
        Object.assign(origin, { initialState, tag: seedsTag });
        control.follow(text, usage);
        snapshots.stored(keepsSnapshots ? kept.snapshots : {});
      },
    );
  };
  const replace: SandboxReplacement['replace'] = async (replacement, token) => {
    const { state: whole, ...rest } = replacement;
    const { initialState, collections, limits } = whole;
    const { seeds } = initialState;
    const differences = findDifferences(collections, seeds, memory.placeOf);
    const keepsFaults = rest.control.faults.rules.length > 0;
    const onRestarted = collections === seeds ? await options.onRestart() : undefined;
    await replaceAll({ ...rest, initialState, differences, limits, keepsFaults }, token);
    await onRestarted?.();
  };
  return {
    replace,
    async replaceItems({ seeds, differences }, token) {
      const { options, settings } = parts.initialState();
      const initialState = { options, settings, seeds };
      const limits = parts.limiter.save();
      const kept = { control: saveControl(parts, options), limits };
      await replaceAll(
        { ...kept, initialState, differences, keepsSnapshots: true, keepsFaults: true },
        token,
      );
    },
    async rebase(initialState, token) {
      // Another process may have followed the same change already.
      if (origin.tag === hashItems(initialState.seeds)) return;
      await snapshots.rebase();
      const collections = await mirror.save();
      const limits = parts.limiter.save();
      const control = saveControl(parts, initialState.options);
      const { clock, domains } = control;
      const whole = { initialState, collections, limits, clock, ...(domains && { domains }) };
      await replace({ state: whole, control, keepsSnapshots: true }, token);
    },
  };
}

/** How many fields are written at once, so that the server is not blocked for long. */
const fieldsAtOnce = 500;

/** How long items wait to be used, in milliseconds. */
const stagedFor = '60000';

/**
 * Writes the items of a whole state where they wait for it, and gives the commands that put them in
 * place.
 */
async function stageItems(
  connection: Connection,
  { items }: SandboxKeys,
  differences: Differences,
  token: string,
): Promise<Command[]> {
  const fields = Object.entries(toItemFields(differences));
  if (fields.length === 0) return [];
  const staged = `${items}:${token}`;
  for (let at = 0; at < fields.length; at += fieldsAtOnce) {
    const some = fields.slice(at, at + fieldsAtOnce).flat();
    await connection.send(staged, 'HSET', staged, ...some);
    await connection.send(staged, 'PEXPIRE', staged, stagedFor);
  }
  return [
    ['PERSIST', staged],
    ['RENAME', staged, items],
  ];
}
