import type { Check, Violation } from '../clauses/check.ts';
import type { FoundKind, Judgement } from '../judging/judge.ts';
import { verdictOf } from '../judging/judge.ts';
import type { ClauseVerdict } from '../report/events.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import type { ClientFault } from './client-faults.ts';

/** What was found in all traffic so far, in bounded memory. */
export interface Tally {
  /** Adds what was made of calls that were judged together, each exchange counted once. */
  add(judgement: Judgement): void;
  /** Notes that a check was held against an exchange. */
  hold(check: Check, exchange: Exchange): void;
  addFault(fault: ClientFault, found: FoundKind): void;
  /** Forgets which exchanges were counted before this number: they are judged no more. */
  forgetBefore(number: number): void;
  /** How many kinds of finding there are. */
  kinds(): number;
  found(): FoundKind[];
  /** What became of a clause so far. */
  resultOf(check: Check): { verdict: ClauseVerdict; held: number; reason?: string };
  defects(): string[];
}

/**
 * The kinds of finding of a verdict that are told apart, and the exchanges of each that are
 * retained, besides the first of each status.
 */
const maxKinds = 300;
const maxRetained = 30;

/** A longer body is retained as text alone. */
const maxWhole = 4000;

type Kind = {
  found: FoundKind;
  violations: Violation[];
  counted: Set<number>;
  more: Map<number, number>;
};

type Held = { numbers: Set<number>; held: number; reason?: string };

export function createTally(): Tally {
  const kinds = new Map<string, Kind>();
  const clauses = new Map<string, Held>();
  const defects = new Set<string>();
  const heldOf = (id: string) => {
    const known = clauses.get(id) ?? { numbers: new Set<number>(), held: 0 };
    clauses.set(id, known);
    return known;
  };
  const addKind = (key: string, found: FoundKind) => {
    const known = kinds.get(key);
    const sameVerdict = () =>
      [...kinds.values()].filter((one) => one.found.verdict === found.verdict);
    if (!known && sameVerdict().length >= maxKinds) return;
    const kind: Kind = known ?? { found, violations: [], counted: new Set(), more: new Map() };
    kinds.set(key, kind);
    for (const violation of found.violations) {
      const { number } = violation.exchange;
      const status = statusOf(violation);
      const isRetained = kind.violations.some((one) => one.exchange.number === number);
      if (kind.counted.has(number)) continue;
      kind.counted.add(number);
      const isNew = kind.violations.every((one) => statusOf(one) !== status);
      if (isNew || kind.violations.length < maxRetained) kind.violations.push(toSlim(violation));
      else if (!isRetained) kind.more.set(status, (kind.more.get(status) ?? 0) + 1);
    }
  };
  return {
    add({ findings, results, defects: failed }) {
      for (const defect of failed) defects.add(defect);
      for (const found of findings) addKind(toKey(found), found);
      for (const { check, reason } of results)
        if (reason !== undefined && reason !== check.unheld) heldOf(check.id).reason ??= reason;
    },
    hold({ id }, { number }) {
      const of = heldOf(id);
      if (of.numbers.has(number)) return;
      of.numbers.add(number);
      of.held += 1;
    },
    addFault({ check, key }, found) {
      addKind(`${check} ${key}`, found);
    },
    forgetBefore(first) {
      for (const { counted } of kinds.values())
        for (const number of counted) if (number < first) counted.delete(number);
      for (const { numbers } of clauses.values())
        for (const number of numbers) if (number < first) numbers.delete(number);
    },
    kinds: () => kinds.size,
    found: () =>
      [...kinds.values()].map(({ found, violations, more }) => ({
        ...found,
        count: more.values().reduce((sum, alike) => sum + alike, violations.length),
        violations: violations.map((one) => {
          const isFirst = violations.find((other) => statusOf(other) === statusOf(one)) === one;
          const alike = isFirst && more.get(statusOf(one));
          return alike ? { ...one, alike } : one;
        }),
      })),
    resultOf({ id, clause, unheld }) {
      const { held = 0, reason } = clauses.get(id) ?? {};
      const isBroken = [...kinds.values()].some(
        ({ found }) => found.check === id && found.verdict !== 'unanswered',
      );
      if (isBroken) return { verdict: verdictOf[clause.basis], held };
      const unanswered = [...kinds.values()].find(({ found }) => found.check === id);
      if (unanswered) return { verdict: 'inconclusive', held, reason: unanswered.found.message };
      if (held > 0) return { verdict: 'kept', held };
      return reason === undefined
        ? { verdict: 'unobserved', held, reason: unheld }
        : { verdict: 'inconclusive', held, reason };
    },
    defects: () => [...defects],
  };
}

function toKey({ check, verdict, operation, kind }: FoundKind): string {
  return `${check} ${verdict} ${operation} ${kind}`;
}

function statusOf({ exchange }: Violation): number {
  return exchange.response?.status ?? 0;
}

/** A violation without what is too large to be retained. */
function toSlim(violation: Violation): Violation {
  const { exchange } = violation;
  if (!isAnswered(exchange) || exchange.response.text.length <= maxWhole) return violation;
  const text = exchange.response.text.slice(0, maxWhole);
  const response = { ...exchange.response, text, json: undefined };
  return { ...violation, exchange: { ...exchange, response } };
}
