import type {
  FaultCall,
  FaultRules,
  FaultsState,
  Hit,
  MemoryFaultRules,
} from '../../faults/fault-rules.ts';
import { makeTag } from './tag.ts';
import type { Fields } from './usage.ts';

/** The faults of a sandbox with the names of their counts, as processes share them. */
export type StoredFaults = { faults: FaultsState; marks: Readonly<Record<string, string>> };

/** A fault as the server counts calls for it, see scripts/faults.lua. */
export type CountedFault = readonly [
  mark: string,
  every: string,
  probability: string,
  seed: string,
  times: string,
];

/**
 * Counts a call for these faults, for all processes. Gives the number of the one that fires, 0 for
 * none, or undefined where other faults are set now.
 */
export type CountCall = (faults: readonly CountedFault[]) => Promise<number | undefined>;

/** The faults of a sandbox that several processes share. */
export interface SharedFaults {
  /** Decides as the ones in memory do, for the calls of all processes. */
  readonly rules: FaultRules;
  /** What to store now. */
  toStored(): StoredFaults;
  /** Fields of the counts of faults that are no longer there, or were set again. */
  outdatedFields(next: StoredFaults): string[];
  /** Goes on with what is stored. */
  load(stored: StoredFaults): void;
  /** Shows these counts. */
  loadCounts(counts: Fields): void;
}

const none: StoredFaults = { faults: { named: 0, rules: [] }, marks: {} };

/** Shares faults; their settings are in memory, and their counts at the server. */
export function shareFaults(local: MemoryFaultRules, countCall: CountCall): SharedFaults {
  let stored = none;
  /** The ids of those that were set since. */
  const renewed = new Set<string>();

  const markOf = (id: string) => {
    const { marks } = stored;
    return !renewed.has(id) && Object.hasOwn(marks, id) ? marks[id] : undefined;
  };
  const toCounted = (call: FaultCall) =>
    local.lookingAt(call).flatMap(({ rule, fires }) => {
      const mark = markOf(rule.id);
      const { id, every, probability, times } = rule;
      const counted = [mark, every, probability, fires, times].map((one) => String(one ?? ''));
      return mark === undefined ? [] : [{ id, counted: counted as unknown as CountedFault }];
    });
  const rules: FaultRules = {
    ...local,
    put(rule) {
      const put = local.put(rule);
      renewed.add(put.id);
      return put;
    },
    replace(rules) {
      local.replace(rules);
      for (const { id } of local.list()) renewed.add(id);
    },
    decide(call) {
      if (local.lookingAt(call).length === 0) return undefined;
      return (async (): Promise<Hit | undefined> => {
        for (;;) {
          const looking = toCounted(call);
          if (looking.length === 0) return undefined;
          const first = await countCall(looking.map(({ counted }) => counted));
          if (first === undefined) continue;
          const id = looking[first - 1]?.id;
          return id === undefined ? undefined : local.hitOf(id);
        }
      })();
    },
  };
  return {
    rules,
    toStored() {
      const { named, rules } = local.save();
      const before = new Map(stored.faults.rules.map((saved) => [saved.rule.id, saved]));
      return {
        faults: {
          named,
          rules: rules.map(
            (saved) =>
              (markOf(saved.rule.id) === undefined ? undefined : before.get(saved.rule.id)) ?? {
                ...saved,
                rule: { ...saved.rule, calls: 0, hits: 0 },
              },
          ),
        },
        marks: Object.fromEntries(rules.map(({ rule: { id } }) => [id, markOf(id) ?? makeTag()])),
      };
    },
    outdatedFields(next) {
      const current = new Set(Object.values(next.marks));
      return Object.values(stored.marks)
        .filter((mark) => !current.has(mark))
        .flatMap((mark) => [`${mark}|calls`, `${mark}|hits`]);
    },
    load(next) {
      const drawn = new Map(
        local.save().rules.map(({ rule: { id }, draws }) => [markOf(id), draws]),
      );
      local.load({
        ...next.faults,
        rules: next.faults.rules.map((saved) => ({
          ...saved,
          draws: drawn.get(next.marks[saved.rule.id]) ?? saved.draws,
        })),
      });
      stored = next;
      renewed.clear();
    },
    loadCounts(counts) {
      const { named, rules } = local.save();
      local.load({
        named,
        rules: rules.map((saved) => {
          const mark = markOf(saved.rule.id);
          if (mark === undefined) return saved;
          const [calls, hits] = ['calls', 'hits'].map((name) =>
            Number(counts[`${mark}|${name}`] ?? 0),
          );
          return { ...saved, rule: { ...saved.rule, calls: calls ?? 0, hits: hits ?? 0 } };
        }),
      });
    },
  };
}
