import { count } from '../cli/count.ts';
import { toVisible } from '../look/visible.ts';
import type { Finding, Report, Verdict } from './events.ts';
import { toHeadline } from './headline.ts';
import {
  isGating,
  isUndecided,
  listOperations,
  type ReportOptions,
  toRelatedText,
  toSafeUrl,
  toSource,
  toVerdictName,
} from './summary.ts';

type Level = 'error' | 'warning' | 'notice';

const levels: Readonly<Record<Verdict, Level>> = {
  drift: 'error',
  unanswered: 'error',
  standard: 'warning',
  undocumented: 'warning',
  disagreement: 'warning',
  moved: 'warning',
  known: 'notice',
  difference: 'notice',
  client: 'notice',
};

/** GitHub shows no more annotations of a step. */
const maxAnnotations = 10;

/** What is reported of one clause on one target: the finding that stands for it, and the others. */
type Group = { level: Level; first: Finding; others: Finding[] };

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
  const groups = [...byClause.values()].map(([first, ...others]): Group => {
    const finding = first as Finding;
    return {
      first: finding,
      others,
      level: isGating(finding, options) ? 'error' : levels[finding.verdict],
    };
  });
  const sorted = groups.toSorted(
    (left, right) => weights.indexOf(left.level) - weights.indexOf(right.level),
  );
  const lines = [
    ...sorted.slice(0, maxAnnotations - 1).map(toAnnotation),
    sumUp(report, options, sorted.slice(maxAnnotations - 1)),
  ];
  return `${lines.join('\n')}\n`;
}

const weights: Level[] = ['error', 'warning', 'notice'];

function toAnnotation({ level, first, others }: Group): string {
  const {
    verdict,
    target,
    check,
    operation,
    clause,
    message,
    problems = [],
    expected,
    actual,
    curl,
  } = first;
  const url = toSafeUrl(clause.url);
  const where = [target, ...(operation === '' ? [] : [operation])].join(', ');
  const lines = [
    `${where}: ${message}`,
    ...problems.map((problem) => `- ${problem}`),
    `expected: ${expected}`,
    `got: ${actual}`,
    `clause: ${clause.text} ${toSource(clause)}`,
    ...(url === undefined ? [] : [`docs: ${url}`]),
    `seen: ${count(first.count, 'time')}${first.operations.length > 1 ? `, on ${listOperations(first)}` : ''}`,
    ...first.related.map(
      (one) => `${one.isConsequence ? 'leads to' : 'also'}: ${toRelatedText(one)}`,
    ),
    ...others.map((other) => `also: ${other.message} (${count(other.count, 'time')})`),
    ...(curl === undefined ? [] : [curl]),
  ];
  return command(level, `${verdict}: ${check}`, ...lines);
}

function sumUp(report: Report, options: ReportOptions, rest: readonly Group[]): string {
  const byVerdict = Map.groupBy(rest, ({ first }) => first.verdict);
  const left = [...byVerdict].map(
    ([verdict, groups]) => `${groups.map(({ first }) => first.check).join(', ')} (${verdict})`,
  );
  const open = report.clauses.filter(({ results }) =>
    Object.values(results).some(({ verdict }) => isUndecided(verdict)),
  );
  const differences = report.findings.filter(({ verdict }) => verdict === 'difference').length;
  const level = rest[0]?.level ?? (report.incomplete.length > 0 ? 'warning' : 'notice');
  const lines = [
    toHeadline(report, options),
    ...(rest.length > 0 ? [`${rest.length} more: ${left.join(', ')}`] : []),
    ...report.incomplete,
    ...(open.length > 0 ? [`not judged: ${open.map(({ id }) => id).join(', ')}`] : []),
    ...(differences > 0
      ? [`${count(differences, 'difference')} where the interface states nothing`]
      : []),
  ];
  return command(level, `Contract: ${toVerdictName(report)}`, ...lines);
}

/** A workflow command; what it carries cannot end it, nor begin another one. */
function command(level: Level, title: string, ...lines: string[]): string {
  const message = lines.map(toVisible).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
  const property = toVisible(title)
    .replaceAll('%', '%25')
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
  return `::${level} title=${property}::${message}`;
}
