import { readFile } from 'node:fs/promises';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Finding } from '../report/events.ts';
import type { FoundKind } from './judge.ts';

/** A known finding: which one, the reason to accept it, its owner, and the expiry date. */
export type BaselineEntry = {
  clause: string;
  operation?: string;
  reason: string;
  owner: string;
  expires: string;
};

/** Reads a baseline file, a JSON array. Throws {@link UsageError}. */
export async function readBaseline(file: string): Promise<BaselineEntry[]> {
  let entries: unknown;
  try {
    entries = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--baseline ${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`,
    );
  }
  return parseBaseline(entries, `--baseline ${file}`);
}

/** Reads a list as a baseline; `name` says where it is from. Throws {@link UsageError}. */
export function parseBaseline(entries: unknown, name: string): BaselineEntry[] {
  if (!Array.isArray(entries)) throw new UsageError(`${name} must hold a JSON array.`);
  for (const [index, entry] of entries.entries()) {
    const missing = ['clause', 'reason', 'owner', 'expires'].find(
      (field) => typeof entry?.[field] !== 'string' || entry[field].trim() === '',
    );
    if (missing) throw new UsageError(`${name}: entry ${index} needs "${missing}" as a string.`);
    if (Number.isNaN(Date.parse(entry.expires)))
      throw new UsageError(`${name}: entry ${index} needs "expires" as a date like 2027-01-31.`);
  }
  return entries as BaselineEntry[];
}

/**
 * Marks known findings. An entry that has expired is drift, and so is one that matches nothing although
 * its clause was tried; one that was not tried stays known.
 */
export function applyBaseline<
  Found extends Pick<FoundKind, 'clause' | 'operation' | 'verdict' | 'calledIds'>,
>(
  findings: readonly Found[],
  entries: readonly BaselineEntry[],
  { now, wasTried }: { now: number; wasTried: (entry: BaselineEntry) => boolean },
): { findings: Found[]; faults: Finding[] } {
  const isExpired = ({ expires }: BaselineEntry) => Date.parse(expires) <= now;
  const matches = (entry: BaselineEntry, { clause, operation, verdict, calledIds = [] }: Found) =>
    clause.id === entry.clause &&
    [operation, ...calledIds].includes(entry.operation ?? operation) &&
    ['drift', 'unanswered', 'standard', 'undocumented'].includes(verdict);
  const marked = findings.map((finding) =>
    entries.some((entry) => !isExpired(entry) && matches(entry, finding))
      ? { ...finding, verdict: 'known' as const }
      : finding,
  );
  const faults = entries.flatMap((entry) => {
    if (isExpired(entry)) return [toFinding(entry, `expired on ${entry.expires}`)];
    if (findings.some((finding) => matches(entry, finding))) return [];
    return wasTried(entry)
      ? [toFinding(entry, 'no longer matches a finding')]
      : [{ ...toFinding(entry, 'was not tried this time'), verdict: 'known' as const }];
  });
  return { findings: marked, faults };
}

function toFinding({ clause, operation = '', owner }: BaselineEntry, fault: string): Finding {
  return {
    target: 'baseline',
    verdict: 'drift',
    check: 'baseline',
    operation,
    clause: {
      id: clause,
      basis: 'none',
      source: 'the baseline file',
      text: 'An entry of the baseline is in force and matches a finding.',
    },
    message: `the baseline entry for ${clause}${operation && ` of ${operation}`} ${fault}`,
    expected: 'an entry that is in force and matches a finding',
    actual: `${fault}; its owner is ${owner}`,
    count: 1,
    operations: [{ id: operation, count: 1 }],
    related: [],
  };
}
