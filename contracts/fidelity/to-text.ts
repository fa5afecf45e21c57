import { count } from '../../common/cli/count.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { Paint } from '../report/terminal/paint.ts';
import { adviceOf } from './advice.ts';
import type { DifferenceRow, Fidelity, OperationRow } from './to-report.ts';

/** The number of differences that the text shows; the JSON report has all. */
const maxShown = 20;

/** Returns the report as text for a terminal. */
export function toText(
  { percent, before, answers, alike, operations, differences, document }: Fidelity,
  paint: Paint,
): string {
  const shown = differences.slice(0, maxShown);
  const more = differences.length - shown.length;
  const lines = [
    `${paint('bold', `fidelity ${percent} %`)}: ${alike} of ${count(answers, 'answer')} alike, of ${document.title} ${document.version}`,
    ...(before === undefined ? [] : [`with the document alone ${before} %`]),
    '',
    'alike  operation',
    ...operations.map(toOperationLine),
    ...(differences.length > 0 ? ['', 'How the others differ, the most frequent first:'] : []),
    ...shown.flatMap(toDifferenceLines),
    ...(more > 0 ? [`${count(more, 'more difference')}: see --json.`] : []),
  ];
  return lines.map((line) => `${toVisible(line)}\n`).join('');
}

function toOperationLine({ operation, answers, alike }: OperationRow): string {
  return `${`${alike}/${answers}`.padStart(6)} ${operation}`;
}

function toDifferenceLines({ kind, operation, at, answers, first }: DifferenceRow): string[] {
  const place = at === '' ? '' : ` at ${at}`;
  return [
    `- ${operation}: ${kind}${place}, ${count(answers, 'answer')}`,
    `  first in call ${first.call} of ${first.file}, ${first.request}`,
    `  recorded: ${first.recorded}`,
    `  twin:     ${first.twin}`,
    `  ${adviceOf(kind)}`,
  ];
}
