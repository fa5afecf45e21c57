import { count } from '../../common/cli/count.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { ResponseJudgement } from './events.ts';
import { isGating, type ReportOptions, toSource } from './summary.ts';
import { bullet, createPaint, indented, toFactLines } from './terminal/paint.ts';

/**
 * Returns the failing findings of one response with their clauses, worded as in the terminal's
 * report.
 */
export function toResponseReport(
  { operation, status, findings, held }: ResponseJudgement,
  options: ReportOptions,
): string {
  const failing = findings.filter((finding) => isGating(finding, options));
  if (failing.length === 0) {
    const passed = held.filter((id) => findings.every(({ check }) => check !== id));
    return `This ${status} of ${operation} keeps the contract: ${count(passed.length, 'check')} passed (${passed.join(', ')}).`;
  }
  const paint = Object.assign((_: unknown, text: string) => text, createPaint({ isTTY: true }));
  const clauses = new Set(failing.map(({ check }) => check)).size;
  const blocks = failing.map(({ check, clause, message, problems = [], expected, actual }) =>
    [
      `  ${check}  ${toSource(clause)}`,
      ...indented(toVisible(message), 4, paint),
      ...problems.flatMap((problem) => bullet(toVisible(problem), 6, paint)),
      ...toFactLines(
        [
          ['clause', clause.text],
          ['expected', expected],
          ['got', actual],
        ],
        paint,
      ),
    ].join('\n'),
  );
  return [
    `This ${status} of ${operation} fails ${count(clauses, 'clause')} of the contract.`,
    ...blocks,
  ].join('\n\n');
}
