import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Admit } from '../state/store.ts';
import { createStore } from '../state/store-of-tables.ts';
import { Draft } from '../state/tables.ts';
import { createTurns } from '../state/turns.ts';
import { loadWhole, type OpenedSandbox, type Whole } from './sandbox-backend.ts';
import { type Basis, type MirrorOptions, SandboxLog, type Step } from './sandbox-log.ts';
import { type MemoryParts, toStateText } from './sandbox-state.ts';

/** A change that waits for the step that stores it. */
type WaitingChange = {
  of: Basis;
  compute: (draft: Draft) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

/**
 * Mirrors a stored sandbox in memory, in steps, one after another. Pending calls and changes are
 * computed on the known state and stored together, if no other process stored anything since.
 * Otherwise the mirror catches up and computes them again. So limits are exact across processes,
 * although only this process computes them.
 */
export function openMirroredSandbox(parts: MemoryParts, options: MirrorOptions): OpenedSandbox {
  const { limiter, faults, latency } = parts;
  const { isShared, snapshots, journal } = options.held;
  const log = new SandboxLog(parts, options);
  const lock = createLock();
  const { inTurn } = lock;
  const submit = createSubmit(log, lock, parts.admit);
  const count = <T>(compute: () => T) => submit('state', compute);
  const put = (step: Step) =>
    log.attempt(async () => (await log.store({ ...step, how: 'any' })) && true);
  return {
    store: createStore(log.tables, {
      run: (compute) => submit('items', compute),
      load: (collections) =>
        inTurn(async () => {
          await put({ collections });
          log.tables.load(collections);
        }),
      close: async () => {},
    }),
    limiter: { ...limiter, take: (key) => count(() => limiter.take(key)) },
    faults: {
      ...faults,
      decide: (call) =>
        faults.lookingAt(call).length === 0 ? undefined : count(() => faults.decide(call)),
    },
    latency: {
      ...latency,
      next: () => {
        const delay = latency.next();
        // Each process that shares it draws on its own.
        if (!isShared) void count(() => {});
        return delay;
      },
    },
    snapshots,
    ...(isShared && { refresh: () => submit('nothing', () => {}) }),
    ...(journal && { journal }),
    change: (act) => inTurn(() => changeState(log, act)),
    inTurn,
    replace: (whole) =>
      inTurn(async () => {
        await put(toStep(whole));
        log.tables.load(whole.collections);
        loadWhole(parts, whole);
      }),
    close: (reason) => options.held.close(reason),
  };
}

/** Runs acts one after another; what an act hands in itself is a part of it, and is done at once. */
type Lock = { inTurn: OpenedSandbox['inTurn']; isHeld: () => boolean };

function createLock(): Lock {
  const turns = createTurns();
  const holding = new AsyncLocalStorage<true>();
  const isHeld = () => holding.getStore() === true;
  return { isHeld, inTurn: (act) => (isHeld() ? act() : turns(() => holding.run(true, act))) };
}

/** Runs a function on the current state, and stores its changes. */
async function changeState<T>(log: SandboxLog, act: () => T | Promise<T>): Promise<T> {
  const [result] = await log.attempt(async () => {
    if (!(await log.store({}))) return undefined;
    const done = await act();
    return (await log.store({ text: log.stateText() })) && [done];
  });
  return result as T;
}

function toStep({ collections, state, isStart }: Whole): Step {
  const hasOptions = Object.keys(state.options).length > 0;
  return { text: toStateText(state), collections, isStart, hasOptions };
}

/** Computes with the next step, of which all that comes until then is a part. */
function createSubmit(log: SandboxLog, lock: Lock, admit: Admit | undefined) {
  let waiting: WaitingChange[] = [];
  const runAll = async () => {
    // All of a turn of the event loop share a step.
    await setImmediate();
    const batch = new Set(waiting);
    waiting = [];
    while (batch.size > 0)
      try {
        await log.attempt(() => runOnce(log, batch, admit));
      } catch (error) {
        refuse(batch, error);
      }
  };
  return <T>(of: Basis, compute: (draft: Draft) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push({ of, compute, resolve, reject });
      if (waiting.length === 1 || lock.isHeld()) void lock.inTurn(runAll);
    });
}

/** Computes and stores what waits; what others overtook goes on waiting. Gives whether all is done. */
async function runOnce(
  log: SandboxLog,
  batch: Set<WaitingChange>,
  admit: Admit | undefined,
): Promise<true | undefined> {
  if (!log.isSeen) return void (await log.store({}));
  const draft = new Draft(log.tables.fork(), admit);
  const computed = [...batch].map((one) => ({ one, settle: compute(one, draft) }));
  const { changes } = draft;
  const text = log.stateText();
  const news = await log.store({ text, changes, isCount: changes.length === 0 });
  if (!news) return undefined;
  for (const { one, settle } of computed)
    if (!news.includes(one.of)) {
      batch.delete(one);
      settle();
    }
  return batch.size === 0 || undefined;
}

/** Computes what waits, and gives what tells so. */
function compute({ compute: act, resolve, reject }: WaitingChange, draft: Draft): () => void {
  try {
    const value = act(draft) as never;
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}

/** Refuses changes of items, else all: calls may be counted where changes cannot be stored. */
function refuse(batch: Set<WaitingChange>, error: unknown): void {
  const items = [...batch].filter(({ of }) => of === 'items');
  for (const one of items.length > 0 ? items : batch) {
    batch.delete(one);
    one.reject(error);
  }
}
