import { toKey } from '../../openapi/model/operation.ts';
import type { Difference, DifferenceKind } from './compare-answers.ts';
import type { Replayed } from './replay.ts';
import type { Round } from './replay-all.ts';

/** The answers of an operation: how many there were, and how many of the twin were alike. */
export type OperationRow = { operation: string; answers: number; alike: number };

/** A way in which answers of an operation differ, with the first call that showed it. */
export type DifferenceRow = {
  kind: DifferenceKind;
  operation: string;
  /** A JSON pointer with `*` for the places of lists, or the name of a header. */
  at: string;
  answers: number;
  first: { file: string; call: number; request: string; recorded: string; twin: string };
};

/** How faithful a twin is to recordings. */
export type Fidelity = {
  document: { title: string; version: string };
  files: readonly { file: string; answers: number; alike: number }[];
  answers: number;
  alike: number;
  /** The share of answers that were alike, as a percentage with one decimal, rounded down. */
  percent: number;
  /** The same with the document alone, where the report is about what was learned. */
  before?: number;
  operations: readonly OperationRow[];
  differences: readonly DifferenceRow[];
};

/** Returns the report on what was replayed. */
export function toFidelity({ document, runs }: Round): Fidelity {
  const tally = new Tally();
  for (const [file, replayed] of runs) for (const one of replayed) tally.add(file, one);
  return tally.report(document);
}

/** Counts what was replayed, in the order of the recordings. */
class Tally {
  readonly #files = new Map<string, { answers: number; alike: number }>();
  readonly #operations = new Map<string, { answers: number; alike: number }>();
  readonly #differences = new Map<string, DifferenceRow>();

  add(file: string, replayed: Replayed): void {
    const operation = replayed.operation
      ? toKey(replayed.operation)
      : 'no operation of the document';
    const isAlike = replayed.differences.length === 0;
    for (const [counts, name] of [
      [this.#files, file],
      [this.#operations, operation],
    ] as const) {
      const { answers = 0, alike = 0 } = counts.get(name) ?? {};
      counts.set(name, { answers: answers + 1, alike: alike + Number(isAlike) });
    }
    const seen = new Set<string>();
    for (const difference of replayed.differences) {
      const at = difference.at.replaceAll(/\/\d+(?=\/|$)/g, '/*');
      const key = [difference.kind, operation, at].join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      const known = this.#differences.get(key) ?? toRow(file, replayed, { ...difference, at });
      this.#differences.set(key, { ...known, operation, answers: known.answers + 1 });
    }
  }

  report({ title, version }: Fidelity['document']): Fidelity {
    const files = Array.from(this.#files, ([file, counts]) => ({ file, ...counts }));
    const answers = files.reduce((sum, one) => sum + one.answers, 0);
    const alike = files.reduce((sum, one) => sum + one.alike, 0);
    const operations = Array.from(this.#operations, ([operation, counts]) => ({
      operation,
      ...counts,
    }));
    const differing = ({ answers: all, alike: same }: OperationRow) => all - same;
    return {
      document: { title, version },
      files,
      answers,
      alike,
      percent: answers === 0 ? 0 : Math.floor((alike / answers) * 1000) / 10,
      operations: operations.toSorted((left, right) => differing(right) - differing(left)),
      differences: [...this.#differences.values()].toSorted(
        (left, right) => right.answers - left.answers,
      ),
    };
  }
}

function toRow(
  file: string,
  { number, request: { method }, path }: Replayed,
  { kind, at, recorded, twin }: Difference,
): DifferenceRow {
  const first = { file, call: number, request: `${method} ${path}`, recorded, twin };
  return { kind, operation: '', at, answers: 0, first };
}
