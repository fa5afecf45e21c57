import { count } from '../cli/count.ts';
import { type ClauseVerdict, clauseVerdicts, type Report } from './events.ts';
import {
  domainsOf,
  isGating,
  isTraffic,
  isUndecided,
  type ReportOptions,
  toTargetName,
} from './summary.ts';

/** Whether a report is about traffic of which nothing was judged. */
export function isEmpty(report: Report): boolean {
  return isTraffic(report) && report.targets.every(({ requests }) => requests === 0);
}

/** What became of the calls of an empty report: those that passed had no answer that can be judged. */
function whyEmpty({ traffic }: Report): string {
  return traffic?.from === undefined ? 'passed' : 'was answered';
}

/** Whether nothing can be said of any clause, as the calls of traffic got no complete answer. */
function isUnanswered({ findings, targets, totals, ...report }: Report): boolean {
  return (
    isTraffic(report) &&
    findings.some(({ verdict }) => verdict === 'unanswered') &&
    targets.every(({ name }) =>
      clauseVerdicts.every(
        (verdict) => isUndecided(verdict) || (totals[name]?.clauses[verdict] ?? 0) === 0,
      ),
    )
  );
}

/**
 * The whole run in a sentence: what became of the clauses on each target, which add up to all of
 * them.
 */
export function toHeadline(report: Report, options: ReportOptions): string {
  if (isEmpty(report)) return `No call of the target ${whyEmpty(report)}, so nothing was judged.`;
  const gating = report.findings.filter((finding) => isGating(finding, options));
  const names = report.targets.map(({ name }) => name);
  const faults = gating.filter(({ target }) => !names.includes(target)).length;
  const unanswered = report.findings
    .filter(({ verdict }) => verdict === 'unanswered')
    .map(({ target, count: calls, actual, message }) =>
      domainsOf(report)
        ? `${message.replace(/^The /, 'the ')} (${actual})`
        : `${calls} of ${count(callsTo(target, report), 'call')} to operations of the ${target} got ${actual}`,
    );
  if (isUnanswered(report)) return `Nothing was judged: ${unanswered.join('; ')}.`;
  const broken = [
    ...names.flatMap((name) => toBroken(name, report, options) ?? []),
    ...(faults > 0
      ? [`${count(faults, 'baseline entry needs', 'baseline entries need')} fixing`]
      : []),
  ];
  const text = [
    ...(report.verdict === 'incomplete'
      ? [`not everything was ${isTraffic(report) ? 'judged' : 'tried'}, so this is not a pass`]
      : []),
    ...(broken.length > 0 ? broken : [toClean(names, report)]),
    ...unanswered.map((one) => (broken.length > 0 ? one : `but ${one}`)),
    ...(broken.length > 0 ? toCounts('kept', ['kept'], report) : []),
    ...otherVerdicts
      .filter((verdict) => !isGating({ verdict }, options))
      .flatMap((verdict) => toCounts(verdict, [verdict], report)),
    ...toCounts('not judged', clauseVerdicts.filter(isUndecided), report),
  ].join('; ');
  const beginsWithDomain =
    domainsOf(report) !== undefined && names.some((name) => text.startsWith(name));
  return beginsWithDomain ? `${text}.` : sentence(text);
}

/** Verdicts on clauses that are neither kept nor open, and that may not fail a run. */
const otherVerdicts = ['standard', 'undocumented', 'known'] as const;

/** What is said where no target breaks anything. */
function toClean(names: readonly string[], report: Report): string {
  const kept = names.map(
    (name) =>
      `${toTargetName(name, report)} keeps ${toShare(report.totals[name]?.clauses.kept ?? 0, report)}`,
  );
  const requests = report.targets.reduce((sum, target) => sum + target.requests, 0);
  return isTraffic(report)
    ? `in ${count(requests, 'request')}, ${kept.join(', ')} and breaks none`
    : `no drift: ${kept.join(', ')}`;
}

/** How many calls of operations were made to a target. */
function callsTo(target: string, { operations }: Report): number {
  return operations.reduce((sum, { results }) => sum + (results[target]?.calls ?? 0), 0);
}

function toBroken(name: string, report: Report, options: ReportOptions): string | undefined {
  const findings = report.findings.filter(
    (finding) =>
      finding.target === name && isGating(finding, options) && finding.verdict !== 'unanswered',
  );
  if (findings.length === 0) return undefined;
  const clauses = report.clauses.filter(({ results }) =>
    isGating({ verdict: results[name]?.verdict }, options),
  );
  const leading = findings.map(({ clause }) => clause.id);
  return `${toTargetName(name, report)} breaks ${toShare(clauses.length, report)} for ${count(findings.length, 'cause')} (${shortened(leading)})`;
}

function toShare(clauses: number, { clauses: { length: all } }: Report): string {
  return clauses === all ? `all ${count(all, 'clause')}` : `${clauses} of ${count(all, 'clause')}`;
}

/** How many clauses have one of some verdicts on each target, under a label; none where none has. */
function toCounts(label: string, ofVerdicts: readonly ClauseVerdict[], report: Report): string[] {
  const { totals, targets } = report;
  const counts = targets.flatMap(({ name }) => {
    const number = ofVerdicts.reduce(
      (sum, verdict) => sum + (totals[name]?.clauses[verdict] ?? 0),
      0,
    );
    return number === 0
      ? []
      : [targets.length > 1 ? `${number} on ${toTargetName(name, report)}` : `${number}`];
  });
  return counts.length === 0 ? [] : [`${label}: ${counts.join(', ')}`];
}

/** Names, each with how often it stands there where that is not once; of many, the first three. */
function shortened(names: readonly string[]): string {
  const groups = [...Map.groupBy(names, (name) => name).values()];
  const shown = groups.length > 4 ? groups.slice(0, 3) : groups;
  const list = shown
    .map(({ 0: name, length }) => (length === 1 ? name : `${name} ${length} times`))
    .join(', ');
  const more = names.length - shown.flat().length;
  return more > 0 ? `${list} and ${more} more` : list;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
