import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClockState } from '../clock.ts';
import type { LimiterState } from '../limits/limiter.ts';
import { initialControl, saveControl } from '../sandboxes/control-state.ts';
import { hashItems } from '../sandboxes/fingerprint.ts';
import type { ToInitialState } from '../sandboxes/sandbox.ts';
import type { MemoryParts, OpenedSandbox, Replacement } from '../sandboxes/sandbox-backend.ts';
import type { InitialState } from '../sandboxes/sandbox-state.ts';
import type { Change } from '../state/change-log.ts';
import { type Differences, findDifferences } from '../state/differences.ts';
import type { MemoryStores } from '../state/memory-store.ts';
import { createMirroredStore, type MirroredStore } from '../state/mirrored-store.ts';
import { StoreUnavailableError } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { readItemFields, toFieldChanges } from './item-fields.ts';
import { toSandboxKeys } from './keys.ts';
import { createSandboxLock } from './sandbox-lock.ts';
import { faultsScript } from './scripts.ts';
import { readControl, type SharedControl, toClockText, toControlText } from './shared-control.ts';
import { shareFaults } from './shared-faults.ts';
import { shareSnapshots } from './shared-snapshots.ts';
import { type Command, createSharedState, makeTag } from './shared-state.ts';
import { stageItems } from './staged-items.ts';
import {
  type Fields,
  readDecision,
  readLimits,
  toLimitArgs,
  toPlans,
  toUsageFields,
} from './usage.ts';

export type SharedSandboxOptions = {
  connection: Connection;
  memory: MemoryStores;
  /** After how many milliseconds without use it is gone; 0 for never. */
  idle: number;
  toInitialState: ToInitialState;
  /** Is called before it is made where it is not there. */
  onCreate: () => Promise<void>;
  /** Is called once it was deleted. */
  onDelete: () => Promise<void>;
  /** Is called once it was brought back to its start. */
  onRestart: () => Promise<void>;
  /** The server's time, as it was a moment ago. */
  onTime: (system: number) => void;
  journal: OpenedSandbox['journal'];
};

/** A state to put in place of another. */
type WholeState = Pick<Replacement, 'control' | 'keepsSnapshots'> & {
  initialState: InitialState;
  differences: Differences;
  limits: LimiterState;
  keepsFaults: boolean;
};

/**
 * Shares a sandbox with other processes: its state in memory follows the one at the server, and a
 * change of it is made there first.
 */
export function openSharedSandbox(
  parts: MemoryParts,
  options: SharedSandboxOptions,
): OpenedSandbox {
  const { connection, memory, toInitialState } = options;
  const { name, limiter, latency } = parts;
  const keys = toSandboxKeys(connection.prefix, name);
  const lock = createSandboxLock(connection, keys.lock);
  /** The token of the lock, within a change. */
  const holding = new AsyncLocalStorage<string>();
  let changing: Promise<unknown> | undefined;
  /** What is stored of control, as JSON, and the counts of keys as they were read last. */
  let storedControl = '';
  let seedsTag = '';
  /** What the items that are held are relative to. */
  let held = parts.initialState();
  let usage: Fields = {};

  const readHash = async (key: string): Promise<Fields> => {
    const list = (await connection.send(key, 'HGETALL', key)) as string[];
    const fields: Fields = {};
    for (let at = 0; at < list.length; at += 2) fields[list[at] as string] = list[at + 1] as string;
    return fields;
  };
  const rules = () => {
    const { rateLimits: mode, policy } = parts.initialState().settings;
    return { mode, policy };
  };

  const snapshots = shareSnapshots(parts.snapshots, {
    memory,
    toInitialState,
    read: async (of) =>
      (await connection.send(keys.snapshots, 'HGET', keys.snapshots, of)) as string | null,
  });
  const faults = shareFaults(parts.faults, async (counted) => {
    const { epoch, control } = state.known;
    const [status, first] = (await connection.run(
      faultsScript,
      [keys.head, keys.faults],
      [epoch, control, ...counted.flat()],
    )) as [status: string, first: number];
    if (status === 'same') return first;
    await state.enter();
    return undefined;
  });

  const loadUsage = (plans: Fields) => {
    limiter.load(rules(), readLimits(usage, plans));
  };
  const followControl = (text: string) => {
    const { control, marks, plans } = readControl(text);
    const { position } = latency.save();
    parts.clock.load(control.clock);
    // The sequence of delays is this process's own.
    latency.load({ ...control.latency, ...(position !== undefined && { position }) });
    faults.load({ faults: control.faults, marks });
    loadUsage(plans);
    storedControl = text;
  };
  const state = createSharedState(
    {
      // One that is made at its first use is like the twin; this may have mirrored another before.
      initialControl: async () => {
        const { options, seeds } = await toInitialState({});
        const control = initialControl(options);
        return {
          clock: toClockText(control.clock),
          control: toControlText({ control }),
          seeds: hashItems(seeds),
        };
      },
      apply(change) {
        const version = mirror.version() + 1;
        mirror.follow({ rounds: [{ version, changes: JSON.parse(change) as Change[] }] });
      },
      async prepareControl(text, seeds, isNew) {
        const shared = readControl(text);
        const given = JSON.stringify(shared.control.options);
        const own = parts.initialState();
        const isOther = given !== JSON.stringify(own.options);
        // Between a change of what is served and following it, items are relative to those before.
        const known = isOther ? [await toInitialState(shared.control.options)] : [own, held];
        const initial = known.find((one) => hashItems(one.seeds) === seeds);
        if (!initial)
          throw new StoreUnavailableError(
            `The sandbox at ${connection.shown} began with other items than this twin makes: another process there has another --seed, --pets, --spec or --data. Start all with the same, or delete the sandbox.`,
          );
        const followSnapshots = await snapshots.prepare(shared.snapshots);
        return () => {
          held = initial;
          if (isOther) parts.begin(initial);
          if (isNew) usage = {};
          seedsTag = seeds;
          followControl(text);
          followSnapshots();
        };
      },
      loadItems(fields) {
        const { seeds } = held;
        const version = mirror.version() + 1;
        mirror.follow({ version, seeds, differences: readItemFields(fields) });
      },
      onCreate: options.onCreate,
      onTime: options.onTime,
    },
    { connection, keys, idle: options.idle },
  );
  const mirror: MirroredStore<undefined> = createMirroredStore<undefined>({
    memory,
    seeds: parts.initialState().seeds,
    admit: parts.admit,
    log: {
      async append(_version, changes) {
        const status = await state.append(JSON.stringify(changes), toFieldChanges(changes));
        // Whatever was stored is applied already.
        return status === 'appended' ? { version: mirror.version() } : { newer: { rounds: [] } };
      },
      async replace(_version, whole) {
        const { options, settings } = parts.initialState();
        const initialState = { options, settings, seeds: whole.seeds };
        await holdLock(async (token) => {
          const control = saveControl(parts, options);
          const kept = { control, limits: limiter.save(), keepsSnapshots: true, keepsFaults: true };
          await replaceAll({ ...kept, initialState, differences: whole.differences }, token);
        });
        return { version: mirror.version() };
      },
    },
  });

  /** What is set by hand now, as JSON, with the commands that store it. */
  const toStored = () => {
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
      follow() {
        followControl(text);
        snapshots.stored(nextSnapshots.marks);
      },
    };
  };
  const toControlCommands = (text: string, tag: string, clock: ClockState): Command[] => [
    ['SET', keys.control, text],
    ['HSET', keys.head, 'control', tag, 'clock', toClockText(clock)],
  ];

  const followUsage = (counts: Fields, calls: Fields | undefined) => {
    usage = counts;
    loadUsage(storedControl === '' ? {} : readControl(storedControl).plans);
    if (calls) faults.loadCounts(calls);
  };
  const readUsage = async () => {
    const counts = await readHash(keys.usage);
    followUsage(counts, parts.faults.any() ? await readHash(keys.faults) : undefined);
  };
  const publish = async (token: string) => {
    const { text, commands, follow } = toStored();
    const next = toUsageFields(limiter.save());
    const gone = Object.keys(usage).filter((field) => next[field] === undefined);
    const changed = Object.entries(next).filter(([field, value]) => usage[field] !== value);
    if (gone.length > 0) commands.push(['HDEL', keys.usage, ...gone]);
    if (changed.length > 0) commands.push(['HSET', keys.usage, ...changed.flat()]);
    const isOther = text !== storedControl;
    const control = isOther ? makeTag() : state.known.control;
    if (isOther) commands.push(...toControlCommands(text, control, parts.clock.save()));
    if (commands.length === 0) return;
    await state.commit(token, commands, { control }, () => {
      usage = next;
      if (isOther) follow();
    });
  };
  /** Acts under the lock, on what is stored now. */
  const holdLock = <T>(act: (token: string) => Promise<T>): Promise<T> => {
    const held = holding.getStore();
    if (held !== undefined) return act(held);
    const turn = lock.hold((token) =>
      holding.run(token, async () => {
        await state.enter();
        await readUsage();
        return await act(token);
      }),
    );
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (changing === ended) changing = undefined;
      });
    changing = ended;
    return turn;
  };

  /** Puts a whole state in place of all, at one moment. */
  const replaceAll = async (whole: WholeState, token: string) => {
    const { initialState, differences, control, keepsFaults, keepsSnapshots } = whole;
    const { seeds } = initialState;
    const staged = await stageItems(connection, keys, differences, token);
    const now = toStored();
    const text = toControlText({
      control: { ...control, faults: keepsFaults ? now.shared.control.faults : control.faults },
      marks: keepsFaults ? now.shared.marks : {},
      plans: toPlans(whole.limits),
      snapshots: keepsSnapshots ? now.shared.snapshots : {},
    });
    const nextUsage = toUsageFields(whole.limits);
    const next = { epoch: makeTag(), control: makeTag(), version: 0, tip: '' };
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
        ...toControlCommands(text, next.control, control.clock),
        ['HSET', keys.head, 'epoch', next.epoch, 'seeds', hashItems(seeds)],
        ['HSET', keys.head, 'version', '0', 'tip', '', 'base', '0', 'bytes', '0'],
        ...Object.entries(nextUsage).map((field): Command => ['HSET', keys.usage, ...field]),
      ],
      next,
      () => {
        mirror.follow({ version: mirror.version() + 1, seeds, differences });
        held = initialState;
        parts.begin(initialState);
        seedsTag = hashItems(seeds);
        usage = nextUsage;
        followControl(text);
        snapshots.stored(keepsSnapshots ? now.shared.snapshots : {});
      },
    );
  };
  const replace = async ({ state: whole, control, keepsSnapshots }: Replacement, token: string) => {
    const { initialState, collections, limits } = whole;
    const { seeds } = initialState;
    const differences = findDifferences(collections, seeds, memory.placeOf);
    const keepsFaults = control.faults.rules.length > 0;
    await replaceAll(
      { initialState, differences, control, limits, keepsFaults, keepsSnapshots },
      token,
    );
    if (collections === seeds) await options.onRestart();
  };

  return {
    store: mirror,
    limiter: {
      ...limiter,
      async take(key) {
        const reply = await state.enter(() =>
          rules().mode === 'off' ? [] : toLimitArgs(key, limiter.planOf(key), rules()),
        );
        return reply.length === 0 ? limiter.take(key) : readDecision(reply);
      },
    },
    faults: faults.rules,
    latency,
    snapshots: snapshots.snapshots,
    async refresh() {
      if (holding.getStore() !== undefined) return;
      await changing;
      const before = state.known;
      // What is sent together takes one round trip.
      const [, counts, calls] = await Promise.all([
        state.enter(),
        readHash(keys.usage),
        parts.faults.any() ? readHash(keys.faults) : undefined,
      ]);
      if (changing) return;
      const { epoch, control } = state.known;
      if (epoch !== before.epoch || control !== before.control) return await readUsage();
      followUsage(counts, calls);
    },
    change: (act) =>
      holdLock(async (token) => {
        try {
          const result = await act();
          await publish(token);
          return result;
        } catch (error) {
          // What was changed in memory and not stored is taken back at the next use.
          state.forgetControl();
          throw error;
        }
      }),
    replace: (replacement) => holdLock((token) => replace(replacement, token)),
    follow: (initialState) =>
      holdLock(async (token) => {
        // Another process may have followed the same change already.
        if (seedsTag === hashItems(initialState.seeds)) return;
        await snapshots.rebase();
        const collections = await mirror.save();
        const limits = limiter.save();
        const control = saveControl(parts, initialState.options);
        const whole = { initialState, collections, limits, clock: control.clock };
        await replace({ state: whole, control, keepsSnapshots: true }, token);
      }),
    ...(options.journal && { journal: options.journal }),
    async close(reason) {
      if (reason === 'deleted') {
        await connection.send(keys.head, 'DEL', ...Object.values(keys));
        await options.onDelete();
      }
      await mirror.close();
    },
  };
}
