import { AsyncLocalStorage } from 'node:async_hooks';
import { initialControl } from '../../sandboxes/control-state.ts';
import { hashItems } from '../../sandboxes/fingerprint.ts';
import type { ToInitialState } from '../../sandboxes/sandbox.ts';
import type { MemoryParts, OpenedSandbox } from '../../sandboxes/sandbox-backend.ts';
import type { MemoryStores } from '../../state/memory-store.ts';
import { createMirroredStore, type MirroredStore } from '../../state/mirrored-store.ts';
import type { Change } from '../../state/round.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import type { Connection } from './connection.ts';
import { readItemFields, toFieldChanges } from './item-fields.ts';
import { toSandboxKeys } from './keys.ts';
import { createSandboxReplacement, type Origin } from './replace-sandbox.ts';
import { createSandboxControl, rulesOf } from './sandbox-control.ts';
import { createSandboxLock } from './sandbox-lock.ts';
import { faultsScript, giveBackScript } from './scripts.ts';
import { readControl, toClockText, toControlText } from './shared-control.ts';
import { shareFaults } from './shared-faults.ts';
import { shareSnapshots } from './shared-snapshots.ts';
import { createSharedState } from './shared-state.ts';
import { readDecision, toLimitArgs, toMinuteArgs } from './usage.ts';

export type SharedSandboxOptions = {
  connection: Connection;
  memory: MemoryStores;
  /**
   * After how many milliseconds without use it is gone, 0 for never; undefined for one that does not
   * make room for others either.
   */
  idle: number | undefined;
  toInitialState: ToInitialState;
  /** Is called before it is made where it is not there; what it gives, once it was made. */
  onCreate: () => Promise<() => Promise<void>>;
  /** Is called before it is deleted; what it gives, once it was deleted. */
  onDelete: () => Promise<() => Promise<void>>;
  /** Is called before it is brought back to its start; what it gives, once it was. */
  onRestart: () => Promise<() => Promise<void>>;
  /** The server's time, as it was a moment ago. */
  onTime: (system: number) => void;
  journal: OpenedSandbox['journal'];
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
  const origin: Origin = { initialState: parts.initialState(), tag: '' };

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
  const control = createSandboxControl(parts, { connection, keys, snapshots, faults });
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
        const known = isOther
          ? [await toInitialState(shared.control.options)]
          : [own, origin.initialState];
        const initialState = known.find((one) => hashItems(one.seeds) === seeds);
        if (!initialState)
          throw new StoreUnavailableError(
            `The sandbox at ${connection.shown} began with other items than this twin makes: another process there has another --seed, --items, --spec or --data. Start all with the same, or delete the sandbox.`,
          );
        const followSnapshots = await snapshots.prepare(shared.snapshots);
        return () => {
          Object.assign(origin, { initialState, tag: seeds });
          if (isOther) parts.begin(initialState);
          control.follow(text, isNew ? {} : undefined);
          followSnapshots();
        };
      },
      loadItems(fields) {
        const { seeds } = origin.initialState;
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
        await holdLock((token) => replacement.replaceItems(whole, token));
        return { version: mirror.version() };
      },
    },
  });
  const replacement = createSandboxReplacement(parts, {
    ...{ connection, keys, memory, state, mirror, control, snapshots, origin },
    onRestart: options.onRestart,
  });

  /** Acts under the lock, on what is stored now. */
  const holdLock = <T>(act: (token: string) => Promise<T>): Promise<T> => {
    const held = holding.getStore();
    if (held !== undefined) return act(held);
    const turn = lock.hold((token) =>
      holding.run(token, async () => {
        await state.enter();
        control.followCounts(await control.readCounts());
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

  return {
    store: mirror,
    limiter: {
      ...limiter,
      async take(key) {
        const reply = await state.enter(() => {
          const rules = rulesOf(parts);
          return rules.mode === 'off' ? [] : toLimitArgs(key, limiter.planOf(key), rules);
        });
        return reply.length === 0 ? limiter.take(key) : readDecision(reply);
      },
      giveBack({ key }, at) {
        // The answer does not wait for it; a server that is gone fails the next call.
        const ofMinute = toMinuteArgs(rulesOf(parts).policy);
        connection
          .run(giveBackScript, [keys.usage], [key, String(at), ...ofMinute])
          .catch(() => {});
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
      const [, counts] = await Promise.all([state.enter(), control.readCounts()]);
      if (changing) return;
      const isSame = state.known.epoch === before.epoch && state.known.control === before.control;
      control.followCounts(isSame ? counts : await control.readCounts());
    },
    change: (act) =>
      holdLock(async (token) => {
        try {
          const result = await act();
          await control.publish(state, token);
          return result;
        } catch (error) {
          // What was changed in memory and not stored is taken back at the next use.
          state.forgetControl();
          throw error;
        }
      }),
    replace: (whole) => holdLock((token) => replacement.replace(whole, token)),
    follow: (initialState) => holdLock((token) => replacement.rebase(initialState, token)),
    ...(options.journal && { journal: options.journal }),
    async close(reason) {
      if (reason === 'deleted') {
        const onDeleted = await options.onDelete();
        await connection.send(keys.head, 'DEL', ...Object.values(keys));
        await onDeleted();
      }
      await mirror.close();
    },
  };
}
