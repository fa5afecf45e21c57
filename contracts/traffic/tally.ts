import type { Check, Violation } from '../clauses/check.ts';
import { type FoundKind, type Judgement, verdictOf } from '../judging/judge.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { type Defect, toDefect } from '../transcript/transcript.ts';

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

type CheckTally = { numbers: Set<number>; held: number; operations: Set<string>; reason?: string };

/** Collects the findings in all traffic so far, in bounded memory. */
export class Tally {
  readonly #kinds = new Map<string, Kind>();
  readonly #clauses = new Map<string, CheckTally>();
  /** By message: what fails for one call fails for every call. */
  readonly #defects = new Map<string, Defect>();

  /** Adds what was made of calls that were judged together, each exchange counted once. */
  add({ findings, results, defects }: Judgement): void {
    for (const defect of defects) this.#defects.set(defect.message, defect);
    for (const found of findings) this.#addKind(toKey(found), found);
    for (const { check, operations, reason } of results) {
      const held = this.#heldOf(check.id);
      for (const one of operations) held.operations.add(one);
      if (reason !== undefined && reason !== check.unheld) held.reason ??= reason;
    }
  }

  /** Notes that a part of the judging failed, and the others go on. */
  note(what: string, error: unknown): void {
    const defect = toDefect(error, what);
    if (!this.#defects.has(defect.message)) this.#defects.set(defect.message, defect);
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

  /** Returns what the checks found so far. */
  judgement(checks: readonly Check[]): Judgement {
    const findings = [...this.#kinds.values()].map(({ found, violations }) => ({
      ...found,
      count: violations.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0),
      violations,
    }));
    const results = checks.map((check) => ({ check, ...this.#resultOf(check) }));
    return { findings, results, defects: [...this.#defects.values()] };
  }

  /** Returns the verdict on a clause so far. */
  #resultOf({ id, clause, unheld }: Check): Omit<Judgement['results'][number], 'check'> {
    const { held, operations, reason } = this.#heldOf(id);
    const seen = { held, operations };
    const ofCheck = [...this.#kinds.values()].filter(({ found }) => found.check === id);
    if (ofCheck.some(({ found }) => found.verdict !== 'unanswered'))
      return { verdict: verdictOf[clause.basis], ...seen };
    const [unanswered] = ofCheck;
    if (unanswered) return { verdict: 'inconclusive', ...seen, reason: unanswered.found.message };
    if (held > 0) return { verdict: 'kept', ...seen };
    return reason === undefined
      ? { verdict: 'unobserved', ...seen, reason: unheld }
      : { verdict: 'inconclusive', ...seen, reason };
  }

  #heldOf(id: string): CheckTally {
    const known = this.#clauses.get(id) ?? { numbers: new Set(), held: 0, operations: new Set() };
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
