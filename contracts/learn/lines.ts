import { basename } from 'node:path';
import { dump } from 'js-yaml';
import type { Operation } from '../../openapi/index.ts';
import { toKey } from '../../openapi/model/operation.ts';
import { writtenOf } from '../traffic/as-read.ts';
import type { Observation } from './observe.ts';

/** How sure a line is: it explains three observations or more, two, or one. */
export type Confidence = 'high' | 'medium' | 'low';

/** A line that was learned: a rule of an operation, or of all of them, and what it was seen in. */
export type Line = {
  /** The operation; undefined for a rule of the whole document. */
  operation?: Operation;
  /** The names that lead to it in `x-twin`, such as `values` and `full_name`. */
  rule: readonly string[];
  value: unknown;
  confidence: Confidence;
  /** The calls that it explains: all in which it could be seen. */
  calls: readonly string[];
};

/** How sure so many observations make a line. */
export function confidenceOf(observations: number): Confidence {
  return observations >= 3 ? 'high' : observations === 2 ? 'medium' : 'low';
}

/** Makes a line of all that shows it, of which it is the surer the more there is. */
export function toLine(
  seen: readonly Pick<Observation, 'call'>[],
  line: Pick<Line, 'operation' | 'rule' | 'value'>,
  confidence = confidenceOf(seen.length),
): Line {
  return { ...line, confidence, calls: seen.map(({ call }) => call) };
}

/** Groups calls by their operations, in the order in which these were called. */
export function byOperation<One extends Pick<Observation, 'operation'>>(
  all: readonly One[],
): [One, ...One[]][] {
  const groups = Map.groupBy(all, ({ operation }) => toKey(operation));
  return [...groups.values()] as [One, ...One[]][];
}

const levels: readonly Confidence[] = ['high', 'medium', 'low'];

/** Lines by their places, of which the first one stays until it is withdrawn. */
export class Lines {
  readonly #lines = new Map<string, Line | undefined>();

  /** Adds lines; gives whether one of them was new. */
  add(lines: readonly Line[]): boolean {
    const before = this.#lines.size;
    // What was tried and did not help is not tried again.
    for (const line of lines) if (!this.#lines.has(keyOf(line))) this.#lines.set(keyOf(line), line);
    return this.#lines.size > before;
  }

  /** Takes lines out for good; gives whether there were any. */
  withdraw(isWrong: (line: Line) => boolean): boolean {
    const wrong = this.all.filter(isWrong);
    for (const line of wrong) this.#lines.set(keyOf(line), undefined);
    return wrong.length > 0;
  }

  get all(): Line[] {
    return [...this.#lines.values()].filter((line) => line !== undefined);
  }

  /** Returns them as an OpenAPI Overlay in YAML, the surest first, each with its evidence. */
  toOverlay(title: string, note = ''): string {
    const byTarget = Map.groupBy(this.all, targetOf);
    const actions = [...byTarget].toSorted(
      ([, left], [, right]) => leastSure(left) - leastSure(right),
    );
    const head = dump({ overlay: '1.0.0', info: { title, version: '1.0.0' } }, { lineWidth: 120 });
    return `${note === '' ? '' : `# ${note}\n`}${head}actions:${actions.length === 0 ? ' []' : ''}\n${actions.map(toAction).join('')}`;
  }
}

function leastSure(lines: readonly Line[]): number {
  return Math.max(...lines.map(({ confidence }) => levels.indexOf(confidence)));
}

function keyOf({ operation, rule }: Line): string {
  return JSON.stringify([operation ? toKey(operation) : '', ...rule]);
}

function targetOf({ operation }: Line): string {
  if (!operation) return '$';
  const { method, path } = writtenOf(operation);
  return `$.paths['${path.replaceAll("'", "\\'")}'].${method.toLowerCase()}`;
}

function toAction([target, lines]: [string, readonly Line[]]): string {
  const byEvidence = Map.groupBy(lines, (line) => `${line.rule[0]} ${toEvidence(line)}`);
  const notes = [...byEvidence.values()].map((alike) => `  # ${toNote(alike)}\n`);
  const update = dump([{ target, update: { 'x-twin': toHint(lines) } }], {
    lineWidth: -1,
    noRefs: true,
  });
  return `${notes.join('')}${update.replaceAll(/^(?=.)/gm, '  ')}`;
}

/** Names lines that have the same evidence, and that. */
function toNote(lines: readonly Line[]): string {
  const [first] = lines;
  const names = lines.flatMap(({ rule: [, inner] }) => inner ?? []);
  const named = names.length > 4 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  const of = named.length > 0 ? ` (${named.join(', ')})` : '';
  return first ? `${first.rule[0]}${of}: ${toEvidence(first)}` : '';
}

/** Returns what shows a line, in words: how often it was seen, and in which calls. */
function toEvidence({ calls, confidence }: Line): string {
  const named = calls
    .slice(0, 3)
    .map((call) => basename(call).replaceAll(/[^\P{C}]|\s+/gu, ' '))
    .join(', ');
  const more = calls.length > 3 ? ', ...' : '';
  return `${confidence}, seen ${calls.length} of ${calls.length} times, in ${named}${more}`;
}

function toHint(lines: readonly Line[]): Record<string, unknown> {
  const hint: Record<string, unknown> = {};
  for (const { rule, value } of lines) {
    const [name = '', inner] = rule;
    if (inner === undefined) hint[name] = value;
    else if (name === 'refuses' || name === 'counts')
      hint[name] = [...((hint[name] as unknown[]) ?? []), value];
    else hint[name] = { ...(hint[name] as object), [inner]: value };
  }
  return hint;
}
