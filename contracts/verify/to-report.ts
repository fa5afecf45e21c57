import { count } from '../../common/cli/count.ts';
import { createRedactor } from '../../common/secrets/texts.ts';
import type { Plan } from '../cases/plan.ts';
import type { Check } from '../clauses/check.ts';
import { type Judgement, toClauseResults } from '../judging/judge.ts';
import { whyNotAllJudged } from '../judging/judge-response.ts';
import { redactReport } from '../judging/redact.ts';
import { type Finding, type NotApplicable, type Report, verdicts } from '../report/events.ts';
import { isGating } from '../report/summary.ts';
import { twinName } from '../transcript/exchange.ts';
import { isMissed, toSkipText } from '../transcript/skip-reasons.ts';
import { type Transcript, toRefusal } from '../transcript/transcript.ts';
import type { Judged } from './judge-all.ts';
import { createLinks, type Links } from './links.ts';
import { toNotCalled } from './not-called.ts';
import { secretsOf, type VerifyOptions } from './options.ts';
import { whyNothingCreated } from './refused-creates.ts';
import { toResidue } from './residue.ts';
import type { TargetRun } from './run-targets.ts';
import { toChoice } from './selection.ts';
import { type CalledTarget, toOperations, toTotals } from './totals.ts';

export type ReportParts = {
  plan: Plan;
  checks: readonly Check[];
  notApplicable: NotApplicable[];
  runs: readonly TargetRun[];
  judged: Judged;
  /** When the run began, in Unix milliseconds. */
  started: number;
};

/** The report of a run, without the keys of its targets. */
export function toReport(
  {
    document,
    targets,
    strict,
    signal,
    docs,
    only,
    skip,
  }: Pick<VerifyOptions, 'document' | 'targets' | 'strict' | 'signal' | 'docs' | 'only' | 'skip'>,
  { plan, checks, notApplicable, runs, judged, started }: ReportParts,
): Report {
  const { judgements } = judged;
  const secrets = targets.flatMap(secretsOf);
  const links = createLinks(document, docs && createRedactor(secrets)(docs));
  const transcripts = runs.map(({ transcript }) => transcript);
  const findings = judged.findings.toSorted(byWeight).map((finding) => withUrls(finding, links));
  const clauses = toClauseResults(checks, judgements, findings.flatMap(withRelated)).map((clause) =>
    withUrl(clause, links.clause(clause)),
  );
  const names = transcripts.map(({ target }) => target.name);
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
  const untried = weighed.flatMap((one) => whyIncomplete(one, judgements.get(one.target.name)));
  const defects = [...judgements.entries().flatMap(defectsOfChecks)];
  defects.push(...transcripts.flatMap(defectOfRun));
  const interrupted = signal?.aborted ? ['the run was interrupted'] : [];
  const ended = weighed.flatMap((one) =>
    one.ended === undefined ? [] : [`${one.target.name}: ${one.ended}`],
  );
  const incomplete = [
    ...interrupted,
    ...ended,
    ...untried,
    ...defects.map((defect) => `a bug in the suite: ${defect}`),
  ];
  const report: Report = {
    verdict: toVerdict(findings, incomplete, strict),
    incomplete,
    defects,
    document: { title: document.title, version: document.version },
    plan: { seed: plan.seed, hash: plan.hash, cases: countCases(plan) },
    targets: runs.map(({ transcript, seconds }) => ({
      ...transcript.target,
      requests: transcript.exchanges.length,
      seconds,
      keys: transcript.keys.map(({ name }) => name),
    })),
    operations: toOperations(document, transcripts.map(toCalled), findings),
    totals: toTotals(names, clauses, findings),
    findings,
    clauses,
    notApplicable,
    silences: judged.silences.map((one) => withUrl(one, links.silence(one.id))),
    notCalled,
    residue: left.flatMap(({ residue }) => residue),
    leftAlone: left.flatMap(({ leftAlone }) => leftAlone),
    ended,
    startedAt: new Date(started).toISOString(),
    seconds: (Date.now() - started) / 1000,
  };
  const made = transcripts.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request }) => request.secrets ?? []),
  );
  return redactReport(redactReport(report, made, { mark: '[Filtered]' }), secrets);
}

/** How many cases a plan has. */
export function countCases({ stages }: Plan): number {
  return stages.reduce((sum, { cases }) => sum + cases.length, 0);
}

/** The whole run in a word. */
export function toVerdict(
  findings: readonly Finding[],
  incomplete: readonly string[],
  strict: boolean,
): Report['verdict'] {
  const gating = findings.filter((finding) => isGating(finding, { strict }));
  if (gating.length === 0) return incomplete.length > 0 ? 'incomplete' : 'clean';
  return gating.every(({ verdict }) => verdict === 'unanswered') ? 'unanswered' : 'drift';
}

/**
 * Orders findings: the heaviest first, then those that most exchanges show. Differences have an
 * order of their own.
 */
export function byWeight(left: Finding, right: Finding): number {
  return (
    verdicts.indexOf(left.verdict) - verdicts.indexOf(right.verdict) ||
    (left.verdict === 'difference' ? 0 : right.count - left.count)
  );
}

/** Something with the address where it can be read, if there is one. */
export function withUrl<T extends object>(one: T, url: string | undefined): T & { url?: string } {
  return { ...one, ...(url !== undefined && { url }) };
}

/** A finding whose clauses lead to where they can be read. */
export function withUrls(finding: Finding, links: Links): Finding {
  const linked = <T extends Pick<Finding, 'clause'>>(one: T): T => ({
    ...one,
    clause: withUrl(one.clause, links.clause(one.clause)),
  });
  return { ...linked(finding), related: finding.related.map(linked) };
}

function toCalled({ target, exchanges }: Transcript): CalledTarget {
  const ids = exchanges.map(({ case: { operation } }) => operation?.id);
  return { target, callsOf: (id) => ids.filter((one) => one === id).length };
}

/** A finding, and each that has its cause too. */
function withRelated(finding: Finding): Pick<Finding, 'check' | 'target' | 'verdict'>[] {
  return [finding, ...finding.related.map((one) => ({ ...one, target: finding.target }))];
}

function defectsOfChecks([target, { defects }]: [string, { defects: string[] }]): string[] {
  return defects.map((defect) => `${target}: ${defect}`);
}

function defectOfRun({ target, defect }: Transcript): string[] {
  return defect === undefined ? [] : [`${target.name}: no more cases were made (${defect})`];
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
