import type { Api } from '../../openapi/index.ts';
import { outcomesOf } from '../cases/outcomes.ts';
import type { Answer } from '../transcript/exchange.ts';
import { type Judge, shownAnswer, type Violation } from './check.ts';

/** A reason of which only the transcript can know why an answer may be right: in words, or `true`. */
export type Doubt = (exchange: Answer) => string | boolean | undefined;

/**
 * Holds the status of an answer against the outcomes of its case, unless one of `doubts` says that
 * another status may be right too.
 */
export function judgeStatus(
  document: Api,
  judge: Judge,
  exchange: Answer,
  {
    doubts,
    violation,
  }: {
    doubts: readonly Doubt[];
    violation: () => Omit<Violation, 'exchange' | 'expected' | 'actual'>;
  },
): void {
  const { status } = exchange.response;
  const { expected, isExpected, isOpen } = outcomesOf(document, exchange.case);
  const isKept = isExpected(status);
  if (expected.length === 0 || (!isKept && isOpen(status))) return;
  const open = isKept ? undefined : firstOf(doubts, exchange);
  if (typeof open === 'string') judge.inconclusive(open);
  if (open) return;
  judge.hold(isKept, exchange, () => ({
    expected: expected.join(' or '),
    actual: shownAnswer(exchange.response),
    ...violation(),
  }));
}

function firstOf(doubts: readonly Doubt[], exchange: Answer): ReturnType<Doubt> {
  for (const doubt of doubts) {
    const open = doubt(exchange);
    if (open) return open;
  }
  return undefined;
}
