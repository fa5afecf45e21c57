import type { FaultRules } from '../../faults/fault-rules.ts';
import type { Latency } from '../../faults/latency.ts';
import type { KeyUsage, Limiter } from '../../limits/limiter.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { MemoryParts } from '../../sandboxes/sandbox-backend.ts';
import type { SandboxRows } from './sandbox-rows.ts';
import { toSequencesText } from './sequences.ts';
import { toUsageText } from './usage-text.ts';
import type { Flush, Writer } from './writer.ts';

/** The parts that calls change, which note what has to be written. */
export type CountedParts = {
  limiter: Limiter;
  faults: FaultRules;
  latency: Latency;
  /** Has the sandbox written with the next commit. */
  touch(): void;
  /** Whether it is new to the file, or control has changed what keys have used. */
  isToStore(): boolean;
  /** What keys had used before control changed it, since it was asked last. */
  takeChanged(): ReadonlyMap<string, KeyUsage | undefined>;
  /** Writes no more. */
  close(): void;
};

export type CountedPartsOptions = {
  parts: MemoryParts;
  rows: SandboxRows;
  writer: Writer;
  /** The number of the sandbox. */
  id: number;
  /** Writes what the sandbox is, before the first time; undefined where it is in the file already. */
  insert: (() => void) | undefined;
};

/** Notes that the sandbox is used this often at most, in milliseconds. */
const touchEvery = 1000;

/** Has what calls change written once in a turn of the event loop, however many they are. */
export function createCountedParts(options: CountedPartsOptions): CountedParts {
  const { parts, rows, writer, id } = options;
  let { insert } = options;
  const keys = new Set<string>();
  let changed = new Map<string, KeyUsage | undefined>();
  let isDrawn = false;
  let isClosed = false;
  let touchedAt = 0;

  const flush: Flush = () => {
    if (isClosed) return undefined;
    insert?.();
    for (const key of keys) {
      const usage = parts.limiter.usageOf(key);
      rows.putUsage(id, key, usage && toUsageText(usage));
    }
    if (isDrawn) rows.putSequences(id, toSequencesText(parts.latency.save(), parts.faults.save()));
    const now = Date.now();
    const isLater = now - touchedAt >= touchEvery;
    if (isLater) rows.touch(id, now);
    return () => {
      insert = undefined;
      keys.clear();
      isDrawn = false;
      if (isLater) touchedAt = now;
    };
  };
  const touch = () => {
    if (!isClosed) writer.due(flush);
  };
  const draw = <T>(drawn: T): T => {
    isDrawn = true;
    touch();
    return drawn;
  };
  const count = ({ key }: ApiKey) => {
    keys.add(key);
    touch();
  };
  const { limiter, faults, latency } = parts;
  const control = (key: ApiKey, change: () => void) => {
    if (!changed.has(key.key)) changed.set(key.key, limiter.usageOf(key.key));
    change();
    count(key);
  };
  return {
    limiter: {
      ...limiter,
      take(key) {
        count(key);
        return limiter.take(key);
      },
      giveBack(key, at) {
        count(key);
        limiter.giveBack(key, at);
      },
      setPlan: (key, name) => control(key, () => limiter.setPlan(key, name)),
      exhaust: (key, per) => control(key, () => limiter.exhaust(key, per)),
      ban: (key, seconds) => control(key, () => limiter.ban(key, seconds)),
      lift: (key) => control(key, () => limiter.lift(key)),
    },
    faults: { ...faults, decide: (call) => draw(faults.decide(call)) },
    latency: { ...latency, next: () => draw(latency.next()) },
    touch,
    isToStore: () => insert !== undefined || changed.size > 0,
    takeChanged() {
      const taken = changed;
      changed = new Map();
      return taken;
    },
    close() {
      isClosed = true;
      writer.forget(flush);
    },
  };
}
