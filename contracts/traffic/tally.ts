import type { Check, Violation } from '../clauses/check.ts';
import type { FoundKind, Judgement } from '../judging/judge.ts';
import { verdictOf } from '../judging/judge.ts';
import type { ClauseVerdict } from '../report/events.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';

/**
 * The kinds of finding of a verdict that are told apart, and the exchanges of each that are
 * retained, besides the first of each status.
 */
const maxKinds = 300;
const maxRetained = 30;

/** A longer body is retained as text alone. */
const maxWhole = 4000;

/** Findings of a kind; `counted` are those that may be judged again. */
type Kind = { found: FoundKind; violations: Violation[]; counted: Set<number> };

type Held = { numbers: Set<number>; held: number; reason?: string };

/** Collects the findings in all traffic so far, in bounded memory. */
export class Tally {
  readonly #kinds = new Map<string, Kind>();
  readonly #clauses = new Map<string, Held>();
  readonly #defects = new Set<string>();

  /** Adds what was made of calls that were judged together, each exchange counted once. */
  add({ findings, results, defects }: Judgement): void {
    for (const defect of defects) this.#defects.add(defect);
    for (const found of findings) this.#addKind(toKey(found), found);
    for (const { check, reason } of results)
      if (reason !== undefined && reason !== check.unheld) this.#heldOf(check.id).reason ??= reason;
  }

  /** Notes that a check was held against an exchange. */
  hold({ id }: Check, { number }: Exchange): void {
    const of = this.#heldOf(id);
    if (of.numbers.has(number)) return;
    of.numbers.add(number);
    of.held += 1;
  }

  /** Forgets which exchanges were counted before this number: they are judged no more. */
  forgetBefore(first: number): void {
    const counted = this.#kinds.values().map((kind) => kind.counted);
    const held = this.#clauses.values().map(({ numbers }) => numbers);
    for (const numbers of [...counted, ...held])
      for (const number of numbers) if (number < first) numbers.delete(number);
  }

  /** How many kinds of finding there are. */
  kinds(): number {
    return this.#kinds.size;
  }

  found(): FoundKind[] {
    return [...this.#kinds.values()].map(({ found, violations }) => ({
      ...found,
      count: violations.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0),
      violations,
    }));
  }

  /** Returns the verdict on a clause so far. */
  resultOf({ id, clause, unheld }: Check): ClauseOutcome {
    const { held = 0, reason } = this.#clauses.get(id) ?? {};
    const ofCheck = [...this.#kinds.values()].filter(({ found }) => found.check === id);
    if (ofCheck.some(({ found }) => found.verdict !== 'unanswered'))
      return { verdict: verdictOf[clause.basis], held };
    const [unanswered] = ofCheck;
    if (unanswered) return { verdict: 'inconclusive', held, reason: unanswered.found.message };
    if (held > 0) return { verdict: 'kept', held };
    return reason === undefined
      ? { verdict: 'unobserved', held, reason: unheld }
      : { verdict: 'inconclusive', held, reason };
  }

  defects(): string[] {
    return [...this.#defects];
  }

  #heldOf(id: string): Held {
    const known = this.#clauses.get(id) ?? { numbers: new Set<number>(), held: 0 };
    this.#clauses.set(id, known);
    return known;
  }

  #addKind(key: string, found: FoundKind): void {
    const known = this.#kinds.get(key);
    const alike = () =>
      [...this.#kinds.values()].filter((one) => one.found.verdict === found.verdict).length;
    if (!known && alike() >= maxKinds) return;
    const kind: Kind = known ?? { found, violations: [], counted: new Set() };
    this.#kinds.set(key, kind);
    for (const violation of found.violations) {
      const { number } = violation.exchange;
      if (kind.counted.has(number)) continue;
      kind.counted.add(number);
      const first = kind.violations.find((one) => statusOf(one) === statusOf(violation));
      if (!first || kind.violations.length < maxRetained) kind.violations.push(toSlim(violation));
      else first.alike = (first.alike ?? 0) + 1;
    }
  }
}

/** The verdict on a clause, how often it was judged, and why it is undecided. */
type ClauseOutcome = { verdict: ClauseVerdict; held: number; reason?: string };

function toKey({ check, verdict, operation, kind }: FoundKind): string {
  return `${check} ${verdict} ${operation} ${kind}`;
}

function statusOf({ exchange }: Violation): number | undefined {
  return exchange.response?.status;
}

/** A violation, to be counted with, without what is too large to be retained. */
function toSlim(violation: Violation): Violation {
  const { exchange } = violation;
  if (!isAnswered(exchange) || exchange.response.text.length <= maxWhole) return { ...violation };
  const text = exchange.response.text.slice(0, maxWhole);
  const response = { ...exchange.response, text, json: undefined };
  return { ...violation, exchange: { ...exchange, response } };
}
