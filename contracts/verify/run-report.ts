import { count } from '../../common/cli/count.ts';
import type { Plan } from '../cases/plan.ts';
import type { Check } from '../clauses/check.ts';
import type { Judgement } from '../judging/judge.ts';
import { whyNotAllJudged } from '../judging/judge-response.ts';
import { redactReport } from '../judging/redact.ts';
import type { NotApplicable, Report } from '../report/events.ts';
import { twinName } from '../transcript/exchange.ts';
import { isMissed, toSkipText } from '../transcript/skip-reasons.ts';
import { type Defect, type Transcript, toRefusal } from '../transcript/transcript.ts';
import type { Judged } from './judge-all.ts';
import { toNotCalled } from './not-called.ts';
import { secretsOf, type VerifyOptions } from './options.ts';
import { whyNothingCreated } from './refused-creates.ts';
import { toResidue } from './residue.ts';
import type { TargetRun } from './run-targets.ts';
import { toChoice } from './selection.ts';
import { toReport } from './to-report.ts';

export type RunParts = {
  plan: Plan;
  checks: readonly Check[];
  notApplicable: readonly NotApplicable[];
  runs: readonly TargetRun[];
  judged: Judged;
  /** When the run began, in Unix milliseconds. */
  started: number;
};

type RunOptions = Pick<
  VerifyOptions,
  'document' | 'targets' | 'strict' | 'signal' | 'docs' | 'only' | 'skip'
>;

/** The report of a run, without the keys of its targets. */
export function toRunReport(
  { document, targets, strict, signal, docs, only, skip }: RunOptions,
  { plan, checks, notApplicable, runs, judged, started }: RunParts,
): Report {
  const { judgements, findings, silences } = judged;
  const secrets = targets.flatMap(secretsOf);
  const transcripts = runs.map(({ transcript }) => transcript);
  const temporary = targets.filter(({ isTemporary }) => isTemporary).map(({ name }) => name);
  const staying = transcripts.filter(({ target }) => !temporary.includes(target.name));
  const left = staying.map(toResidue);
  const notCalled = toNotCalled(document, staying.length > 0 ? staying : transcripts, {
    choice: toChoice({ document, only, skip }),
    writes: targets.some(
      ({ writes, isTemporary }) => writes && (!isTemporary || staying.length === 0),
    ),
  });
  // The mock beside a target fails no run.
  const deployed = transcripts.filter(({ target }) => target.name !== twinName);
  const weighed = deployed.length > 0 ? deployed : transcripts;
  const ended = weighed.flatMap((one) =>
    one.ended === undefined ? [] : [`${one.target.name}: ${one.ended}`],
  );
  const report = toReport(
    {
      ...{ document, checks, notApplicable, judgements, findings, silences },
      targets: runs.map(toCalled),
      incomplete: [
        ...(signal?.aborted ? ['the run was interrupted'] : []),
        ...ended,
        ...weighed.flatMap((one) => whyIncomplete(one, judgements.get(one.target.name))),
      ],
      defects: [
        ...[...judgements].flatMap(([name, { defects }]) => defects.map(worded(`${name}: `))),
        ...transcripts.flatMap(({ target, defect }) =>
          defect ? [worded(`${target.name}: no more cases were made (`, ')')(defect)] : [],
        ),
      ],
    },
    {
      plan: { seed: plan.seed, hash: plan.hash, cases: countCases(plan) },
      ...{ notCalled, ended },
      residue: left.flatMap(({ residue }) => residue),
      leftAlone: left.flatMap(({ leftAlone }) => leftAlone),
      startedAt: new Date(started).toISOString(),
      seconds: (Date.now() - started) / 1000,
    },
    { strict, docs, secrets },
  );
  const made = transcripts.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request }) => request.secrets ?? []),
  );
  return redactReport(redactReport(report, made, { mark: '[Filtered]' }), secrets);
}

/** How many cases a plan has. */
export function countCases({ stages }: Plan): number {
  return stages.reduce((sum, { cases }) => sum + cases.length, 0);
}

function toCalled({ transcript: { target, exchanges, keys }, seconds }: TargetRun) {
  const ids = exchanges.map(({ case: { operation } }) => operation?.id);
  return {
    ...target,
    requests: exchanges.length,
    seconds,
    keys: keys.map(({ name }) => name),
    callsOf: (id: string) => ids.filter((one) => one === id).length,
  };
}

/** Puts words around the message of a defect. */
function worded(before: string, after = ''): (defect: Defect) => Defect {
  return ({ message, stack }) => ({ message: before + message + after, stack });
}

/** Why a run did not try or judge everything on a target, a sentence each. */
function whyIncomplete(transcript: Transcript, judgement: Judgement | undefined): string[] {
  const named = (reason: string) => `${transcript.target.name}: ${reason}`;
  return [
    ...whyNotAllTried(transcript).map(named),
    ...whyNothingCreated(transcript).map(named),
    ...whyNotAllJudged(transcript),
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

/** Returns why no clause got a verdict, such as a missing permission: such a run cannot pass. */
function whyNothingJudged({ results, findings }: Partial<Judgement> = {}): string[] {
  const isOpen = results?.every(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'vacuous',
  );
  const first = results?.find(({ reason }) => reason !== undefined);
  if (!isOpen || first === undefined || findings?.length !== 0) return [];
  return [`no clause could be judged (${first.check.id}: ${first.reason})`];
}
