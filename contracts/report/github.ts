import { count } from '../../common/cli/count.ts';
import { type AnnotationLevel, toAnnotation } from '../../common/look/print.ts';
import type { Finding, Report, Verdict } from './events.ts';
import { toFacts } from './facts.ts';
import { toHeadline } from './headline.ts';
import {
  isGating,
  isUndecided,
  listCurls,
  type ReportOptions,
  toVerdictLabel,
  toVerdictName,
  toWhere,
} from './summary.ts';

const levels = ['error', 'warning', 'notice'] as const satisfies AnnotationLevel[];

/** Verdicts that nobody has to act on. */
const notices: readonly Verdict[] = ['known', 'difference', 'client'];

/** GitHub shows no more annotations of a step. */
const maxAnnotations = 10;

/** The findings on one clause on one target: the first represents the others. */
type Group = { level: AnnotationLevel; first: Finding; others: Finding[] };

/**
 * The findings as workflow commands of GitHub Actions, a line for each clause that is broken, the
 * heaviest first. There are at most ten, the last of which sums up the run, and what the others
 * left out.
 */
export function toGithubReport(report: Report, options: ReportOptions): string {
  const reported = report.findings.filter(({ verdict }) => verdict !== 'difference');
  const byClause = Map.groupBy(reported, ({ target, verdict, check }) =>
    JSON.stringify([target, verdict, check]),
  );
  const groups = [...byClause.values()].map((findings): Group => {
    const [first, ...others] = findings as [Finding, ...Finding[]];
    const mildest = notices.includes(first.verdict) ? 'notice' : 'warning';
    return { first, others, level: isGating(first, options) ? 'error' : mildest };
  });
  const sorted = groups.toSorted(
    (left, right) => levels.indexOf(left.level) - levels.indexOf(right.level),
  );
  const lines = [
    ...sorted.slice(0, maxAnnotations - 1).map(annotate),
    sumUp(report, options, sorted.slice(maxAnnotations - 1)),
  ];
  return `${lines.join('\n')}\n`;
}

function annotate({ level, first, others }: Group): string {
  const { verdict, check, message, problems = [] } = first;
  const lines = [
    `${toWhere(first)}: ${message}`,
    ...problems.map((problem) => `- ${problem}`),
    ...toFacts(first).map(([label, text]) => `${label}: ${text}`),
    ...others.map((other) => `also: ${other.message} (${count(other.count, 'time')})`),
    ...listCurls(first),
  ];
  return toAnnotation(level, `${toVerdictLabel(verdict)}: ${check}`, ...lines);
}

function sumUp(report: Report, options: ReportOptions, rest: readonly Group[]): string {
  const left = rest.map(({ first: { check, verdict } }) => `${check} (${toVerdictLabel(verdict)})`);
  const open = report.clauses.filter(({ results }) =>
    Object.values(results).some(({ verdict }) => isUndecided(verdict)),
  );
  const differences = report.findings.filter(({ verdict }) => verdict === 'difference').length;
  const level = rest[0]?.level ?? (report.incomplete.length > 0 ? 'warning' : 'notice');
  const lines = [
    toHeadline(report, options),
    ...(rest.length > 0 ? [`${rest.length} more: ${left.join(', ')}`] : []),
    ...report.incomplete,
    ...(open.length > 0 ? [`undecided: ${open.map(({ id }) => id).join(', ')}`] : []),
    ...(differences > 0
      ? [`${count(differences, 'difference')} where the interface states nothing`]
      : []),
  ];
  return toAnnotation(level, `Contract: ${toVerdictName(report)}`, ...lines);
}
