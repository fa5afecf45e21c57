import { count } from '../../../common/cli/count.ts';
import { wrapUpTo } from '../../../common/look/layout.ts';
import { toVisible } from '../../../common/look/visible.ts';
import type { Finding } from '../events.ts';
import { toFacts } from '../facts.ts';
import {
  type FindingGroup,
  isBrief,
  type ReportOptions,
  toBriefFacts,
  toVerdictLabel,
  toWhere,
} from '../summary.ts';
import { bullet, heading, indented, labelled, type Paint, styles, toFactLines } from './paint.ts';

/** How many findings in brief are listed. */
const maxBrief = 19;

/** The findings of a verdict, those in brief that fail no run. */
export function findingsOf(
  { verdict, meaning, findings: list }: FindingGroup,
  options: ReportOptions,
  paint: Paint,
): string[] {
  const number = `${count(list.length, 'finding')}: ${meaning}.`;
  const head = heading(toVerdictLabel(verdict), number, paint, styles[verdict]);
  if (isBrief(verdict, options)) return [head, ...briefly(list, paint)];
  const whole = list.map((finding) => toFinding(finding, paint));
  return [head, ...whole.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))];
}

function toFinding(finding: Finding, paint: Paint): string[] {
  const { verdict, check, message, problems = [], curl } = finding;
  return [
    ...labelled(`  ${paint(styles[verdict], check)}`, toVisible(toWhere(finding)), paint, 'dim'),
    ...indented(toVisible(message), 4, paint),
    ...problems.flatMap((problem) => bullet(toVisible(problem), 6, paint)),
    ...toFactLines(toFacts(finding), paint),
    ...(curl === undefined ? [] : [`    ${paint('cyan', toVisible(curl))}`]),
  ];
}

function briefly(findings: readonly Finding[], paint: Paint): string[] {
  const more = findings.length - maxBrief;
  return [
    ...findings
      .slice(0, maxBrief)
      .flatMap((finding) => [
        ...indented(
          `${toVisible(finding.message)}${finding.count > 1 ? ` (${finding.count} times)` : ''}`,
          2,
          paint,
        ),
        ...toBriefFacts(finding).flatMap((text) =>
          wrapUpTo(toVisible(text), paint.columns - 4, 2).map(
            (line) => `    ${paint('dim', line)}`,
          ),
        ),
      ]),
    ...(more > 0 ? [`  and ${more} more: see --json or --html`] : []),
  ];
}
