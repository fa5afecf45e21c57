import { count } from '../../common/cli/count.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { Operation } from '../../openapi/index.ts';
import { toKey } from '../../openapi/model/operation.ts';
import type { Round } from '../fidelity/replay-all.ts';
import { type DifferenceRow, toFidelity } from '../fidelity/to-report.ts';
import { writtenOf } from '../traffic/as-read.ts';
import type { Lines } from './lines.ts';

/** Holds how many answers still differ, as a sentence, and what is open, as lines of text. */
export type UnexplainedAnswers = { sentence: string; open: string };

/** The most rows that are shown. */
const maxRows = 10;

/** Returns what lines do not explain, or was seen once, and which call would show it. */
export function toUnexplained(lines: Lines, last: Round): UnexplainedAnswers {
  const { answers, alike, differences } = toFidelity(last);
  const left = answers - alike;
  const operations = new Map(last.document.operations.map((one) => [toKey(one), one]));
  const rows = [
    ...differences.map((one) => toRow(one, operations.get(one.operation))),
    ...lines.all.flatMap(({ operation, rule, calls }) =>
      operation && calls.length === 1
        ? [`- ${toKey(writtenOf(operation))}, ${rule.join(' ')}, seen once: ${again}`]
        : [],
    ),
  ];
  const more = rows.length - maxRows;
  const shown = [...rows.slice(0, maxRows), ...(more > 0 ? [`... and ${more} more`] : [])];
  const sentence = `${left} of ${count(answers, 'answer')} still ${left === 1 ? 'differs' : 'differ'}.`;
  const head = `\n${sentence} What is open, and which call would show it (--ask URL makes such calls):\n`;
  const open = shown.map((one) => `${toVisible(one)}\n`).join('');
  return { sentence, open: rows.length === 0 ? '' : head + open };
}

function toRow({ operation, kind, at, answers }: DifferenceRow, known?: Operation): string {
  const place = at === '' ? '' : ` at ${at}`;
  return `- ${operation}, ${kind}${place}, ${count(answers, 'answer')}: ${showingCall(kind, known)}`;
}

const again = 'the same call with other values';

/** Returns the call that would show why answers of an operation differ. */
function showingCall(kind: DifferenceRow['kind'], operation?: Operation): string {
  if (!operation || kind === 'media type') return 'none, as the document does not describe it';
  if (kind === 'status') return 'one that is refused and one that succeeds, for the same item';
  if (operation.kind === 'delete') return 'a read of what was deleted';
  return operation.method === 'GET' ? 'a read before and after each change' : again;
}
