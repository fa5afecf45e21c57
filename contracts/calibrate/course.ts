import { count } from '../cli/count.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { isMissed, type Transcript, toSkipText } from '../transcript/transcript.ts';

type Recorded = Pick<Transcript, 'exchanges' | 'skipped' | 'target' | 'defect'>;

/** What kept questions from being asked, each in a sentence. */
export function describeUnasked({ skipped }: Pick<Recorded, 'skipped'>): string[] {
  const byReason = Map.groupBy(skipped.filter(isMissed), ({ reason }) => toSkipText(reason));
  return [...byReason].map(
    ([reason, { length }]) =>
      `${count(length, 'question was', 'questions were')} not asked: ${reason}.`,
  );
}

/** So many requests without an answer at the end of a run are no chance. */
const minUnanswered = 10;

/**
 * Why a run that ended too early has no pins: the target stopped answering, or the suite failed.
 * Undefined where it came to its end.
 */
export function whyEnded({ exchanges, skipped, target, defect }: Recorded): string | undefined {
  if (defect !== undefined)
    return `The run ended early because of a bug in the suite (${defect}), so no pins were written. Please report it.`;
  const byTime = exchanges.toSorted((left, right) => left.endedAt - right.endedAt);
  const failed = byTime.slice(byTime.findLastIndex(({ response }) => response !== undefined) + 1);
  const isOver =
    skipped.some(({ reason }) => reason.code === 'no-answers') ||
    failed.some(({ failure }) => failure?.kind === 'unreachable') ||
    failed.length >= minUnanswered;
  return isOver
    ? `${target.url} stopped answering, so no pins were written.${lastOf(byTime)}`
    : undefined;
}

/** What to say of a target that showed nothing that could be pinned. */
export function describeNothing({ exchanges, target }: Recorded): string {
  return `${target.url} gave no answer that can be pinned, so no pins were written.${lastOf(exchanges)} npm run verify shows what is wrong with it.`;
}

function lastOf(exchanges: readonly Exchange[]): string {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  if (!last) return '';
  const { number, request, response } = last;
  return ` The last answer was ${response?.status} to ${number} (${request.method} ${request.path.slice(0, 100)}).`;
}
