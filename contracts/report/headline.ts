import { count } from '../../common/cli/count.ts';
import { clauseVerdicts, type Report } from './events.ts';
import { isGating, isUndecided, type ReportOptions } from './summary.ts';

/** Whether a report is about traffic of which nothing was judged. */
export function isEmpty(report: Report): boolean {
  return report.traffic !== undefined && report.targets.every(({ requests }) => requests === 0);
}

/** Sums up the run in a sentence: the clauses that fail or pass on each target, and the undecided. */
export function toHeadline(report: Report, options: ReportOptions): string {
  if (isEmpty(report)) return 'No call of the target was answered, so nothing was judged.';
  const gating = report.findings.filter((finding) => isGating(finding, options));
  const names = report.targets.map(({ name }) => name);
  const faults = gating.filter(({ target }) => !names.includes(target)).length;
  const unanswered = report.findings
    .filter(({ verdict }) => verdict === 'unanswered')
    .map(
      ({ target, count: calls, actual }) =>
        `${calls} of ${count(callsTo(target, report), 'call')} to operations of the ${target} got ${actual}`,
    );
  const broken = [
    ...names.flatMap((name) => toBroken(name, report, options) ?? []),
    ...(faults > 0
      ? [`${count(faults, 'baseline entry needs', 'baseline entries need')} fixing`]
      : []),
  ];
  const text = [
    ...(report.verdict === 'incomplete'
      ? [`not everything was ${report.traffic ? 'judged' : 'tried'}, so this is not a pass`]
      : []),
    ...(broken.length > 0 ? broken : [toClean(names, report)]),
    ...unanswered.map((one) => (broken.length > 0 ? one : `but ${one}`)),
    ...toOpen(report),
  ].join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the headline if no target breaks a clause. */
function toClean(names: readonly string[], report: Report): string {
  const passed = names.map(
    (name) => `${toShare(report.totals[name]?.clauses.kept ?? 0, report)} passed on the ${name}`,
  );
  const requests = report.targets.reduce((sum, target) => sum + target.requests, 0);
  return report.traffic
    ? `in ${count(requests, 'request')}, ${passed.join(', ')} and none failed`
    : `no drift: ${passed.join(', ')}`;
}

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
  return `${toShare(clauses.length, report)} failed on the ${name} (${count(findings.length, 'cause')}: ${shortened(leading)})`;
}

function toShare(clauses: number, { clauses: { length: all } }: Report): string {
  return clauses === all ? `all ${count(all, 'clause')}` : `${clauses} of ${count(all, 'clause')}`;
}

/** Returns the number of undecided clauses on each target; nothing without any. */
function toOpen({ totals, targets }: Report): string[] {
  const counts = targets.flatMap(({ name }) => {
    const open = clauseVerdicts
      .filter(isUndecided)
      .reduce((sum, verdict) => sum + (totals[name]?.clauses[verdict] ?? 0), 0);
    return open === 0 ? [] : [targets.length > 1 ? `${open} on the ${name}` : `${open}`];
  });
  return counts.length === 0 ? [] : [`undecided: ${counts.join(', ')}`];
}

/** Names, each once; of many, the first three. */
function shortened(names: readonly string[]): string {
  const all = [...new Set(names)];
  if (all.length <= 4) return all.join(', ');
  return `${all.slice(0, 3).join(', ')} and ${all.length - 3} more`;
}
