import type { ClockState } from '../../clock.ts';
import { saveControl } from '../../sandboxes/control-state.ts';
import type { MemoryParts } from '../../sandboxes/sandbox-backend.ts';
import type { Connection } from './connection.ts';
import type { SandboxKeys } from './keys.ts';
import { readControl, type SharedControl, toClockText, toControlText } from './shared-control.ts';
import type { SharedFaults } from './shared-faults.ts';
import type { SharedSnapshots } from './shared-snapshots.ts';
import type { Command, SharedState } from './shared-state.ts';
import { makeTag } from './tag.ts';
import { type Fields, readLimits, toPlans, toUsageFields } from './usage.ts';

/** The calls of keys by window, strikes and bans, and the calls that faults counted. */
export type Counts = { usage: Fields; faults: Fields | undefined };

/** What is set by hand in a sandbox and the counts of its keys, in the memory of this process. */
export interface SandboxControl {
  /** What is stored, as JSON, is this from now on; so is the usage where it is given. */
  follow(text: string, usage?: Fields): void;
  readCounts(): Promise<Counts>;
  followCounts(counts: Counts): void;
  /** What to store of the memory as it is now. */
  toStored(): StoredControl;
  /** Stores what was changed in memory, for whoever holds the lock. */
  publish(state: SharedState, token: string): Promise<void>;
}

export type StoredControl = {
  shared: SharedControl;
  text: string;
  /** The commands that store its parts. */
  commands: Command[];
  /** Goes on once it is stored. */
  follow(usage: Fields): void;
};

export type SandboxControlOptions = {
  connection: Connection;
  keys: SandboxKeys;
  snapshots: SharedSnapshots;
  faults: SharedFaults;
};

/** Mirrors what is set by hand in a sandbox. */
export function createSandboxControl(
  parts: MemoryParts,
  { connection, keys, snapshots, faults }: SandboxControlOptions,
): SandboxControl {
  const { limiter, latency, clock } = parts;
  let stored = '';
  /** The counts of keys as they were read last. */
  let usage: Fields = {};

  const readHash = async (key: string): Promise<Fields> => {
    const list = (await connection.send(key, 'HGETALL', key)) as string[];
    const fields: Fields = {};
    for (let at = 0; at < list.length; at += 2) fields[list[at] as string] = list[at + 1] as string;
    return fields;
  };
  const loadUsage = (plans: Fields) => {
    limiter.load(rulesOf(parts), readLimits(usage, plans));
  };
  const follow = (text: string, next: Fields = usage) => {
    const { control, marks, plans } = readControl(text);
    const { position } = latency.save();
    usage = next;
    clock.load(control.clock);
    // The sequence of delays is this process's own.
    latency.load({ ...control.latency, ...(position !== undefined && { position }) });
    faults.load({ faults: control.faults, marks });
    parts.domains.load(control.domains);
    loadUsage(plans);
    stored = text;
  };
  const toStored = (): StoredControl => {
    const nextFaults = faults.toStored();
    const nextSnapshots = snapshots.toStored();
    const control = saveControl(parts, parts.initialState().options);
    const shared: SharedControl = {
      control: { ...control, faults: nextFaults.faults },
      marks: nextFaults.marks,
      plans: toPlans(limiter.save()),
      snapshots: nextSnapshots.marks,
    };
    const text = toControlText(shared);
    const outdated = faults.outdatedFields(nextFaults);
    const commands = nextSnapshots.changes.map(
      ([of, content]): Command =>
        content === undefined
          ? ['HDEL', keys.snapshots, of]
          : ['HSET', keys.snapshots, of, content],
    );
    if (outdated.length > 0) commands.unshift(['HDEL', keys.faults, ...outdated]);
    return {
      shared,
      text,
      commands,
      follow(next) {
        follow(text, next);
        snapshots.stored(nextSnapshots.marks);
      },
    };
  };
  return {
    follow,
    async readCounts() {
      const [counts, calls] = await Promise.all([
        readHash(keys.usage),
        parts.faults.any() ? readHash(keys.faults) : undefined,
      ]);
      return { usage: counts, faults: calls };
    },
    followCounts(counts) {
      ({ usage } = counts);
      loadUsage(stored === '' ? {} : readControl(stored).plans);
      if (counts.faults) faults.loadCounts(counts.faults);
    },
    toStored,
    async publish(state, token) {
      const { text, commands, follow } = toStored();
      const next = toUsageFields(limiter.save());
      const gone = Object.keys(usage).filter((field) => next[field] === undefined);
      const changed = Object.entries(next).filter(([field, value]) => usage[field] !== value);
      if (gone.length > 0) commands.push(['HDEL', keys.usage, ...gone]);
      if (changed.length > 0) commands.push(['HSET', keys.usage, ...changed.flat()]);
      const isOther = text !== stored;
      const tag = isOther ? makeTag() : state.known.control;
      if (isOther) commands.push(...toControlCommands(keys, { text, tag, clock: clock.save() }));
      if (commands.length === 0) return;
      await state.commit(token, commands, { control: tag }, () => {
        usage = next;
        if (isOther) follow(next);
      });
    },
  };
}

/** How keys are limited in a sandbox. */
export function rulesOf(parts: MemoryParts) {
  const { rateLimits: mode, policy } = parts.initialState().settings;
  return { mode, policy };
}

/** The commands that store a control state and the clock. */
export function toControlCommands(
  keys: SandboxKeys,
  { text, tag, clock }: { text: string; tag: string; clock: ClockState },
): Command[] {
  return [
    ['SET', keys.control, text],
    ['HSET', keys.head, 'control', tag, 'clock', toClockText(clock)],
  ];
}
