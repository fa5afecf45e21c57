import { count } from '../cli/count.ts';
import { wrapUpTo } from '../look/layout.ts';
import { toVisible } from '../look/visible.ts';
import type { ResponseJudgement } from './events.ts';
import { isGating, type ReportOptions, toSource } from './summary.ts';

const columns = 80;

/**
 * What is wrong with one response, as the terminal's report words it: each finding that fails, with
 * its clause.
 */
export function toResponseReport(
  { operation, status, findings, held }: ResponseJudgement,
  options: ReportOptions,
): string {
  const failing = findings.filter((finding) => isGating(finding, options));
  if (failing.length === 0) {
    const kept = held.filter((id) => findings.every(({ check }) => check !== id));
    return `This ${status} of ${operation} keeps the contract: ${count(kept.length, 'check')} held (${kept.join(', ')}).`;
  }
  const clauses = new Set(failing.map(({ check }) => check)).size;
  const blocks = failing.map(({ check, clause, message, problems = [], expected, actual }) =>
    [
      `  ${check}  ${toSource(clause)}`,
      ...folded(message, 4),
      ...problems.flatMap(bullet),
      ...labelled('clause', clause.text),
      ...labelled('expected', expected),
      ...labelled('got', actual),
    ].join('\n'),
  );
  return [
    `This ${status} of ${operation} breaks ${count(clauses, 'clause')} of the contract.`,
    ...blocks,
  ].join('\n\n');
}

function labelled(label: string, text: string): string[] {
  return folded(text, 14).map((line, index) =>
    index === 0 ? `    ${label.padEnd(10)}${line.trimStart()}` : line,
  );
}

function bullet(text: string): string[] {
  return folded(text, 8).map((line, index) => (index === 0 ? `      - ${line.trimStart()}` : line));
}

function folded(text: string, indent: number): string[] {
  return wrapUpTo(toVisible(text), columns - indent, 4).map((line) => ' '.repeat(indent) + line);
}
