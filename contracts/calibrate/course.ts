import { count } from '../cli/count.ts';
import type { Exchange } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { isMissed, type SkipReason, toSkipText } from '../transcript/transcript.ts';

type Recorded = Pick<Transcript, 'exchanges' | 'skipped' | 'target' | 'defect'>;

const quotaCodes: readonly SkipReason['code'][] = ['quota-short', 'quota-used-up', 'key-must-wait'];

/** What kept questions from being asked, each in a sentence. */
export function describeUnasked({ skipped, exchanges }: Recorded): string[] {
  const byQuota = skipped.filter(({ reason }) => quotaCodes.includes(reason.code));
  const byBudget = skipped.filter(({ reason }) => reason.code === 'max-requests');
  const named = [...byQuota, ...byBudget];
  const others = skipped.filter((one) => isMissed(one) && !named.includes(one));
  const reasons = Map.groupBy(others, ({ reason }) => toSkipText(reason));
  return [
    ...(byQuota.length === 0
      ? []
      : [
          `The quota of the keys was too small: ${toQuestions(byQuota.length)} not asked. Give more keys, keys of a larger plan, or a longer --wait.`,
        ]),
    ...(byBudget.length === 0
      ? []
      : [
          `The run ended at its maximum of ${exchanges.length} requests: ${toQuestions(byBudget.length)} not asked. Allow more with --max-requests.`,
        ]),
    ...[...reasons].map(([reason, those]) => `${toQuestions(those.length)} not asked: ${reason}.`),
  ];
}

/** So many requests without an answer at the end of a run are no chance. */
const minUnanswered = 10;

/**
 * Why a run that ended too early has no pins: the target stopped answering, or the suite failed.
 * Undefined where it came to its end.
 */
export function whyEnded(transcript: Recorded): string | undefined {
  const { exchanges, skipped, target, defect } = transcript;
  if (defect !== undefined)
    return `The run ended early because of a bug in the suite (${defect}), so no pins were written. Please report it.`;
  const byTime = exchanges.toSorted((left, right) => left.endedAt - right.endedAt);
  const answered = byTime.findLast(({ response }) => response !== undefined);
  const failed = byTime.slice(answered ? byTime.indexOf(answered) + 1 : 0);
  const isOver =
    skipped.some(({ reason }) => reason.code === 'no-answers') ||
    failed.some(({ failure }) => failure?.kind === 'unreachable') ||
    failed.length >= minUnanswered;
  if (!isOver) return undefined;
  const last = failed[0] ?? byTime.findLast(({ failure }) => failure !== undefined);
  return [
    `${target.url} stopped answering, so no pins were written.`,
    ...(last ? [`Request ${toName(last)} failed: ${last.failure?.message}.`] : []),
    ...(answered
      ? [`The last answer was ${answered.response?.status} to ${toName(answered)}.`]
      : []),
    `${failed.length > 1 ? `${failed.length} requests in a row had no answer, and ` : ''}${toQuestions(skipped.filter(isMissed).length)} not asked. Start it again, and repeat.`,
  ].join(' ');
}

/** What to say of a target that showed nothing that could be pinned. */
export function describeNothing(
  { exchanges, target }: Recorded,
  unasked: readonly string[],
): string {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  return [
    `${target.url} gave no answer that can be pinned, so no pins were written.`,
    ...(last ? [`The last answer was ${last.response?.status} to ${toName(last)}.`] : []),
    ...unasked,
    'npm run verify shows what is wrong with it.',
  ].join(' ');
}

function toName({ number, request }: Exchange): string {
  return `${number} (${request.method} ${request.path.slice(0, 100)})`;
}

function toQuestions(number: number): string {
  return count(number, 'question was', 'questions were');
}
