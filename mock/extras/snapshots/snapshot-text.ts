import { toIso } from '../../../common/instant.ts';
import type { DomainsState } from '../../domains/domains-state.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import type { KeyUsage } from '../../limits/decide.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { type SavedWindows, windows } from '../../limits/windows.ts';
import {
  type SandboxOptions,
  type SandboxSettings,
  toSandboxOptions,
} from '../../sandboxes/sandbox-options.ts';
import type { Snapshot } from '../../sandboxes/snapshots.ts';
import type { Task } from '../../tasks/tasks.ts';

/** The version of the form in which snapshots are written; one that is read must have it. */
export const snapshotVersion = 1;

/** A snapshot as JSON without its collections. Missing members have the values of a new sandbox. */
export type SnapshotFields = {
  version: typeof snapshotVersion;
  name?: string;
  createdAt?: string;
  settings?: SandboxOptions;
  clock?: { frozenAt: string; offsetMillis?: never } | { frozenAt?: never; offsetMillis: number };
  keys?: KeyFields[];
  domains?: DomainsState;
  tasks?: TaskFields[];
};

/** A task; when it is due as ISO 8601. */
export type TaskFields = Pick<Task, 'id' | 'name' | 'args' | 'every' | 'isQuiet'> & { due: string };

/** The usage of a key, by its name and never by its text; instants as ISO 8601. */
export type KeyFields = Partial<Record<SavedWindows, WindowFields[]>> & {
  name: string;
  /** The plan that it was put on. */
  plan?: string;
  strikes?: string[];
  ban?: { until: string; seconds: number } | null;
};

/** The start of a window, and the calls in it. */
export type WindowFields = { from: string; calls: number };

/** A snapshot as JSON that a person can read: a line for each item, each integer to the digit. */
export function toSnapshotText(
  { name, createdAt, state }: Snapshot,
  settings: SandboxSettings,
  keys: readonly ApiKey[],
): ByteText {
  const { clock, limits, domains, tasks, collections } = state;
  const known = new Map(keys.map((key) => [key.key, key.name]));
  const fields: SnapshotFields = {
    version: snapshotVersion,
    name,
    createdAt: new Date(createdAt).toISOString(),
    settings: toSandboxOptions(settings),
    clock:
      clock.frozenAt === undefined
        ? { offsetMillis: clock.offset }
        : { frozenAt: toIso(clock.frozenAt) },
    keys: [...limits].flatMap(([key, usage]) => {
      const name = known.get(key);
      return name === undefined ? [] : [toKeyFields(name, usage)];
    }),
    ...(domains && { domains }),
    ...(tasks && { tasks: tasks.list.map((task) => ({ ...task, due: toIso(task.due) })) }),
  };
  const texts = Object.entries(collections).map(([name, { items, next }]) => {
    const lines = items.map(({ json }) => `\n        ${json}`).join(',');
    return `\n    ${toByteText(JSON.stringify(name))}: {\n      "next": ${next},\n      "items": [${lines}${lines && '\n      '}]\n    }`;
  });
  const head = toByteText(JSON.stringify(fields, undefined, 2)).replace(/\n\}$/, '');
  return `${head},\n  "collections": {${texts.join(',')}${texts.length > 0 ? '\n  ' : ''}}\n}\n` as ByteText;
}

function toKeyFields(name: string, usage: KeyUsage): KeyFields {
  const { strikes, ban, plan } = usage;
  const counters = windows.map((row) => [
    row.saved,
    [...usage[row.per]].map(([index, calls]) => ({
      from: toIso(index * row.seconds * 1000),
      calls,
    })),
  ]);
  return {
    name,
    ...(plan !== undefined && { plan }),
    ...Object.fromEntries(counters),
    strikes: strikes.map(toIso),
    ban: ban ? { until: toIso(ban.until), seconds: ban.seconds } : null,
  };
}
