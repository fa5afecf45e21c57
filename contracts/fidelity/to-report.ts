import { mapLeaves, toJson } from '../../common/json.ts';
import { unescaped } from '../../common/path-template.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import { toKey } from '../../openapi/model/operation.ts';
import { isAboutPerson } from '../learn/may-keep.ts';
import { writtenOf } from '../traffic/as-read.ts';
import type { Difference, DifferenceKind } from './compare-answers.ts';
import type { Replay } from './replay.ts';
import type { Round } from './replay-all.ts';
import { formOf, isTime } from './value-form.ts';

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

/** Returns the report on what was replayed, without texts about persons unless values are kept. */
export function toFidelity({ document, runs }: Round, { keepValues = false } = {}): Fidelity {
  const tally = new Tally(keepValues);
  for (const [file, replayed] of runs) for (const one of replayed) tally.add(file, one);
  return tally.report(document);
}

/** Counts what was replayed, in the order of the recordings. */
class Tally {
  readonly #files = new Map<string, { answers: number; alike: number }>();
  readonly #operations = new Map<string, { answers: number; alike: number }>();
  readonly #differences = new Map<string, DifferenceRow>();
  readonly #keepValues: boolean;

  constructor(keepValues: boolean) {
    this.#keepValues = keepValues;
  }

  add(file: string, replayed: Replay): void {
    const operation = replayed.operation
      ? toKey(writtenOf(replayed.operation))
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
      const place = difference.at.replaceAll(/\/\d+(?=\/|$)/g, '/*');
      const at = this.#keepValues ? place : place.split('/').map(withoutPerson).join('/');
      const key = [difference.kind, operation, at].join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      const known =
        this.#differences.get(key) ??
        toRow(file, replayed, { ...difference, at }, this.#keepValues);
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
  { number, request: { method }, path, names }: Replay,
  { kind, at, recorded, twin }: Difference,
  keepValues: boolean,
): DifferenceRow {
  const show = (value: unknown) => toShown(value, { kind, at, keepValues });
  const isNamed = (segment: string) =>
    names.has(segment) && formOf(segment, { name: 'id', owner: '' }) === undefined;
  const isHidden = (one: string) => !keepValues && (isNamed(one) || isAboutPerson(one, ''));
  const shown = path.split('/').map((one) => (isHidden(unescaped(one)) ? hidden : one));
  const request = `${method} ${shown.join('/')}`;
  const first = { file, call: number, request, recorded: show(recorded), twin: show(twin) };
  return { kind, operation: '', at, answers: 0, first };
}

/** The text that stands for one about a person, or for a secret. */
const hidden = '(hidden)';

const longest = 120;

/** Kinds of which the report shows our own words, or those of the protocol. */
const plainKinds: readonly DifferenceKind[] = ['status', 'media type', 'type', 'no answer'];

function toShown(
  value: unknown,
  { kind, at, keepValues }: { kind: DifferenceKind; at: string; keepValues: boolean },
): string {
  if (kind === 'order') return 'in another order';
  if (value === undefined) return 'nothing';
  const name = at.split('/').findLast((one) => one !== '*') ?? '';
  const shown = plainKinds.includes(kind) ? value : withoutPersons(value, name, keepValues);
  const text = typeof shown === 'string' ? shown : (toJson(shown) ?? 'nothing');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Returns the name of a member, which in a map may be that of a person. */
function withoutPerson(name: string): string {
  return isAboutPerson(name, '') ? hidden : name;
}

/** A value without secrets, nor texts that may be about a person unless values are kept, at any depth. */
function withoutPersons(value: unknown, name: string, keepValues: boolean): unknown {
  const toShown = (one: unknown, name: string) => {
    if (typeof one !== 'string') return one;
    const isMade = isTime(formOf(one, { name, owner: '' }));
    const isOfPerson = !keepValues && (isAboutPerson(one, name) || /\s/.test(one));
    return isSecretName(name) || (isOfPerson && !isMade) ? hidden : one;
  };
  return mapLeaves(value, toShown, keepValues ? undefined : withoutPerson, name);
}
