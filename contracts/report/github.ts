import type { Finding, Report, Verdict } from './events.ts';
import { count, isGating, listOperations, type ReportOptions, toHeadline, toRelatedText, toSource } from './summary.ts';
import { toVisible } from './visible.ts';

type Level = 'error' | 'warning' | 'notice';

const levels: Readonly<Record<Verdict, Level>> = {
  drift: 'error',
  unanswered: 'error',
  standard: 'warning',
  disagreement: 'warning',
  known: 'notice',
  difference: 'notice',
};

/** The findings as workflow commands of GitHub Actions, a line each; what differs where nothing is stated is one line. */
export function toGithubReport(report: Report, options: ReportOptions): string {
  const told = report.findings.filter(({ verdict }) => verdict !== 'difference');
  const differences = report.findings.length - told.length;
  const lines = [
    ...told.map((finding) => toAnnotation(finding, options)),
    ...report.incomplete.map((reason) => command('warning', 'Incomplete', reason)),
    ...(differences > 0
      ? [command('notice', 'Differences', `${count(differences, 'difference')} where the interface states nothing.`)]
      : []),
    command('notice', `Contract: ${report.verdict}`, toHeadline(report, options)),
  ];
  return `${lines.join('\n')}\n`;
}

function toAnnotation(finding: Finding, options: ReportOptions): string {
  const { verdict, target, check, operation, clause, message, problems = [], expected, actual, count: times, curl } = finding;
  const where = [target, ...(operation === '' ? [] : [operation])].join(', ');
  const lines = [
    `${where}: ${message}`,
    ...problems.map((problem) => `- ${problem}`),
    `expected: ${expected}`,
    `got: ${actual}`,
    `clause: ${clause.text} ${toSource(clause)}`,
    `seen: ${count(times, 'time')}${finding.operations.length > 1 ? `, on ${listOperations(finding)}` : ''}`,
    ...finding.related.map((one) => `${one.isConsequence ? 'leads to' : 'also'}: ${toRelatedText(one)}`),
    ...(curl === undefined ? [] : [curl]),
  ];
  return command(isGating(finding, options) ? 'error' : levels[verdict], `${verdict}: ${check}`, ...lines);
}

/** A workflow command; what it carries cannot end it, nor begin another one. */
function command(level: Level, title: string, ...lines: string[]): string {
  const message = lines.map(toVisible).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
  const property = toVisible(title).replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${property}::${message}`;
}
