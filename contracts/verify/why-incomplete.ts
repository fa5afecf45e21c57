import { count } from '../cli/count.ts';
import type { Judgement } from '../judging/judge.ts';
import { whyNotAllJudged } from '../judging/judge-response.ts';
import { isMissed, type Transcript, toRefusal, toSkipText } from '../transcript/transcript.ts';
import { maxJudgingTime } from './judge-all.ts';

/** Why a run did not try or judge everything on a target, a sentence each. */
export function whyIncomplete(transcript: Transcript, judgement: Judgement | undefined): string[] {
  const named = (reason: string) => `${transcript.target.name}: ${reason}`;
  return [
    ...whyNotAllTried(transcript).map(named),
    ...whyNotAllJudged(transcript),
    ...whyLate(judgement).map(named),
    ...whyNothingJudged(judgement).map(named),
  ];
}

function whyNotAllTried({ skipped, refusedKeys, trials }: Transcript): string[] {
  const refused = refusedKeys.map(
    (key) =>
      `${toRefusal(key)}, so it was not used. Is it right, and is it a key of this deployment?`,
  );
  const missed = skipped.filter((one) => one.case.priority < 3 && isMissed(one));
  const left = [...Map.groupBy(missed, ({ reason }) => toSkipText(reason))].map(
    ([reason, { length: cases }]) =>
      `${count(cases, 'case was', 'cases were')} not made, as ${reason}`,
  );
  const notMet = trials.flatMap((trial) => (trial.outcome === 'not-met' ? [trial.reason] : []));
  return [...refused, ...left, ...notMet];
}

function whyLate({ late }: Pick<Judgement, 'late'> = { late: [] }): string[] {
  return late.length === 0
    ? []
    : [`judging took longer than ${maxJudgingTime / 1000} s and was stopped: ${late.join(', ')}`];
}

/** Where no clause came to a verdict, such as for want of a permission, there is nothing to pass. */
function whyNothingJudged({ results, findings }: Partial<Judgement> = {}): string[] {
  const isOpen = results?.every(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'vacuous',
  );
  const first = results?.find(({ reason }) => reason !== undefined);
  if (!isOpen || first === undefined || findings?.length !== 0) return [];
  return [`no clause could be judged (${first.check.id}: ${first.reason})`];
}
